import type { Bytes } from '../../kernel.js';
import { parseInteger } from '../../expansion/arithmetic.js';
import { decodeEscapes } from '../../expansion/escapes.js';
import { quoteBackslash } from '../../expansion/quote.js';
import { ShellFailure } from '../../interpreter/failure.js';
import type { Shell } from '../../interpreter/shell.js';
import { formatTime } from './strftime.js';

const MAX_WIDTH = 1_000_000;

export interface Printed {
  readonly text: Bytes;
  readonly status: number;
}

/** printf(1) as a builtin: the format is used again while arguments are left. */
export function formatPrintf(shell: Shell, format: Bytes, words: readonly Bytes[]): Printed {
  const printing = new Printing(shell, words);
  printing.run(format);
  return { text: printing.text, status: printing.status };
}

class Stopped extends Error {}

class Printing {
  text = '';
  status = 0;
  private next = 0;

  constructor(
    private readonly shell: Shell,
    private readonly words: readonly Bytes[],
  ) {}

  run(format: Bytes): void {
    try {
      do {
        const before = this.next;
        this.shell.sys.charge(1 + (format.length >> 3));
        this.once(format);
        if (this.next === before) return;
      } while (this.next < this.words.length);
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }

  private once(format: Bytes): void {
    let at = 0;
    while (at < format.length) {
      const percent = format.indexOf('%', at);
      const plain = format.slice(at, percent < 0 ? undefined : percent);
      if (plain !== '') this.addPlain(plain);
      if (percent < 0) return;
      if (format[percent + 1] === '%') {
        this.text += '%';
        at = percent + 2;
        continue;
      }
      at = percent + this.directive(format.slice(percent), format);
    }
  }

  private addPlain(text: Bytes): void {
    const decoded = decodeEscapes(text, {
      zeroOctal: false,
      plainOctal: true,
      stop: true,
      hexadecimal: !this.shell.isDash,
    });
    this.text += decoded.text.replace(/\\"/g, '"');
    if (decoded.isStopped) throw new Stopped();
  }

  /** One directive; returns its length in the format. */
  private directive(rest: Bytes, format: Bytes): number {
    const head = /^%([-+ #0']*)(\*|\d*)(?:\.(\*|-?\d*))?(\([^)]*\)T|[hlLjzt]*[^])?/.exec(rest)!;
    const [whole, flags, width, precision] = head as unknown as [string, string, string, string | undefined];
    const conversion = head[4]?.replace(/^[hlLjzt]+/, '') ?? '';
    let space = width === '*' ? Number(this.integer()) : Number(width || 0);
    const isLeft = flags.includes('-') || space < 0;
    space = Math.abs(space);
    const digits =
      precision === undefined ? undefined : precision === '*' ? Number(this.integer()) : Number(precision || 0);
    if (space > MAX_WIDTH || (digits ?? 0) > MAX_WIDTH) {
      this.status = 1;
      this.shell.complain('printf: write error: Cannot allocate memory');
      throw new Stopped();
    }
    const pad = (text: Bytes): void => {
      this.text += isLeft ? text.padEnd(space) : text.padStart(space);
    };
    const limit = digits === undefined || digits < 0 ? undefined : digits;
    switch (conversion[0]) {
      case 's':
        pad((this.word() ?? '').slice(0, limit));
        break;
      case 'c':
        pad((this.word() ?? '').slice(0, 1));
        break;
      case 'b': {
        const decoded = decodeEscapes(this.word() ?? '', {
          zeroOctal: true,
          plainOctal: true,
          stop: true,
          hexadecimal: !this.shell.isDash,
        });
        pad(decoded.text.slice(0, limit));
        if (decoded.isStopped) throw new Stopped();
        break;
      }
      case 'q':
        if (!this.shell.isBash) throw this.invalid(format, whole, conversion);
        pad(quoteBackslash(this.word() ?? ''));
        break;
      case 'd':
      case 'i':
        this.number(formatInteger(this.integer(), flags, limit), flags, space, isLeft, limit);
        break;
      case 'u':
        this.number(formatUnsigned(this.integer(), 10, '', limit), flags, space, isLeft, limit);
        break;
      case 'o':
        this.number(
          formatUnsigned(this.integer(), 8, flags.includes('#') ? '0' : '', limit),
          flags,
          space,
          isLeft,
          limit,
        );
        break;
      case 'x':
      case 'X': {
        const value = this.integer();
        const text = formatUnsigned(value, 16, flags.includes('#') && value !== 0n ? '0x' : '', limit);
        this.number(conversion === 'X' ? text.toUpperCase() : text, flags, space, isLeft, limit);
        break;
      }
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        this.number(formatFloat(this.float(), conversion, flags, limit), flags, space, isLeft, undefined);
        break;
      case '(': {
        if (!this.shell.isBash) throw this.invalid(format, whole, conversion);
        const word = this.word();
        const seconds =
          word === undefined || word === '-1' || word === '-2'
            ? Math.floor(this.shell.sys.clock / 1_000)
            : Number(word);
        pad(formatTime(conversion.slice(1, -2) || '%X', seconds * 1_000));
        break;
      }
      default:
        throw this.invalid(format, whole, conversion);
    }
    return whole.length;
  }

  private invalid(format: Bytes, whole: Bytes, conversion: Bytes): ShellFailure {
    const { shell } = this;
    shell.write(1, this.text, 'printf');
    if (shell.isBash) {
      const message =
        conversion === ''
          ? `printf: \`${whole.at(-1)}': missing format character`
          : `printf: \`${conversion[0]}': invalid format character`;
      return new ShellFailure(message, 1, 'command');
    }
    return shell.isDash
      ? new ShellFailure(`printf: ${whole}: invalid directive`, 2, 'command')
      : new ShellFailure(`${format}: invalid format`, 1, 'command');
  }

  private word(): Bytes | undefined {
    return this.words[this.next++];
  }

  private integer(): bigint {
    const word = this.word();
    if (word === undefined && this.shell.isAsh) this.shell.write(2, `sh: invalid number ''\n`);
    if (word === undefined || (word === '' && !this.shell.isDash)) return 0n;
    if (/^["']/.test(word)) return BigInt(word.length > 1 ? word.charCodeAt(1) : 0);
    const match = /^\s*([+-]?)(0[xX][\dA-Fa-f]+|\d+)/.exec(word);
    const value = match ? (parseInteger(match[2]!) ?? BigInt(/^\d+/.exec(match[2]!)![0])) : 0n;
    const rest = match ? word.slice(match[0].length) : word;
    if (rest !== '' || !match) this.complain(word, match !== null);
    return match?.[1] === '-' ? -value : value;
  }

  private float(): number {
    const word = this.word();
    if (word === undefined || word === '') return 0;
    if (/^["']/.test(word)) return word.length > 1 ? word.charCodeAt(1) : 0;
    if (/^[+-]?(?:inf(?:inity)?|nan)$/i.test(word))
      return /nan/i.test(word) ? NaN : word.startsWith('-') ? -Infinity : Infinity;
    const match = /^\s*[+-]?(?:0[xX][\dA-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.exec(word);
    if (match?.[0] !== word) this.complain(word, match !== null);
    return match ? Number(match[0]) : 0;
  }

  private complain(word: Bytes, isPartial: boolean): void {
    this.status = 1;
    const { shell } = this;
    if (shell.isBash) shell.complain(`printf: ${word}: invalid number`);
    else if (shell.isDash)
      shell.complain(`printf: ${word}: ${isPartial ? 'not completely converted' : 'expected numeric value'}`);
    else shell.write(2, `sh: invalid number '${word}'\n`);
  }

  private number(text: Bytes, flags: string, space: number, isLeft: boolean, precision: number | undefined): void {
    if (isLeft) this.text += text.padEnd(space);
    else if (!flags.includes('0') || precision !== undefined) this.text += text.padStart(space);
    else {
      const sign = /^(?:[-+ ]|0[xX])*/.exec(text)![0];
      this.text += sign + text.slice(sign.length).padStart(space - sign.length, '0');
    }
  }
}

function signOf(isNegative: boolean, flags: string): string {
  if (isNegative) return '-';
  return flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
}

function formatInteger(value: bigint, flags: string, precision: number | undefined): Bytes {
  const magnitude = (value < 0n ? -value : value).toString().padStart(precision ?? 1, '0');
  return signOf(value < 0n, flags) + magnitude;
}

const formatUnsigned = (value: bigint, base: number, prefix: string, precision: number | undefined): Bytes =>
  prefix +
  BigInt.asUintN(64, value)
    .toString(base)
    .padStart(precision ?? 1, '0');

export function formatFloat(value: number, conversion: string, flags: string, precision = 6): Bytes {
  const sign = signOf(value < 0 || Object.is(value, -0), flags);
  const isUpper = /[EFG]/.test(conversion);
  const text = Number.isFinite(value)
    ? formatMagnitude(Math.abs(value), conversion.toLowerCase(), flags, Math.min(precision, 100))
    : Number.isNaN(value)
      ? 'nan'
      : 'inf';
  return sign + (isUpper ? text.toUpperCase() : text);
}

function formatMagnitude(value: number, conversion: string, flags: string, precision: number): Bytes {
  const exponential = (digits: number): string => value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
  if (conversion === 'e') return exponential(precision);
  if (conversion === 'f')
    return value < 1e21
      ? value.toFixed(precision)
      : BigInt(value).toString() + (precision > 0 ? '.' + '0'.repeat(precision) : '');
  const digits = precision === 0 ? 1 : precision;
  const exponent = value === 0 ? 0 : Number(value.toExponential(digits - 1).split('e')[1]);
  const text = exponent < -4 || exponent >= digits ? exponential(digits - 1) : value.toFixed(digits - 1 - exponent);
  if (flags.includes('#') || !text.includes('.')) return text;
  const at = text.indexOf('e');
  const digitsEnd = at < 0 ? text.length : at;
  let end = digitsEnd;
  while (text[end - 1] === '0') end--;
  if (text[end - 1] === '.') end--;
  return text.slice(0, end) + text.slice(digitsEnd);
}
