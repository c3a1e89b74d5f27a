import type { Json } from '../values/values.js';

/** What a program is read into. */
export type Node =
  | { readonly type: 'identity' | 'recurse' }
  | { readonly type: 'literal'; readonly value: Json }
  | { readonly type: 'index'; readonly of: Node; readonly key: Node }
  | { readonly type: 'slice'; readonly of: Node; readonly from?: Node; readonly to?: Node }
  | { readonly type: 'iterate'; readonly of: Node }
  | { readonly type: 'text'; readonly format: string; readonly parts: readonly (string | Node)[] }
  | { readonly type: 'format'; readonly name: string }
  | { readonly type: 'array'; readonly body?: Node }
  | { readonly type: 'object'; readonly entries: readonly (readonly [key: Node, value: Node])[] }
  | { readonly type: 'negate'; readonly of: Node }
  | { readonly type: 'pipe' | 'comma' | 'and' | 'or' | 'alternative'; readonly left: Node; readonly right: Node }
  | { readonly type: 'binary' | 'assign'; readonly operator: string; readonly left: Node; readonly right: Node }
  | { readonly type: 'if'; readonly condition: Node; readonly then: Node; readonly otherwise: Node }
  | { readonly type: 'try'; readonly body: Node; readonly handler?: Node }
  | ({ readonly type: 'reduce'; readonly source: Node; readonly pattern: Pattern } & Fold)
  | ({ readonly type: 'foreach'; readonly source: Node; readonly pattern: Pattern; readonly extract?: Node } & Fold)
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Node[]; readonly at: number }
  | { readonly type: 'define'; readonly definition: Definition; readonly body: Node }
  | { readonly type: 'bind'; readonly source: Node; readonly patterns: readonly Pattern[]; readonly body: Node }
  | { readonly type: 'label'; readonly name: string; readonly body: Node }
  | { readonly type: 'break'; readonly name: string; readonly at: number }
  | { readonly type: 'variable'; readonly name: string; readonly at: number };

interface Fold {
  readonly init: Node;
  readonly update: Node;
}

export interface Definition {
  readonly name: string;
  /** `$x` is a value, `f` a filter. */
  readonly parameters: readonly string[];
  readonly body: Node;
}

/** What stands behind `as`. */
export type Pattern =
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'array'; readonly items: readonly Pattern[] }
  | {
      readonly type: 'object';
      readonly entries: readonly { readonly key: Node; readonly variable?: string; readonly pattern?: Pattern }[];
    };

/** A program that cannot be read, in the words of jq's parser. */
export class SyntaxFault extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

export function variablesOf(pattern: Pattern): string[] {
  if (pattern.type === 'variable') return [pattern.name];
  if (pattern.type === 'array') return pattern.items.flatMap(variablesOf);
  return pattern.entries.flatMap(({ variable, pattern: inner }) => [
    ...(variable === undefined ? [] : [variable]),
    ...(inner === undefined ? [] : variablesOf(inner)),
  ]);
}

/** How a definition is found. */
export const signature = (name: string, count: number): string => `${name}/${count}`;
