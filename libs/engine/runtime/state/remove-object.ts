import type { Kind } from '../../machinery/kind.js';
import type { Key } from '../../machinery/meta/object.js';
import type { State } from './state.js';

/** Removes an object, and puts what it leaves in Terrarium's own records. Does nothing when there is none. */
export function removeObject(state: State, kind: Kind, key: Key, actor: string, cause: number): void {
  const object = kind.remains && state.get(kind, key);
  state.remove(state.resourceOf(kind), key, actor, cause);
  const left = object && kind.remains?.(object, state, state.now);
  if (left) state.put(state.resourceOf(left.kind), left.object, actor, cause);
}
