import type { Keeping } from '../../../sql/definitions.js';
import type { ColumnDef, Grammar } from '../../../sql/table.js';
import { quoteName, quoteText, type Token } from '../../../sql/tokens.js';
import type { Words } from '../../../sql/words.js';
import { PgFailure } from '../../failure.js';
import { NOTHING_KNOWN, rewrite } from '../rewrite.js';
import { readType, showType, splitType } from '../types.js';
import type { Work } from '../work.js';

/** Tokens as PostgreSQL prints an expression: no more than people compare. */
export function show(tokens: readonly Token[]): string {
  let text = '';
  for (const [i, token] of tokens.entries()) {
    const own =
      token.type === 'text'
        ? quoteText(token.text)
        : token.type === 'name'
          ? `"${token.text}"`
          : token.key || token.text;
    const before = tokens[i - 1]?.key;
    const isTight = i === 0 || ['(', ')', ',', '.', '::'].includes(own) || ['(', '.', '::'].includes(before ?? '');
    const opens = own === '(' && before !== undefined && !/^[a-z_]/.test(before);
    text += isTight && !opens ? own : ` ${own}`;
  }
  return text;
}

export const GRAMMAR: Grammar = {
  dialect: 'postgres',
  readType,
  rewrite: (tokens) => rewrite(tokens, NOTHING_KNOWN),
  show,
};

export const KEEPING: Keeping = {
  sqlType: ({ type }) => (type.endsWith('[]') ? quoteName(type) : type),
  check: ({ type }) => (type === 'text' ? undefined : type),
};

/** Reads on from behind its keywords, and gives the command's tag. */
export type Run = (words: Words, work: Work) => string;

export const exists = (name: string): PgFailure => new PgFailure('42P07', `relation "${name}" already exists`);

/** A default as \d shows it. */
export function showDefault({ default: text, sequence, identity, type }: ColumnDef): string {
  if (identity !== undefined) return `generated ${identity} as identity`;
  if (sequence !== undefined) return `nextval('${sequence}'::regclass)`;
  if (text === undefined) return '';
  return /^'(?:[^']|'')*'$/.test(text) ? `${text}::${showType(splitType(type).base)}` : text;
}
