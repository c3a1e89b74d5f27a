import type { Bytes } from '../kernel.js';
import { compilePattern, findEnd, findMatch, findStart, hasWildcard, matchPattern } from './pattern.js';

export interface SubstituteOptions {
  readonly isExtended: boolean;
  charge(steps: number): void;
}

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
    const end = findEnd(compiled, text, 0, operator === '##');
    return end < 0 ? text : text.slice(end);
  }
  const start = findStart(compiled, text, operator === '%%');
  return start < 0 ? text : text.slice(0, start);
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
    const end = findEnd(compiled, text, 0, true);
    return end < 0 ? text : replacement + text.slice(end);
  }
  if (operator === '/%') {
    const start = findStart(compiled, text, true);
    return start < 0 ? text : text.slice(0, start) + replacement;
  }
  const parts: Bytes[] = [];
  let at = 0;
  for (let found = findMatch(compiled, text, 0); found; found = findMatch(compiled, text, at)) {
    options.charge(1);
    parts.push(text.slice(at, found.start), replacement);
    at = found.end;
    if (operator === '/') break;
  }
  parts.push(text.slice(at));
  return parts.join('');
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
  const isAll = operator.length === 2;
  if (pattern === '?' && isAll) return changeAll(text, operator);
  const compiled = compilePattern(pattern, options.isExtended);
  const change = (character: string): string => {
    if (!matchPattern(compiled, character)) return character;
    return operator.startsWith('^') ? upper(character) : character.toLowerCase();
  };
  return isAll ? [...text].map(change).join('') : change(text.slice(0, 1)) + text.slice(1);
}

const changeAll = (text: Bytes, operator: string): Bytes =>
  operator === '^^'
    ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
    : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const upper = (character: string): string => (character < '\x80' ? character.toUpperCase() : character);
