import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { type Flavour, ToolFailure } from '../../framework/tool.js';

export type Address =
  | { readonly type: 'line'; readonly line: number; readonly step?: number }
  | { readonly type: 'last' }
  | { readonly type: 'regex'; readonly pattern: Bytes; readonly ignoreCase: boolean }
  | { readonly type: 'offset'; readonly lines: number }
  | { readonly type: 'multiple'; readonly lines: number };

export interface Command {
  readonly from?: Address;
  readonly to?: Address;
  readonly isNegated: boolean;
  readonly name: string;
  /** Text of a, i, c; a label of b, t, T; a file of r, w; the characters of y. */
  readonly text: Bytes;
  readonly other: Bytes;
  readonly number: number;
  readonly pattern: Bytes;
  readonly flags: string;
  /** Where `{` ends, and where `b` goes: indexes of commands. */
  target: number;
}

/** Escapes in the text of `a`, `i` and `c`. */
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' };

/** busybox' words for what it tells in others than GNU's. */
const BUSYBOX: readonly (readonly [start: string, words: (script: Bytes, at: number) => string])[] = [
  ['unknown command', (script, at) => `unsupported command ${script[at - 1]}`],
  ['unterminated address', () => "unmatched '/'"],
  ["unterminated `s'", (script, at) => `unmatched '${script[at] ?? '/'}'`],
  ['unknown option', () => 'bad option in substitution expression'],
  ["unterminated `y'", () => "unmatched '/'"],
];

/** Reads a script; what is wrong with it is told in the flavour's words. */
export class ScriptReader {
  private at = 0;
  private readonly commands: Command[] = [];
  private readonly open: number[] = [];
  private readonly labels: Record<string, number> = {};

  constructor(
    private readonly script: Bytes,
    private readonly flavour: Flavour,
  ) {}

  read(): Command[] {
    for (;;) {
      this.skip(/^[\s;]*/);
      if (this.at >= this.script.length) break;
      this.command();
    }
    if (this.open.length > 0) throw new ToolFailure("-e expression #1, char 0: unmatched `{'");
    this.resolveLabels();
    return this.commands;
  }

  private fail(message: string): never {
    const other = this.flavour === 'gnu' ? undefined : BUSYBOX.find(([start]) => message.startsWith(start));
    if (other !== undefined) throw new ToolFailure(other[1](this.script, this.at));
    throw new ToolFailure(`-e expression #1, char ${Math.min(this.at, this.script.length)}: ${message}`);
  }

  private skip(pattern: RegExp): string {
    const [text] = pattern.exec(this.script.slice(this.at)) ?? [''];
    this.at += text.length;
    return text;
  }

  private command(): void {
    if (this.script[this.at] === '#') {
      this.skip(/^[^\n]*/);
      return;
    }
    const from = this.address();
    let to: Address | undefined;
    this.skip(/^[ \t]*/);
    if (from !== undefined && this.script[this.at] === ',') {
      this.at++;
      this.skip(/^[ \t]*/);
      to = this.address(true);
      if (to === undefined) this.fail("unexpected `,'");
    }
    this.skip(/^[ \t]*/);
    const isNegated = this.skip(/^!+[ \t]*/) !== '';
    const name = this.script[this.at++];
    if (name === undefined) this.fail('missing command');
    const base = { from, to, isNegated, name, text: '', other: '', number: 0, pattern: '', flags: '', target: -1 };
    this.commands.push({ ...base, ...this.argument(name, from, to) });
  }

  private address(isSecond = false): Address | undefined {
    const c = this.script[this.at];
    if (c === '$') {
      this.at++;
      return { type: 'last' };
    }
    if (isSecond && (c === '+' || c === '~')) {
      this.at++;
      const lines = Number(this.skip(/^\d+/));
      return c === '+' ? { type: 'offset', lines } : { type: 'multiple', lines };
    }
    if (c !== undefined && /\d/.test(c)) {
      const line = Number(this.skip(/^\d+/));
      if (this.script[this.at] !== '~') return { type: 'line', line };
      this.at++;
      return { type: 'line', line, step: Number(this.skip(/^\d+/)) };
    }
    if (c !== '/' && c !== '\\') return undefined;
    this.at += c === '\\' ? 2 : 1;
    const delimiter = this.script[this.at - 1]!;
    const pattern = this.until(delimiter, 'unterminated address regex');
    const flags = this.skip(/^[IM]*/);
    return { type: 'regex', pattern, ignoreCase: flags.includes('I') };
  }

  /** Text to an unescaped delimiter, which is not special in brackets. */
  private until(delimiter: Bytes, message: string, isRegex = true): Bytes {
    let text = '';
    for (; this.at < this.script.length; this.at++) {
      const c = this.script[this.at]!;
      if (c === delimiter) {
        this.at++;
        return text;
      }
      if (c === '\\' && this.at + 1 < this.script.length) {
        const next = this.script[++this.at]!;
        text +=
          next === delimiter && delimiter !== '\\'
            ? isRegex && /[.*[\]^$+?(){}|]/.test(next)
              ? `\\${next}`
              : next
            : `\\${next}`;
        continue;
      }
      if (c === '\n' && isRegex) break;
      if (c === '[' && isRegex) {
        const [set] = /^\[\^?\]?(?:\[:[a-z]+:\]|[^\]\n])*\]/.exec(this.script.slice(this.at)) ?? ['['];
        text += set;
        this.at += set.length - 1;
      } else text += c;
    }
    this.fail(message);
  }

  private argument(name: string, from: Address | undefined, to: Address | undefined): Partial<Command> {
    switch (name) {
      case '{':
        this.open.push(this.commands.length);
        return {};
      case '}': {
        if (from !== undefined) this.fail("} doesn't want any addresses");
        const start = this.open.pop();
        if (start === undefined) this.fail("unexpected `}'");
        this.commands[start]!.target = this.commands.length;
        this.endCommand();
        return {};
      }
      case '=':
      case 'd':
      case 'D':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'z':
      case 'F':
        this.endCommand();
        return {};
      case 'a':
      case 'i':
      case 'c':
        return { text: this.textArgument() };
      case ':': {
        if (from !== undefined) this.fail(": doesn't want any addresses");
        const label = this.skip(/^[^\n;]*/).trim();
        if (label === '') this.fail('":" lacks a label');
        this.labels[label] = this.commands.length;
        return { text: label };
      }
      case 'b':
      case 't':
      case 'T':
        return { text: this.skip(/^[^\n;}]*/).trim() };
      case 'q':
      case 'Q':
      case 'l': {
        if (name !== 'l' && to !== undefined) this.fail('command only uses one address');
        const number = Number(this.skip(/^[ \t]*\d*/));
        this.endCommand();
        return { number };
      }
      case 'r':
      case 'R':
      case 'w':
      case 'W': {
        const text = this.skip(/^[^\n]*/).trim();
        if (text === '') this.fail('missing filename in r/R/w/W commands');
        return { text };
      }
      case 's':
        return this.substitution();
      case 'y':
        return this.transliteration();
      default:
        this.fail(`unknown command: \`${name}'`);
    }
  }

  private endCommand(): void {
    this.skip(/^[ \t]*/);
    const c = this.script[this.at];
    if (c === undefined || c === '\n' || c === ';' || c === '}' || c === '#') return;
    this.at++;
    this.fail('extra characters after command');
  }

  /** `a\` and the text on the next lines, or (GNU) on the same one; in it, `\n` and its like are what they name. */
  private textArgument(): Bytes {
    this.skip(/^[ \t]*/);
    if (this.script[this.at] === '\\') {
      this.at++;
      this.skip(/^[ \t]*\n/);
      if (this.script[this.at] === undefined) this.fail("expected \\ after `a', `c' or `i'");
    } else if (this.at >= this.script.length) this.fail("expected \\ after `a', `c' or `i'");
    let text = '';
    for (; this.at < this.script.length && this.script[this.at] !== '\n'; this.at++) {
      const c = this.script[this.at]!;
      if (c === '\\') {
        this.at++;
        const escaped = this.script[this.at] ?? '';
        text += ESCAPES[escaped] ?? escaped;
      } else text += c;
    }
    return `${text}\n`;
  }

  private substitution(): Partial<Command> {
    const delimiter = this.script[this.at++];
    if (delimiter === undefined || delimiter === '\n' || delimiter === '\\') this.fail("unterminated `s' command");
    const pattern = this.until(delimiter, "unterminated `s' command");
    const other = this.until(delimiter, "unterminated `s' command", false);
    let flags = '';
    let number = 0;
    let text = '';
    for (;;) {
      const c = this.script[this.at];
      if (c !== undefined && /\d/.test(c)) {
        number = Number(this.skip(/^\d+/));
        if (number === 0) this.fail("number option to `s' command may not be zero");
      } else if (c === 'w') {
        this.at++;
        text = this.skip(/^[^\n]*/).trim();
        flags += 'w';
        break;
      } else if (c !== undefined && /[gpiImMe]/.test(c)) {
        flags += c.toLowerCase() === 'm' ? 'M' : c === 'I' ? 'i' : c;
        this.at++;
      } else break;
    }
    this.skip(/^[ \t]*/);
    const c = this.script[this.at];
    if (c !== undefined && !'\n;}#'.includes(c)) {
      this.at++;
      this.fail("unknown option to `s'");
    }
    return { pattern, other, flags, number, text };
  }

  private transliteration(): Partial<Command> {
    const delimiter = this.script[this.at++];
    if (delimiter === undefined) this.fail("unterminated `y' command");
    const unescape = (set: Bytes) =>
      set.replace(/\\([n\\t])/g, (_all, c: string) => ({ n: '\n', '\\': '\\', t: '\t' })[c]!);
    const from = unescape(this.until(delimiter, "unterminated `y' command", false));
    const to = unescape(this.until(delimiter, "unterminated `y' command", false));
    if (from.length !== to.length) this.fail("strings for `y' command are different lengths");
    this.endCommand();
    return { text: from, other: to };
  }

  private resolveLabels(): void {
    for (const command of this.commands) {
      if (!'btT'.includes(command.name)) continue;
      const target = command.text === '' ? this.commands.length : this.labels[command.text];
      if (target === undefined) throw new ToolFailure(`can't find label for jump to \`${command.text}'`);
      command.target = target;
    }
  }
}
