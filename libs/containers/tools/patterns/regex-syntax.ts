import type { Bytes } from '../../../engine/kernel/bytes.js';

/** `awk`: extended, and backslashes escape within brackets. `text`: nothing is special. */
export type Syntax = 'basic' | 'extended' | 'awk' | 'perl' | 'text';

/** What is wrong with an expression, in glibc's words. */
export class RegexFault extends Error {}

export interface Translated {
  /** In RE2's syntax. */
  readonly text: string;
  /** The group that counts as the whole match. */
  readonly visibleGroup: number;
}

const SPECIAL = /[\\^$.[\]|()*+?{}]/g;
const escapeText = (text: string) => text.replace(SPECIAL, '\\$&');

/** Throws RegexFault for what RE2 cannot do, as back references, and for what is wrong. */
export function translateRegex(pattern: Bytes, syntax: Syntax): Translated {
  if (syntax === 'text') return { text: escapeText(pattern), visibleGroup: 0 };
  if (syntax === 'perl') return translatePerl(pattern);
  return { text: new PosixTranslation(pattern, syntax).run(), visibleGroup: 0 };
}

/** `\K`, a look-behind at the beginning and a look-ahead at the end become a group of what counts. */
function translatePerl(pattern: Bytes): Translated {
  const reset = pattern.indexOf('\\K');
  const [before, rest] = reset < 0 ? ['', pattern] : [pattern.slice(0, reset), pattern.slice(reset + 2)];
  const ahead = /^((?:[^()\\]|\\[^]|\((?!\?[=!])[^()]*\))*)\(\?=((?:[^()\\]|\\[^]|\([^()]*\))*)\)$/.exec(rest);
  if (reset < 0 && ahead === null) return { text: pattern, visibleGroup: 0 };
  const [visible, after] = ahead === null ? [rest, ''] : [ahead[1]!, ahead[2]!];
  const groupsBefore = (before.replace(/\\[^]/g, '').match(/\((?!\?)/g) ?? []).length;
  return { text: `(?:${before})(${visible})(?:${after})`, visibleGroup: groupsBefore + 1 };
}

class PosixTranslation {
  private at = 0;
  private depth = 0;
  private readonly output: string[] = [];
  /** Nothing stands here yet that could be repeated. */
  private isStart = true;

  constructor(
    private readonly pattern: Bytes,
    private readonly syntax: 'basic' | 'extended' | 'awk',
  ) {}

  run(): string {
    while (this.at < this.pattern.length) this.next();
    if (this.depth > 0) throw new RegexFault('Unmatched ( or \\(');
    return this.output.join('');
  }

  private get isBasic(): boolean {
    return this.syntax === 'basic';
  }

  private next(): void {
    const c = this.pattern[this.at]!;
    if (c === '\\') this.escape();
    else if (c === '[') this.bracket();
    else if (c === '*') this.repeat('*', 1);
    else if (c === '.') this.emit('.', 1);
    else if (c === '^') this.caret();
    else if (c === '$') this.dollar();
    else if (!this.isBasic && '+?'.includes(c)) this.repeat(c, 1);
    else if (!this.isBasic && c === '{') this.interval('}', 1);
    else if (!this.isBasic && '()|'.includes(c)) this.operator(c, 1);
    else this.emit(escapeText(c), 1);
  }

  private emit(text: string, length: number): void {
    this.output.push(text);
    this.at += length;
    this.isStart = false;
  }

  private caret(): void {
    const isAnchor = !this.isBasic || this.isStart;
    if (!isAnchor) return this.emit('\\^', 1);
    this.output.push('^');
    this.at++;
    this.isStart = true;
  }

  private dollar(): void {
    const rest = this.pattern.slice(this.at + 1);
    const isAnchor = !this.isBasic || rest === '' || rest.startsWith('\\)') || rest.startsWith('\\|');
    this.emit(isAnchor ? '$' : '\\$', 1);
  }

  private operator(c: string, length: number): void {
    if (c === '(') this.depth++;
    if (c === ')') {
      if (this.depth === 0) throw new RegexFault('Unmatched ) or \\)');
      this.depth--;
    }
    this.output.push(c);
    this.at += length;
    this.isStart = c !== ')';
  }

  /** At the beginning of an expression, a basic one's star is a star, an extended one's is nothing. */
  private repeat(operator: string, length: number): void {
    if (this.isStart) {
      if (this.isBasic) return this.emit(`\\${operator}`, length);
      this.at += length;
      return;
    }
    this.at += length;
    const last = this.output.at(-1)!;
    // RE2 refuses `a**`, POSIX repeats again.
    if (/^(?:[*+?]|\{[\d,]+\})$/.test(last)) {
      if (last === operator) return;
      this.output[this.output.length - 1] = '*';
      return;
    }
    this.output.push(operator);
  }

  private interval(closing: string, openLength: number): void {
    const end = this.pattern.indexOf(closing, this.at + openLength);
    const body = end < 0 ? '' : this.pattern.slice(this.at + openLength, end);
    const [, low, comma = '', high = ''] = /^(\d*)(?:(,)(\d*))?$/.exec(body) ?? [];
    const isInterval = end >= 0 && low !== undefined && body !== '' && !(low === '' && high === '');
    if (!isInterval) {
      if (!this.isBasic) return this.emit('\\{', 1);
      throw new RegexFault(end < 0 ? 'Unmatched \\{' : 'Invalid content of \\{\\}');
    }
    if (high !== '' && Number(high) < Number(low)) throw new RegexFault('Invalid content of \\{\\}');
    if (Number(low) > 32_767 || Number(high) > 32_767) throw new RegexFault('Regular expression too big');
    if (this.isStart) throw new RegexFault('Invalid preceding regular expression');
    this.repeat(`{${low === '' ? '0' : low}${comma}${high}}`, end + closing.length - this.at);
  }

  private escape(): void {
    const c = this.pattern[this.at + 1];
    if (c === undefined) throw new RegexFault('Trailing backslash');
    if (this.isBasic && '()|'.includes(c)) return this.operator(c, 2);
    if (this.isBasic && '+?'.includes(c)) return this.repeat(c, 2);
    if (this.isBasic && c === '{') return this.interval('\\}', 2);
    if (/[1-9]/.test(c)) throw new RegexFault('back references are not supported here');
    const known: Readonly<Record<string, string>> = {
      ...{
        '<': '\\b',
        '>': '\\b',
        '`': '\\A',
        "'": '\\z',
        n: '\\n',
        t: '\\t',
        r: '\\r',
        f: '\\f',
        v: '\\v',
        a: '\\x07',
      },
      ...{ w: '\\w', W: '\\W', s: '\\s', S: '\\S', b: '\\b', B: '\\B' },
    };
    if (this.syntax === 'awk' && c === 'y') return this.emit('\\b', 2);
    this.emit(known[c] ?? escapeText(c), 2);
  }

  private bracket(): void {
    const { pattern } = this;
    let at = this.at + 1;
    let text = '[';
    if (pattern[at] === '^') {
      text += '^';
      at++;
    }
    for (let isFirst = true; ; isFirst = false) {
      const c = pattern[at];
      if (c === undefined) throw new RegexFault('Unmatched [, [^, [:, [., or [=');
      if (c === ']' && !isFirst) break;
      const named = c === '[' ? /^\[([:.=])(.*?)\1\]/.exec(pattern.slice(at)) : null;
      if (named !== null) {
        if (
          named[1] === ':' &&
          !/^(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)$/.test(named[2]!)
        ) {
          throw new RegexFault('Invalid character class name');
        }
        text += named[1] === ':' ? named[0] : escapeInBracket(named[2]!);
        at += named[0].length;
        continue;
      }
      if (c === '\\' && (this.syntax === 'awk' || /[nt\]\\]/.test(pattern[at + 1] ?? ''))) {
        const next = pattern[at + 1] ?? '\\';
        const isPosixBackslash = this.syntax !== 'awk' && (next === ']' || next === '\\');
        if (!isPosixBackslash) {
          text += { n: '\\n', t: '\\t', r: '\\r', f: '\\f', v: '\\v' }[next] ?? escapeInBracket(next);
          at += 2;
          continue;
        }
      }
      text += c === '-' ? this.dash(at, isFirst) : escapeInBracket(c);
      at++;
    }
    this.emit(`${text}]`, at + 1 - this.at);
  }

  /** A dash at either end is a dash. */
  private dash(at: number, isFirst: boolean): string {
    return isFirst || this.pattern[at + 1] === ']' ? '\\-' : '-';
  }
}

const escapeInBracket = (c: string) => c.replace(/[\\\]^[-]/g, '\\$&');
