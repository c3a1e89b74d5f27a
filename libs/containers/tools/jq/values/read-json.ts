import { type Bytes, textOf } from '../../../../engine/kernel/bytes.js';
import type { Json } from './values.js';

/** Lines and, in the last of them, bytes. */
export type Position = { lines: number; column: number };

/** What is wrong with an input, in jq's words, and where. */
export class JsonFault extends Error {}

const NUMBER = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z0-9_.+-]+/y;
const SPACE = /[ \t\r\n\x1e]*/y;
const PLAIN_TEXT = /[^"\\]*/y;
const WORDS: Readonly<Record<string, Json>> = { null: null, true: true, false: false, nan: Number.NaN };
const MAX_DEPTH = 1_000;
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/** Reads values one after another from a text. */
export class JsonReader {
  constructor(
    private readonly text: Bytes,
    /** False: more text may follow, and a value at the end may be unfinished. */
    private readonly isEnded = true,
    /** What stood before the text. */
    private readonly before: Position = { lines: 0, column: 0 },
  ) {}

  at = 0;

  /** The next value; undefined at the end, or when its end has not come yet. Throws JsonFault. */
  next(): { readonly value: Json } | undefined {
    const start = this.at;
    try {
      this.skip();
      if (this.at >= this.text.length) return undefined;
      const value = this.value(0);
      const isOpen = this.at >= this.text.length && !this.isEnded && !/["\]}]/.test(this.text[this.at - 1]!);
      if (!isOpen) return { value };
    } catch (error) {
      const isCut = error instanceof JsonFault && this.at >= this.text.length && !this.isEnded;
      if (!isCut) throw error;
    }
    this.at = start;
    return undefined;
  }

  private skip(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)![0].length;
  }

  private value(depth: number): Json {
    const c = this.text[this.at];
    if (depth > MAX_DEPTH) throw this.fault('Exceeds depth limit for parsing');
    if (c === '{') return this.object(depth);
    if (c === '[') return this.array(depth);
    if (c === '"') return this.string();
    return this.atom();
  }

  private atom(): Json {
    WORD.lastIndex = this.at;
    const word = WORD.exec(this.text)?.[0];
    if (word === undefined) {
      this.at++;
      const c = this.text[this.at - 1]!;
      if (',:]}'.includes(c)) throw this.fault(this.separatorFault(c));
      throw this.fault(`Invalid ${c === "'" ? 'string literal; expected ", but got \'' : 'literal'}`);
    }
    this.at += word.length;
    const known = WORDS[word];
    if (known !== undefined) return known;
    NUMBER.lastIndex = 0;
    if (NUMBER.exec(word)?.[0] === word) return Number(word);
    // jq looks at a word when it sees what stands behind it.
    this.at++;
    throw this.fault(/^[a-z]/.test(word) && 'ntf'.includes(word[0]!) ? 'Invalid literal' : 'Invalid numeric literal');
  }

  private separatorFault(c: string): string {
    if (c === ',') return "Expected value before ','";
    if (c === ':') return "':' not as part of an object";
    return `Unmatched '${c}'`;
  }

  private array(depth: number): Json {
    const items: Json[] = [];
    this.at++;
    this.skip();
    if (this.text[this.at] === ']') return this.close(items);
    for (;;) {
      this.skip();
      this.needMore();
      items.push(this.value(depth + 1));
      this.skip();
      this.needMore();
      const c = this.text[this.at++];
      if (c === ']') return items;
      if (c !== ',') throw this.fault('Expected separator between values');
    }
  }

  private object(depth: number): Json {
    const object = new Map<string, Json>();
    this.at++;
    this.skip();
    if (this.text[this.at] === '}') return this.close(object);
    for (;;) {
      this.skip();
      this.needMore();
      const key = this.value(depth + 1);
      if (typeof key !== 'string') throw this.fault('Object keys must be strings');
      this.skip();
      this.needMore();
      if (this.text[this.at++] !== ':') throw this.fault('Objects must consist of key:value pairs');
      this.skip();
      this.needMore();
      object.set(key, this.value(depth + 1));
      this.skip();
      this.needMore();
      const c = this.text[this.at++];
      if (c === '}') return object;
      if (c !== ',') throw this.fault('Expected separator between values');
    }
  }

  private close<T extends Json>(value: T): T {
    this.at++;
    return value;
  }

  private needMore(): void {
    if (this.at >= this.text.length) throw this.fault('Unfinished JSON term', 'EOF at ');
  }

  private string(): string {
    let text = '';
    for (this.at++; ;) {
      PLAIN_TEXT.lastIndex = this.at;
      const plain = PLAIN_TEXT.exec(this.text)![0];
      text += textOf(plain);
      this.at += plain.length;
      const c = this.text[this.at++];
      if (c === undefined) throw this.fault('Unfinished string', 'EOF at ');
      if (c === '"') return text;
      text += this.escape();
    }
  }

  private escape(): string {
    const letter = this.text[this.at++] ?? '';
    if (letter !== 'u') {
      const known = ESCAPES[letter];
      if (known === undefined) throw this.fault('Invalid escape');
      return known;
    }
    const digits = this.text.slice(this.at, this.at + 4);
    if (!/^[\da-fA-F]{4}$/.test(digits)) throw this.fault('Invalid \\uXXXX escape');
    this.at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  private fault(message: string, where = ''): JsonFault {
    const lines = this.text.slice(0, this.at).split('\n');
    const column = lines.at(-1)!.length + (lines.length === 1 ? this.before.column : 0);
    return new JsonFault(`${message} at ${where}line ${this.before.lines + lines.length}, column ${column}`);
  }
}
