import type { Type } from './types.js';

/** What a value read from JSON becomes because of its static type. */
export type Coercion = 'double' | 'timestamp' | 'duration' | 'bytes';

interface Base {
  /** Offset in the text that errors point at. */
  readonly at: number;
  /** Set by the checker. */
  as?: Coercion;
}
export interface Literal extends Base {
  readonly kind: 'literal';
  readonly value: null | boolean | bigint | string | object;
  readonly type: Type;
}
export interface Ident extends Base {
  readonly kind: 'ident';
  readonly name: string;
}
export interface Select extends Base {
  readonly kind: 'select';
  readonly operand: Node;
  /** As written; `name` is the property it means, once unescaped. */
  readonly field: string;
  name: string;
  /** '.?field' */
  readonly optional: boolean;
  /** The whole is the name of a variable: 'authorizer.requestResource'. */
  variable?: string;
  /** has(operand.field) */
  readonly test: boolean;
}
/** Operators are calls of '_+_', '_[_]', '!_', '_?_:_' and so on. */
export interface Call extends Base {
  readonly kind: 'call';
  readonly fn: string;
  readonly target?: Node;
  readonly args: readonly Node[];
}
export interface ListNode extends Base {
  readonly kind: 'list';
  readonly items: readonly { readonly value: Node; readonly optional: boolean }[];
}
export interface MapNode extends Base {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: Node; readonly value: Node; readonly optional: boolean }[];
}
export interface Struct extends Base {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly value: Node; readonly optional: boolean }[];
}
/** target.all(x, ...), filter, map, exists, exists_one, optMap, optFlatMap, and those of two variables. */
export interface Macro extends Base {
  readonly kind: 'macro';
  readonly name: string;
  readonly target: Node;
  readonly vars: readonly string[];
  readonly args: readonly Node[];
}

export type Node = Literal | Ident | Select | Call | ListNode | MapNode | Struct | Macro;
