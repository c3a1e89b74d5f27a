import type { Bytes } from '../kernel.js';
import { compilePattern, hasWildcard, matchEnds, matchPattern } from './pattern.js';

export interface SubstituteOptions {
  readonly isExtended: boolean;
  charge(steps: number): void;
}

/** Anything may stand before or after a pattern. */
const STAR = { type: 'star' } as const;

const literalOf = (pattern: Bytes): Bytes => pattern.replace(/\\([^])/g, '$1');

/** ${x#pattern}, ${x##pattern}, ${x%pattern}, ${x%%pattern}. */
export function removePattern(text: Bytes, pattern: Bytes, operator: string, options: SubstituteOptions): Bytes {
  options.charge(text.length);
  if (!hasWildcard(pattern, options.isExtended)) {
    const literal = literalOf(pattern);
    if (operator.startsWith('#')) return text.startsWith(literal) ? text.slice(literal.length) : text;
    return text.endsWith(literal) ? text.slice(0, text.length - literal.length) : text;
  }
  const compiled = compilePattern(pattern, options.isExtended);
  if (operator.startsWith('#')) {
    const ends = matchEnds(compiled, text, 0);
    const end = operator === '##' ? ends.at(-1) : ends[0];
    return end === undefined ? text : text.slice(end);
  }
  if (!matchPattern([STAR, ...compiled], text)) return text;
  const isLongest = operator === '%%';
  for (let i = 0; i <= text.length; i++) {
    const from = isLongest ? i : text.length - i;
    options.charge(text.length - from);
    if (matchPattern(compiled, text.slice(from))) return text.slice(0, from);
  }
  return text;
}

/** ${x/pattern/text} with its variants: / the first, // all, /# at the beginning, /% at the end. */
export function replacePattern(
  text: Bytes,
  pattern: Bytes,
  replacement: Bytes,
  operator: string,
  options: SubstituteOptions,
): Bytes {
  options.charge(text.length);
  if (pattern === '') return operator === '/#' ? replacement + text : operator === '/%' ? text + replacement : text;
  if (!hasWildcard(pattern, options.isExtended)) return replaceLiteral(text, literalOf(pattern), replacement, operator);
  const compiled = compilePattern(pattern, options.isExtended);
  if (operator === '/#') {
    const end = matchEnds(compiled, text, 0).at(-1);
    return end === undefined ? text : replacement + text.slice(end);
  }
  if (operator === '/%') {
    if (!matchPattern([STAR, ...compiled], text)) return text;
    for (let from = 0; from <= text.length; from++) {
      options.charge(text.length - from);
      if (matchPattern(compiled, text.slice(from))) return text.slice(0, from) + replacement;
    }
    return text;
  }
  let result = '';
  let at = 0;
  let isSure = false;
  while (at < text.length) {
    // Trying every place of a text that matches nowhere takes the square of its length.
    if (!isSure && !matchPattern([STAR, ...compiled, STAR], text.slice(at))) break;
    isSure = true;
    options.charge(text.length - at);
    const end = matchEnds(compiled, text, at).at(-1);
    if (end === undefined || end === at) {
      result += text[at++];
      continue;
    }
    result += replacement;
    at = end;
    isSure = false;
    if (operator === '/') break;
  }
  return result + text.slice(at);
}

function replaceLiteral(text: Bytes, literal: Bytes, replacement: Bytes, operator: string): Bytes {
  if (operator === '//') return text.replaceAll(literal, () => replacement);
  if (operator === '/#') return text.startsWith(literal) ? replacement + text.slice(literal.length) : text;
  if (operator === '/%') {
    return text.endsWith(literal) ? text.slice(0, text.length - literal.length) + replacement : text;
  }
  return text.replace(literal, () => replacement);
}

/** ${x^}, ${x^^}, ${x,}, ${x,,}. */
export function changeCase(text: Bytes, pattern: Bytes, operator: string, options: SubstituteOptions): Bytes {
  options.charge(text.length);
  const compiled = compilePattern(pattern, options.isExtended);
  const isAll = operator.length === 2;
  const change = (character: string): string => {
    if (!matchPattern(compiled, character)) return character;
    return operator.startsWith('^') ? upper(character) : character.toLowerCase();
  };
  return isAll ? [...text].map(change).join('') : change(text.slice(0, 1)) + text.slice(1);
}

const upper = (character: string): string => (character < '\x80' ? character.toUpperCase() : character);
