/** Syntax of JSON text in Go's words. Models encoding/json's scanner. */
export class JsonSyntaxError extends Error {}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** Everything up to what ends or breaks a string. */
const STRING_RUN = /[^"\\\u0000-\u001f]*/y;
const SPACE = /[ \t\r\n]*/y;

/** Called for every key in document order: its path ('spec.ports[0].name') and whether the object had it already. */
export type OnKey = (path: string, repeated: boolean) => void;

/** Levels that the scanner follows. */
const MAX_LEVELS = 1_000;

/** Reads a whole JSON text. Throws JsonSyntaxError with Go's message at the first fault. */
export function scanJson(text: string, onKey?: OnKey): void {
  const scanner = new Scanner(text, onKey);
  scanner.document();
}

class Scanner {
  private at = 0;
  private levels = 0;
  constructor(
    private readonly text: string,
    private readonly onKey: OnKey | undefined,
  ) {}

  document(): void {
    this.value('');
    this.space();
    if (this.at < this.text.length) throw this.fault('after top-level value');
  }

  private value(path: string): void {
    this.space();
    const char = this.text[this.at];
    if (char === '{') this.object(path);
    else if (char === '[') this.array(path);
    else if (char === '"') this.string();
    else if (char === 't') this.literal('true');
    else if (char === 'f') this.literal('false');
    else if (char === 'n') this.literal('null');
    else if (char !== undefined && /[-0-9]/.test(char)) this.number();
    else throw this.fault('looking for beginning of value');
  }

  private object(path: string): void {
    this.open();
    const seen = new Set<string>();
    this.space();
    if (this.text[this.at] !== '}') {
      for (;;) {
        this.space();
        if (this.text[this.at] !== '"') throw this.fault('looking for beginning of object key string');
        const key = this.string();
        const inner = path ? `${path}.${key}` : key;
        this.onKey?.(inner, seen.has(key));
        seen.add(key);
        this.space();
        if (this.text[this.at] !== ':') throw this.fault('after object key');
        this.at++;
        this.value(inner);
        this.space();
        if (this.text[this.at] === '}') break;
        if (this.text[this.at] !== ',') throw this.fault('after object key:value pair');
        this.at++;
      }
    }
    this.close();
  }

  private array(path: string): void {
    this.open();
    this.space();
    if (this.text[this.at] !== ']') {
      for (let i = 0; ; i++) {
        this.value(this.onKey ? `${path}[${i}]` : path);
        this.space();
        if (this.text[this.at] === ']') break;
        if (this.text[this.at] !== ',') throw this.fault('after array element');
        this.at++;
      }
    }
    this.close();
  }

  private open(): void {
    if (++this.levels > MAX_LEVELS) throw this.fault('exceeded max depth');
    this.at++;
  }
  private close(): void {
    this.at++;
    this.levels--;
  }

  private string(): string {
    const start = this.at++;
    for (;;) {
      this.skip(STRING_RUN);
      const char = this.text[this.at];
      if (char === '"') break;
      if (char !== '\\') throw this.fault('in string literal');
      this.at++;
      this.escape();
    }
    this.at++;
    const raw = this.text.slice(start, this.at);
    return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  private escape(): void {
    const char = this.text[this.at];
    if (char !== 'u') {
      if (char === undefined || !'"\\/bfnrt'.includes(char)) throw this.fault('in string escape code');
      this.at++;
      return;
    }
    this.at++;
    for (let i = 0; i < 4; i++, this.at++) {
      if (!/[0-9a-fA-F]/.test(this.text[this.at] ?? '')) throw this.fault('in \\u hexadecimal character escape');
    }
  }

  private literal(word: string): void {
    for (let i = 0; i < word.length; i++, this.at++) {
      if (this.text[this.at] !== word[i]) throw this.fault(`in literal ${word} (expecting '${word[i]}')`);
    }
  }

  private number(): void {
    const start = this.at;
    NUMBER.lastIndex = start;
    const found = NUMBER.exec(this.text)?.[0];
    if (found === undefined) {
      this.at++;
      throw this.fault('in numeric literal');
    }
    this.at = start + found.length;
    const next = this.text[this.at];
    const partial =
      next === '.' && !/[.eE]/.test(found)
        ? 'after decimal point in numeric literal'
        : /[eE]/.test(next ?? '') && !/[eE]/.test(found)
          ? 'in exponent of numeric literal'
          : undefined;
    if (partial === undefined) return;
    this.at++;
    if (next !== '.' && /[+-]/.test(this.text[this.at] ?? '')) this.at++;
    throw this.fault(partial);
  }

  private space(): void {
    const code = this.text.charCodeAt(this.at);
    if (code <= 32) this.skip(SPACE);
  }
  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    pattern.exec(this.text);
    this.at = pattern.lastIndex;
  }

  private fault(where: string): JsonSyntaxError {
    const char = this.text[this.at];
    return new JsonSyntaxError(
      char === undefined ? 'unexpected end of JSON input' : `invalid character ${quoteChar(char)} ${where}`,
    );
  }
}

const quoteChar = (char: string): string =>
  char === "'" ? "'\\''" : char === '"' ? `'"'` : `'${JSON.stringify(char).slice(1, -1)}'`;
