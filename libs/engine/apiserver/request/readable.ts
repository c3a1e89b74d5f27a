import { apiServerOf } from '../../kinds/terrarium/noderuntime/api-server.js';
import { unreadable } from '../../kinds/terrarium/noderuntime/encryption.js';
import type { Kind, Verb } from '../../machinery/kind.js';
import { etcdKey } from '../../machinery/etcd-key.js';
import { internalError } from '../../machinery/meta/status.js';
import type { State } from '../../runtime/state/state.js';

/** A request's objects. */
interface Reading {
  readonly server: { readonly state: State };
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/**
 * Throws 500 for objects whose values in etcd the API server has no key for any more. Models
 * apiserver/pkg/storage/etcd3/store.go.
 */
export function requireReadable({ server: { state }, kind, namespace, name }: Reading, verb: Verb): void {
  const epochs = apiServerOf(state)?.encryption;
  if (!epochs || verb === 'create' || verb === 'watch') return;
  const object = name === '' ? undefined : state.get(kind, { namespace, name });
  const objects = name === '' ? state.list(kind, namespace || undefined) : object ? [object] : [];
  for (const one of objects) {
    const failure = unreadable(epochs, kind, one);
    if (failure === undefined) continue;
    const key = JSON.stringify(etcdKey(kind, one));
    if (name !== '') throw internalError(failure);
    throw internalError(`unable to transform key ${key}: ${failure}`);
  }
}
