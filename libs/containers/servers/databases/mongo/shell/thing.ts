import type { Syscalls } from '../../../../../engine/kernel/process/syscalls.js';
import { isDocument, type Document, type Value } from '../data/value.js';

/** What an expression is while it is evaluated. */
export type Thing =
  | { kind: 'value'; value: Value }
  | { kind: 'nothing' }
  | { kind: 'database'; name: string }
  | { kind: 'collection'; database: string; name: string }
  | { kind: 'cursor'; database: string; collection: string; command: Document }
  | { kind: 'replication' }
  | { kind: 'method'; of: Thing; name: string }
  | { kind: 'global'; name: string };

/** A shell in one statement: `ask` gives a command's answer, or throws until it is there. */
export interface Shell {
  readonly sys: Syscalls;
  readonly variables: Record<string, Value>;
  database: string;
  ask(database: string, command: Document): Document;
  print(text: string): void;
  exit(code: number): void;
}

export type Methods<Of> = Readonly<Record<string, (shell: Shell, of: Of, args: readonly Thing[]) => Thing>>;

/** What went wrong in words of JavaScript: `TypeError: …`. */
export class ScriptFailure extends Error {}

export const NOTHING: Thing = { kind: 'nothing' };
export const thing = (value: Value | undefined): Thing => (value === undefined ? NOTHING : { kind: 'value', value });

/** The plain value of an argument; undefined: it is not there. */
export function valueOf(of: Thing | undefined): Value | undefined {
  if (of === undefined || of.kind === 'nothing') return undefined;
  if (of.kind === 'value') return of.value;
  throw new ScriptFailure(`MongoshInvalidInputError: a ${of.kind} as an argument is not simulated`);
}
export const documentOf = (of: Thing | undefined): Document => {
  const value = valueOf(of);
  return isDocument(value) ? value : {};
};
