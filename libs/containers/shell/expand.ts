import type { Shell } from './shell.js';

type Expanding = Generator<void, string, void>;

/** Position after the part that ends with the matching bracket. */
function closing(s: string, i: number, open: string, close: string): number {
  let depth = 0;
  for (let j = i; j < s.length; j++) {
    if (s[j] === open) depth++;
    else if (s[j] === close && --depth === 0) return j;
  }
  return s.length;
}

/** One word without field splitting. */
export function* expandWord(shell: Shell, raw: string): Expanding {
  let out = '';
  let quoted = false;
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i]!;
    if (c === '"') quoted = !quoted;
    else if (c === "'" && !quoted) {
      const end = raw.indexOf("'", i + 1);
      out += raw.slice(i + 1, end < 0 ? raw.length : end);
      i = end < 0 ? raw.length : end;
    } else if (c === '\\') {
      const next = raw[++i] ?? '';
      out += quoted && !'"\\$`'.includes(next) ? `\\${next}` : next;
    } else if (c === '`') {
      const end = raw.indexOf('`', i + 1);
      out += yield* substitute(shell, raw.slice(i + 1, end < 0 ? raw.length : end));
      i = end < 0 ? raw.length : end;
    } else if (c === '$') {
      const [text, last] = yield* dollar(shell, raw, i);
      out += text;
      i = last;
    } else out += c;
  }
  return out;
}

function* dollar(shell: Shell, raw: string, i: number): Generator<void, [text: string, last: number], void> {
  const next = raw[i + 1];
  if (next === '(' && raw[i + 2] === '(') {
    const end = closing(raw, i + 1, '(', ')');
    return [String(arithmetic(shell, yield* expandWord(shell, raw.slice(i + 3, end - 1)))), end];
  }
  if (next === '(') {
    const end = closing(raw, i + 1, '(', ')');
    return [yield* substitute(shell, raw.slice(i + 2, end)), end];
  }
  if (next === '{') {
    const end = closing(raw, i + 1, '{', '}');
    return [yield* parameter(shell, raw.slice(i + 2, end)), end];
  }
  if (next === '?') return [String(shell.status), i + 1];
  if (next === '$') return ['1', i + 1];
  if (next !== undefined && /[0-9@*#]/.test(next)) return [next === '#' ? '0' : '', i + 1];
  const name = /^[A-Za-z_]\w*/.exec(raw.slice(i + 1))?.[0];
  if (!name) return ['$', i];
  return [
    name === 'RANDOM' ? String((shell.steps * 7919 + shell.now) % 32768) : (shell.variables.get(name) ?? ''),
    i + name.length,
  ];
}

function* parameter(shell: Shell, text: string): Expanding {
  const match = /^(#?)([A-Za-z_]\w*)(:?[-=+]|%%?|##?)?([\s\S]*)$/.exec(text);
  if (!match) return '';
  const [, length, name = '', op, rest = ''] = match;
  const value = shell.variables.get(name);
  if (length) return String((value ?? '').length);
  const missing = value === undefined || (op?.startsWith(':') && value === '');
  if (op?.endsWith('+')) return missing ? '' : yield* expandWord(shell, rest);
  if (op && /[-=]$/.test(op) && missing) {
    const fallback = yield* expandWord(shell, rest);
    if (op.endsWith('=')) shell.variables.set(name, fallback);
    return fallback;
  }
  if (op?.startsWith('#') || op?.startsWith('%')) return strip(value ?? '', op, rest);
  return value ?? '';
}

/** ${x##*-}, ${x%.*}: patterns of one star. */
function strip(value: string, op: string, pattern: string): string {
  const fixed = pattern.replace('*', '');
  if (op.startsWith('#')) {
    const at = op === '##' ? value.lastIndexOf(fixed) : value.indexOf(fixed);
    return at < 0 || !fixed ? value : value.slice(at + fixed.length);
  }
  const at = op === '%%' ? value.indexOf(fixed) : value.lastIndexOf(fixed);
  return at < 0 || !fixed ? value : value.slice(0, at);
}

function* substitute(shell: Shell, script: string): Expanding {
  return (yield* shell.capture(() => shell.script(script))).replace(/\n+$/, '');
}

/** Integers with + - * / % and comparisons, left to right by precedence. */
export function arithmetic(shell: Shell, text: string): number {
  const tokens = text.match(/\d+|[A-Za-z_]\w*|[<>=!]=|&&|\|\||[-+*/%()<>]/g) ?? [];
  let i = 0;
  const LEVELS = [['||'], ['&&'], ['==', '!='], ['<', '>', '<=', '>='], ['+', '-'], ['*', '/', '%']];
  const apply = (op: string, a: number, b: number): number => {
    switch (op) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        return b === 0 ? 0 : Math.trunc(a / b);
      case '%':
        return b === 0 ? 0 : a % b;
      case '<':
        return Number(a < b);
      case '>':
        return Number(a > b);
      case '<=':
        return Number(a <= b);
      case '>=':
        return Number(a >= b);
      case '==':
        return Number(a === b);
      case '!=':
        return Number(a !== b);
      case '&&':
        return Number(a !== 0 && b !== 0);
      default:
        return Number(a !== 0 || b !== 0);
    }
  };
  const level = (n: number): number => {
    if (n === LEVELS.length) return atom();
    let left = level(n + 1);
    while (LEVELS[n]!.includes(tokens[i] ?? '')) left = apply(tokens[i++]!, left, level(n + 1));
    return left;
  };
  const atom = (): number => {
    const t = tokens[i++] ?? '0';
    if (t === '-') return -atom();
    if (t === '+') return atom();
    if (t === '(') {
      const value = level(0);
      i++;
      return value;
    }
    return /^\d/.test(t) ? Number(t) : Number(shell.variables.get(t) ?? 0) || 0;
  };
  return tokens.length > 200 ? 0 : level(0);
}

/** Words with field splitting: an unquoted expansion may become none or several. */
export function* expandWords(shell: Shell, raw: readonly string[]): Generator<void, string[], void> {
  const words: string[] = [];
  for (const word of raw) {
    const text = yield* expandWord(shell, word);
    const splits = !/["']/.test(word) && /[$`]/.test(word);
    if (splits) words.push(...text.split(/\s+/).filter(Boolean));
    else if (/^\{\d+\.\.\d+\}$/.test(word)) words.push(...range(word));
    else words.push(text);
  }
  return words;
}

const MAX_RANGE = 10_000;
function range(word: string): string[] {
  const [from, to] = word.slice(1, -1).split('..').map(Number) as [number, number];
  const length = Math.min(Math.abs(to - from) + 1, MAX_RANGE);
  return Array.from({ length }, (_, i) => String(from + (to >= from ? i : -i)));
}
