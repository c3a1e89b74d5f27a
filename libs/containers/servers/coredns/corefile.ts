/** A line of a Corefile, with the block below it. */
export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  readonly block: readonly Directive[];
  readonly line: number;
  /** Of one that stands in a server block: all of it, as it is written. */
  readonly tokens?: readonly Token[];
}

export interface ServerBlock {
  /** As they are written: '.:53', 'consul.local'. */
  readonly keys: readonly string[];
  readonly directives: readonly Directive[];
  readonly line: number;
}

/** Why CoreDNS does not start or reload, in its own words. */
export class CorefileFault extends Error {}

export interface Token {
  readonly text: string;
  readonly line: number;
}

const MAX_BYTES = 65_536;
const MAX_DEPTH = 5;

/** Throws CorefileFault. Models caddyfile's lexer and parser (coredns/caddy). */
export function parseCorefile(text: string, file: string): ServerBlock[] {
  if (text.length > MAX_BYTES) throw new CorefileFault(`${file}:1 - Error during parsing: file too large`);
  const reader = new Reader(readTokens(text), file);
  const snippets = new Map<string, readonly Directive[]>();
  const blocks: ServerBlock[] = [];
  while (!reader.isAtEnd()) {
    const block = reader.readServerBlock(snippets);
    const [key = ''] = block.keys;
    const isSnippet = block.keys.length === 1 && key.startsWith('(') && key.endsWith(')');
    if (isSnippet) snippets.set(key.slice(1, -1), block.directives);
    else blocks.push(block);
  }
  return blocks;
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (let at = 0; at < text.length;) {
    const char = text[at]!;
    if (char === '\n') line++;
    if (/\s/.test(char)) at++;
    else if (char === '#') at = endOf(text, at, '\n');
    else if (char === '"') {
      const end = endOf(text, at + 1, '"');
      const content = text.slice(at + 1, end);
      tokens.push({ text: content, line });
      line += content.split('\n').length - 1;
      at = end + 1;
    } else {
      let end = at;
      while (end < text.length && !/\s/.test(text[end]!)) end++;
      tokens.push({ text: text.slice(at, end), line });
      at = end;
    }
  }
  return tokens;
}

function endOf(text: string, from: number, char: string): number {
  const found = text.indexOf(char, from);
  return found < 0 ? text.length : found;
}

class Reader {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly file: string,
  ) {}

  isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  readServerBlock(snippets: ReadonlyMap<string, readonly Directive[]>): ServerBlock {
    const keys: string[] = [];
    const line = this.tokens[this.at]!.line;
    for (;;) {
      const token = this.tokens[this.at];
      if (token === undefined) {
        // Without braces the file is one block, as long as nothing is opened.
        if (keys.length > 0) return { keys: this.cleanKeys(keys), directives: [], line };
        throw this.fault('Unexpected EOF');
      }
      if (token.text === '{') break;
      if (keys.length > 0 && token.line > this.tokens[this.at - 1]!.line && !keys.at(-1)!.endsWith(',')) {
        return { keys: this.cleanKeys(keys), directives: this.readDirectives(snippets, 0, true), line };
      }
      if (token.text === '}') throw this.syntax("'}'", 'server block');
      keys.push(token.text);
      this.at++;
    }
    this.at++;
    return { keys: this.cleanKeys(keys), directives: this.readDirectives(snippets, 0, false), line };
  }

  private cleanKeys(keys: readonly string[]): string[] {
    return keys.flatMap((key) => key.split(',')).filter((key) => key !== '');
  }

  /** Until the closing brace, which is taken; or to the end of the file. */
  private readDirectives(
    snippets: ReadonlyMap<string, readonly Directive[]>,
    depth: number,
    untilEnd: boolean,
  ): Directive[] {
    const found: Directive[] = [];
    for (;;) {
      const from = this.at;
      const token = this.tokens[this.at++];
      if (token === undefined) {
        if (untilEnd) return found;
        throw this.fault('Unexpected EOF');
      }
      if (token.text === '}') {
        if (untilEnd) throw this.syntax('}', 'directive');
        return found;
      }
      if (token.text === '{') throw this.syntax('{', 'directive');
      const args: string[] = [];
      let block: Directive[] = [];
      while (this.tokens[this.at]?.line === token.line) {
        const { text } = this.tokens[this.at]!;
        if (text === '}') break;
        this.at++;
        if (text === '{') {
          if (depth >= MAX_DEPTH) throw this.fault('too many nested blocks');
          block = this.readDirectives(snippets, depth + 1, false);
          break;
        }
        args.push(text);
      }
      if (token.text === 'import' && depth === 0) found.push(...this.importOf(args, snippets));
      else {
        const tokens = depth === 0 ? { tokens: this.tokens.slice(from, this.at) } : {};
        found.push({ name: token.text, args, block, line: token.line, ...tokens });
      }
    }
  }

  private importOf(
    [name = '']: readonly string[],
    snippets: ReadonlyMap<string, readonly Directive[]>,
  ): readonly Directive[] {
    const snippet = snippets.get(name);
    // A pattern that matches no file is no error; what it could match is not simulated.
    if (snippet === undefined && !/[*?]/.test(name)) throw this.fault(`File to import not found: ${name}`);
    return snippet ?? [];
  }

  private lineOf(): number {
    return this.tokens[Math.min(this.at, this.tokens.length) - 1]?.line ?? 1;
  }
  private fault(message: string): CorefileFault {
    return new CorefileFault(`${this.file}:${this.lineOf()} - Error during parsing: ${message}`);
  }
  private syntax(found: string, expected: string): CorefileFault {
    return new CorefileFault(
      `${this.file}:${this.lineOf()} - Syntax error: Unexpected token '${found}', expecting '${expected}'`,
    );
  }
}
