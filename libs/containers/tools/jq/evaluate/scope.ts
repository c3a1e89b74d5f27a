import type { Definition, Node } from '../syntax/syntax.js';
import type { JqFault, Json } from '../values/values.js';

/** How a value was reached: undefined: nobody asks; null: by no path. */
export type Path = readonly Json[] | null | undefined;
export type Emit = (value: Json, path: Path) => void;

/** Runs nodes: what a pattern needs of the evaluator. */
export interface Runner {
  run(node: Node, scope: Scope, value: Json, path: Path, emit: Emit): void;
  protect(emit: Emit, run: (emit: Emit) => void, handle: (fault: JqFault) => void): void;
}

/** What names mean at a place of a program. */
export type Scope = Binding | null;
type Binding =
  | { readonly name: string; readonly value: Json; readonly parent: Scope }
  | { readonly name: string; readonly definition: Definition; readonly parent: Scope }
  | { readonly name: string; readonly filter: Closure; readonly parent: Scope }
  | { readonly name: string; readonly token: object; readonly parent: Scope };

/** A filter given as an argument, with the names of where it was written. */
export interface Closure {
  readonly node: Node;
  readonly scope: Scope;
}

/** The innermost meaning of a name. */
export function find(scope: Scope, name: string): Scope {
  let at = scope;
  while (at !== null && at.name !== name) at = at.parent;
  return at;
}
