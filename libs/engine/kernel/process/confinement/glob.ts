import type { Bytes } from '../../bytes.js';

/** One part of a pattern: a set of characters, or how far a star goes. */
type Part = { readonly star: 'name' | 'path' } | { readonly one: (character: string) => boolean };

/** Whether a path is what a pattern means: `?` and `*` stop at a slash, `**` does not. Takes time by their product. */
export function matchesGlob(pattern: Bytes, path: Bytes): boolean {
  let open = new Set([0]);
  const parts = parseGlob(pattern);
  const skipStars = (from: Set<number>): Set<number> => {
    for (const at of from) if (parts[at] && 'star' in parts[at]) from.add(at + 1);
    return from;
  };
  open = skipStars(open);
  for (const character of path) {
    const next = new Set<number>();
    for (const at of open) {
      const part = parts[at];
      if (!part) continue;
      if ('one' in part) {
        if (part.one(character)) next.add(at + 1);
      } else if (part.star === 'path' || character !== '/') next.add(at);
    }
    if (next.size === 0) return false;
    open = skipStars(next);
  }
  return open.has(parts.length);
}

function parseGlob(pattern: Bytes): Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!;
    const end = character === '[' ? pattern.indexOf(']', i + 1) : -1;
    if (character === '*') {
      const isDouble = pattern[i + 1] === '*';
      if (isDouble) i++;
      parts.push({ star: isDouble ? 'path' : 'name' });
    } else if (character === '?') parts.push({ one: (one) => one !== '/' });
    else if (end > 0) {
      parts.push({ one: setOf(pattern.slice(i + 1, end)) });
      i = end;
    } else {
      const meant = character === '\\' ? pattern[++i] : character;
      parts.push({ one: (one) => one === meant });
    }
  }
  return parts;
}

/** `a-z_`, `^abc`. */
function setOf(text: string): (character: string) => boolean {
  const isNegated = text.startsWith('^');
  const body = isNegated ? text.slice(1) : text;
  const has = (one: string): boolean => {
    for (let i = 0; i < body.length; i++) {
      const isRange = body[i + 1] === '-' && i + 2 < body.length;
      if (isRange ? one >= body[i]! && one <= body[i + 2]! : one === body[i]) return true;
      if (isRange) i += 2;
    }
    return false;
  };
  return (one) => one !== '/' && has(one) !== isNegated;
}
