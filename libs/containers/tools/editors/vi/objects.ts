import { kindOf, matchBracket, MAX_SCAN, PAIRS } from './motions.js';
import { lineOf, type Target, type ViState } from './state.js';

const QUOTES = '"\'`';

/** What `iw`, `a"`, `i{` and their kind mean for an operator: from, to (inclusive). */
export function findObject(state: ViState, kind: string, name: string): [Target, Target] | undefined {
  const { line, at } = state;
  const text = lineOf(state);
  const isInner = kind === 'i';
  if (name === 'w' || name === 'W') {
    const isBig = name === 'W';
    const own = kindOf(text[at], isBig);
    let [start, end] = [at, at];
    while (start > 0 && kindOf(text[start - 1], isBig) === own) start--;
    while (end + 1 < text.length && kindOf(text[end + 1], isBig) === own) end++;
    if (!isInner) while (end + 1 < text.length && kindOf(text[end + 1], isBig) === 0) end++;
    return text === ''
      ? undefined
      : [
          { line, at: start },
          { line, at: end, isInclusive: true },
        ];
  }
  if (QUOTES.includes(name)) {
    const places = [...text].flatMap((c, i) => (c === name && text[i - 1] !== '\\' ? [i] : []));
    for (let i = 0; i + 1 < places.length; i += 2) {
      const [open, close] = [places[i]!, places[i + 1]!];
      if (close < at) continue;
      return isInner
        ? [
            { line, at: open + 1 },
            { line, at: close },
          ]
        : [
            { line, at: open },
            { line, at: close, isInclusive: true },
          ];
    }
    return undefined;
  }
  if (name === 'p') return findParagraph(state, isInner);
  const pair = { b: '(', B: '{', ')': '(', ']': '[', '}': '{', '(': '(', '[': '[', '{': '{' }[name];
  return pair === undefined ? undefined : findBlock(state, pair, isInner);
}

function findParagraph({ line, buffer: { lines } }: ViState, isInner: boolean): [Target, Target] {
  const isBlank = lines[line] === '';
  let [start, end] = [line, line];
  while (start > 0 && (lines[start - 1] === '') === isBlank) start--;
  while (end + 1 < lines.length && (lines[end + 1] === '') === isBlank) end++;
  if (!isInner) while (end + 1 < lines.length && (lines[end + 1] === '') !== isBlank) end++;
  return [
    { line: start, at: 0, isLines: true },
    { line: end, at: 0, isLines: true },
  ];
}

function findBlock(state: ViState, open: string, isInner: boolean): [Target, Target] | undefined {
  const { lines } = state.buffer;
  const close = PAIRS[PAIRS.indexOf(open) + 1]!;
  let depth = 0;
  let [row, i] = [state.line, state.at];
  if (lines[row]![i] === close) i--;
  for (let scanned = 0; scanned < MAX_SCAN; scanned++) {
    const character = lines[row]![i];
    if (character === close) depth++;
    if (character === open && depth-- === 0) {
      const end = matchBracket({ ...state, line: row, at: i });
      if (end === undefined) return undefined;
      return isInner
        ? [
            { line: row, at: i + 1 },
            { ...end, isInclusive: false },
          ]
        : [{ line: row, at: i }, end];
    }
    i--;
    while (i < 0) {
      if (--row < 0) return undefined;
      i = lines[row]!.length - 1;
      if (i >= 0) break;
    }
  }
  return undefined;
}
