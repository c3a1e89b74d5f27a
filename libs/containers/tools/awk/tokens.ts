import type { Bytes } from '../../../engine/kernel/bytes.js';
import { ToolFailure } from '../framework/tool.js';

export interface Token {
  readonly type:
    | 'number'
    | 'string'
    | 'regex'
    | 'name'
    | 'call'
    | 'builtin'
    | 'keyword'
    | 'operator'
    | 'newline'
    | 'end';
  readonly text: Bytes;
  readonly line: number;
}

const KEYWORDS = [
  ...['BEGIN', 'END', 'function', 'func', 'if', 'else', 'while', 'for', 'do', 'break', 'continue', 'next', 'nextfile'],
  ...['exit', 'return', 'delete', 'in', 'getline', 'print', 'printf'],
];
export const BUILTINS = [
  ...[
    'length',
    'substr',
    'index',
    'split',
    'sub',
    'gsub',
    'match',
    'sprintf',
    'sin',
    'cos',
    'atan2',
    'exp',
    'log',
    'sqrt',
  ],
  ...[
    'int',
    'rand',
    'srand',
    'tolower',
    'toupper',
    'system',
    'close',
    'fflush',
    'systime',
    'strftime',
    'and',
    'or',
    'xor',
  ],
  ...['lshift', 'rshift', 'compl'],
];
const OPERATORS = [
  ...['**=', '&&', '||', '++', '--', '+=', '-=', '*=', '/=', '%=', '^=', '==', '<=', '>=', '!=', '>>', '**'],
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ';',
    ',',
    '+',
    '-',
    '*',
    '/',
    '%',
    '^',
    '!',
    '>',
    '<',
    '|',
    '?',
    ':',
    '~',
    '$',
    '=',
  ],
];
const ESCAPES: Readonly<Record<string, Bytes>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  '/': '/',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
};

export const unescapeAwk = (text: Bytes): Bytes =>
  text.replace(/\\(?:([0-7]{1,3})|([^]))/g, (whole, digits?: string, c?: string) =>
    digits !== undefined ? String.fromCharCode(Number.parseInt(digits, 8) & 255) : (ESCAPES[c!] ?? whole),
  );

/** After these a slash divides. */
const endsOperand = (token: Token | undefined) =>
  token !== undefined &&
  (['number', 'string', 'name', 'builtin'].includes(token.type) || [')', ']', '$', '++', '--'].includes(token.text));

export function readTokens(program: Bytes): Token[] {
  const tokens: Token[] = [];
  let [at, line] = [0, 1];
  const fail = (text: string): never => {
    throw new ToolFailure(`line ${line}: syntax error at or near ${text}`, 2);
  };
  while (at < program.length) {
    const rest = program.slice(at, at + 64);
    const blank = /^(?:[ \t\r]+|\\\r?\n|#[^\n]*)/.exec(program.slice(at, at + 4_096))?.[0];
    if (blank !== undefined) {
      if (blank.startsWith('\\')) line++;
      at += blank.length;
      continue;
    }
    const c = program[at]!;
    const add = (type: Token['type'], text: Bytes, length: number) => {
      tokens.push({ type, text, line });
      at += length;
    };
    if (c === '\n') {
      add('newline', '\n', 1);
      line++;
    } else if (c === '"') {
      let end = at + 1;
      while (end < program.length && program[end] !== '"' && program[end] !== '\n')
        end += program[end] === '\\' ? 2 : 1;
      if (program[end] !== '"') fail('end of line');
      add('string', unescapeAwk(program.slice(at + 1, end).replace(/\\\n/g, '')), end + 1 - at);
    } else if (c === '/' && !endsOperand(tokens.at(-1))) {
      let end = at + 1;
      for (let isInBracket = false; end < program.length && program[end] !== '\n'; end++) {
        if (program[end] === '\\') end++;
        else if (program[end] === '[') isInBracket = true;
        else if (program[end] === ']') isInBracket = false;
        else if (program[end] === '/' && !isInBracket) break;
      }
      if (program[end] !== '/') fail('end of line');
      add('regex', program.slice(at + 1, end).replaceAll('\\/', '/'), end + 1 - at);
    } else {
      const number = /^(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/.exec(rest)?.[0];
      const word = /^[A-Za-z_]\w*/.exec(program.slice(at, at + 256))?.[0];
      const operator = OPERATORS.find((text) => rest.startsWith(text));
      if (number !== undefined) add('number', number, number.length);
      else if (word !== undefined) {
        const type = KEYWORDS.includes(word)
          ? 'keyword'
          : BUILTINS.includes(word)
            ? 'builtin'
            : program[at + word.length] === '('
              ? 'call'
              : 'name';
        add(type, word === 'func' ? 'function' : word, word.length);
      } else if (operator !== undefined) add('operator', operator, operator.length);
      else fail(c);
    }
  }

  tokens.push({ type: 'newline', text: '\n', line }, { type: 'end', text: 'end of program', line });
  return tokens;
}
