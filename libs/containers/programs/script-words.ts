import type { Word, WordPart } from 'unbash';

/** How a shell that runs a script is called: `sh -c SCRIPT`, by its path or its name. */
export const SHELL = /^(?:.*\/)?(?:ba|da|a)?sh$/;
/** Longer scripts are not looked into. */
export const MAX_SCRIPT = 16_384;

/** A word whose value its text alone tells. */
export const isText = ({ parts = [] }: Word): boolean => parts.every(isTextPart);

function isTextPart(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every((inner) => inner.type === 'Literal');
  return part.type === 'Literal' || part.type === 'SingleQuoted';
}
