import type { Bytes } from '../../../../engine/kernel/bytes.js';

/**
 * A mode as chmod(1) takes it: octal, or symbolic clauses (u+x,go-w,a=rX). Undefined when it is none. `umask` holds for
 * clauses without `ugoa`.
 */
export function applyMode(text: Bytes, before: number, isDirectory: boolean, umask: number): number | undefined {
  if (/^[0-7]{1,5}$/.test(text)) {
    const mode = Number.parseInt(text, 8) & 0o7777;
    // Set-id bits of a directory stay unless five digits or more say otherwise.
    return isDirectory && text.length < 5 ? mode | (before & 0o6000) : mode;
  }
  let mode = before;
  for (const clause of text.split(',')) {
    const [, who, actions] = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)$/.exec(clause) ?? [];
    if (who === undefined || actions === undefined) return undefined;
    for (const [, operator, permissions] of actions.matchAll(/([-+=])([rwxXst]+|[ugo]|)/g)) {
      mode = applyClause(mode, who, operator!, permissions!, isDirectory, umask);
    }
  }
  return mode;
}

function applyClause(
  mode: number,
  who: string,
  operator: string,
  letters: string,
  isDirectory: boolean,
  umask: number,
) {
  const everyone = who === '' || who.includes('a');
  const has = (letter: string) => everyone || who.includes(letter);
  const mask = (has('u') ? 0o4700 : 0) | (has('g') ? 0o2070 : 0) | (has('o') ? 0o1007 : 0) | (everyone ? 0o1000 : 0);
  let bits: number;
  if (/^[ugo]$/.test(letters)) {
    const triple = (mode >> { u: 6, g: 3, o: 0 }[letters as 'u']) & 7;
    bits = (triple * 0o111) & mask;
  } else {
    const execute = letters.includes('x') || (letters.includes('X') && (isDirectory || (mode & 0o111) !== 0));
    const triple = (letters.includes('r') ? 4 : 0) | (letters.includes('w') ? 2 : 0) | (execute ? 1 : 0);
    bits = (triple * 0o111) & mask;
    if (letters.includes('s')) bits |= 0o6000 & mask;
    if (letters.includes('t')) bits |= 0o1000;
  }
  if (who === '') bits &= ~umask;
  if (operator === '+') return mode | bits;
  if (operator === '-') return mode & ~bits;
  const kept = isDirectory ? mask & ~0o6000 : mask;
  return (mode & ~kept) | bits;
}
