import type { Bytes } from '../kernel.js';
import { Unsure, type Scope } from './scope.js';

/** A part of a word. */
export interface Segment {
  readonly isQuoted: boolean;
  readonly isLiteral: boolean;
  /** Throws Unsure. */
  text(scope: Scope): Bytes;
}

export const constant = (text: Bytes, isQuoted: boolean): Segment => ({ isQuoted, isLiteral: true, text: () => text });

export const dynamic = (text: (scope: Scope) => Bytes, isQuoted: boolean): Segment => ({
  isQuoted,
  isLiteral: false,
  text,
});

/** What the next command substitution has printed, as it is put in. Throws Unsure. */
export function answer(scope: Scope): Bytes {
  const text = scope.answers[scope.answered++];
  if (text === undefined || text.includes('\0')) throw new Unsure();
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === NEWLINE) end--;
  return text.slice(0, end);
}

const NEWLINE = 10;
