/** What stands between braces, without them; `at`: where it begins in the template. */
export interface Action {
  readonly at: number;
  readonly source: string;
}

export type Token = {
  readonly type: 'word' | 'punctuation' | 'field' | 'variable' | 'string' | 'number' | 'space' | 'end';
  readonly text: string;
  readonly at: number;
};

/** Throws in the words of the template. */
export type Fail = (offset: number, message: string) => never;

const TOKENS: readonly (readonly [Token['type'], RegExp])[] = [
  ['space', /\s+/y],
  ['string', /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'/y],
  ['field', /\.[\p{L}_][\p{L}\p{N}_]*/uy],
  ['number', /[-+]?(?:0[xX][\da-fA-F]+|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)/y],
  ['variable', /\$[\p{L}\p{N}_]*/uy],
  ['word', /[\p{L}_][\p{L}\p{N}_]*/uy],
  ['punctuation', /:=|[=|(),.]/y],
];

/** Texts, and what stands between braces; `{{- ` and ` -}}` take the blanks beside them away. */
export function splitTemplate(text: string, fail: Fail): (string | Action)[] {
  const pieces: (string | Action)[] = [];
  let trims = false;
  const add = (piece: string): void => void pieces.push(trims ? piece.trimStart() : piece);
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('{{', at);
    if (open < 0) {
      add(text.slice(at));
      break;
    }
    const before = text.slice(at, open);
    const trimsLeft = /^\{\{-\s/.test(text.slice(open, open + 4));
    add(trimsLeft ? before.trimEnd() : before);
    const start = open + (trimsLeft ? 3 : 2);
    const close = findClose(text, start, fail);
    const inner = text.slice(start, close);
    trims = /\s-$/.test(inner);
    const source = trims ? inner.slice(0, -1) : inner;
    if (!/^\s*\/\*[^]*\*\/\s*$/.test(source)) pieces.push({ at: start, source });
    at = close + 2;
  }
  return pieces;
}

function findClose(text: string, start: number, fail: Fail): number {
  for (let at = start; at < text.length; at++) {
    const letter = text[at]!;
    if (text.startsWith('/*', at) && /^\s*$/.test(text.slice(start, at))) {
      const end = text.indexOf('*/', at);
      if (end < 0) fail(start, 'unclosed comment');
      at = end + 1;
    } else if (letter === '"' || letter === '`' || letter === "'") {
      for (at++; at < text.length && text[at] !== letter; at++) if (text[at] === '\\' && letter !== '`') at++;
      if (at >= text.length) fail(start, 'unterminated quoted string');
    } else if (text.startsWith('}}', at)) return at;
  }
  return fail(start, 'unclosed action');
}

/** The last one is of the type 'end'. */
export function tokenize({ at, source }: Action, fail: Fail): Token[] {
  const tokens: Token[] = [];
  for (let position = 0; position < source.length;) {
    const found = TOKENS.map(([type, pattern]) => {
      pattern.lastIndex = position;
      return { type, text: pattern.exec(source)?.[0] };
    }).find((one) => one.text !== undefined);
    if (found?.text === undefined) return fail(at, `unexpected ${JSON.stringify(source[position])} in command`);
    tokens.push({ type: found.type, text: found.text, at: at + position });
    position += found.text.length;
  }
  tokens.push({ type: 'end', text: '', at: at + source.length });
  return tokens;
}

/** As messages show it. */
export const shown = ({ type, text }: Token): string =>
  type === 'end' ? '"}}"' : type === 'field' || type === 'word' ? `<${text}>` : JSON.stringify(text);

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** The text that a literal stands for. */
export function unquote(text: string): string {
  const inner = text.slice(1, -1);
  if (text.startsWith('`')) return inner;
  return inner.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([^]))/g,
    (_whole, hex?: string, unicode?: string, letter?: string) =>
      letter === undefined
        ? String.fromCharCode(Number.parseInt(hex ?? unicode ?? '0', 16))
        : (ESCAPES[letter] ?? letter),
  );
}
