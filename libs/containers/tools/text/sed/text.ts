import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Match } from '../../patterns/posix-regex.js';

/** & and \1; \n, \t; and GNU's \U \L \u \l \E. */
export function fillReplacement(template: Bytes, match: Match): Bytes {
  let text = '';
  let mode = '';
  let once = '';
  const add = (piece: Bytes) => {
    let shown = mode === 'U' ? piece.toUpperCase() : mode === 'L' ? piece.toLowerCase() : piece;
    if (once !== '' && shown !== '') {
      shown = (once === 'u' ? shown[0]!.toUpperCase() : shown[0]!.toLowerCase()) + shown.slice(1);
      once = '';
    }
    text += shown;
  };
  for (let i = 0; i < template.length; i++) {
    const c = template[i]!;
    if (c === '&') add(match.groups[0] === undefined ? '' : match.groups[0]);
    else if (c !== '\\') add(c);
    else {
      const next = template[++i] ?? '\\';
      if (/\d/.test(next)) add(match.groups[Number(next)] ?? '');
      else if (next === 'U' || next === 'L') mode = next;
      else if (next === 'E') mode = '';
      else if (next === 'u' || next === 'l') once = next;
      else add({ n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }[next] ?? next);
    }
  }

  return text;
}

/** The command l. */
export function showLine(space: Bytes): Bytes {
  const names: Readonly<Record<string, string>> = {
    '\\': '\\\\',
    '\x07': '\\a',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  };
  const shown = [...space].map(
    (c) => names[c] ?? (/[ -~]/.test(c) ? c : `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}`),
  );
  let text = '';
  let column = 0;
  for (const piece of shown) {
    if (column + piece.length > 69) {
      text += '\\\n';
      column = 0;
    }
    text += piece;
    column += piece.length;
  }

  return `${text}$`;
}
