/** What a parser does with a token, with where it begins: lines and columns from 0. */
export interface Token {
  readonly type:
    | 'block-sequence-start'
    | 'block-mapping-start'
    | 'block-end'
    | 'flow-sequence-start'
    | 'flow-sequence-end'
    | 'flow-mapping-start'
    | 'flow-mapping-end'
    | 'block-entry'
    | 'flow-entry'
    | 'key'
    | 'value'
    | 'alias'
    | 'anchor'
    | 'tag'
    | 'scalar'
    | 'directive'
    | 'document-start'
    | 'document-end'
    | 'stream-end';
  readonly line: number;
  /** Of an anchor, or of what an alias means. */
  readonly name?: string;
}

/** An error of the scanner: its line, from 0, counts from 1 when it is told. */
export class ScannerError extends Error {
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(problem);
  }
}

interface SimpleKey {
  readonly token: number;
  readonly line: number;
  readonly at: number;
  readonly required: boolean;
}

/** Flow collections may stand within each other so deep. */
const MAX_FLOW = 1_000;
/** A simple key may be so long. */
const MAX_KEY = 1024;
const FLOW = ',?[]{}';
const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';
const ESCAPES = '0abt\tnvfre "/\\N_LPxuU';

const isBreak = (char: string): boolean => char === '\n' || char === '\r' || char === '';
const isBlank = (char: string): boolean => char === ' ' || char === '\t';
const isSpace = (char: string): boolean => isBlank(char) || isBreak(char);

/**
 * The tokens of a document, as far as they decide whether it can be read and what is said when it cannot. Models
 * go.yaml.in/yaml/v2's scannerc.go, which is libyaml's.
 */
export class Scanner {
  private at = 0;
  private line = 0;
  private column = 0;
  private indent = -1;
  private readonly indents: number[] = [];
  private readonly keys: (SimpleKey | undefined)[] = [undefined];
  private keyAllowed = true;
  private tokens: Token[] = [];
  /** Tokens that were taken. */
  private taken = 0;
  private ended = false;

  constructor(private readonly text: string) {}

  peek(): Token {
    while (this.needsMore()) this.fetch();
    return this.tokens[0]!;
  }

  take(): Token {
    const token = this.peek();
    this.tokens.shift();
    this.taken++;
    return token;
  }

  /** A token that may turn out to be a key cannot be given away yet. */
  private needsMore(): boolean {
    if (this.tokens.length === 0) return true;
    this.dropStaleKeys();
    return this.keys.some((key) => key?.token === this.taken);
  }

  private char(ahead = 0): string {
    return this.text.charAt(this.at + ahead);
  }

  private skip(): void {
    const char = this.char();
    if (char === '\n' || (char === '\r' && this.char(1) !== '\n')) {
      this.line++;
      this.column = 0;
    } else if (char !== '\r') this.column++;
    this.at++;
  }

  private get isInFlow(): boolean {
    return this.keys.length > 1;
  }

  private add(type: Token['type'], line = this.line): void {
    this.tokens.push({ type, line });
  }

  private insert(number: number, type: Token['type'], line: number): void {
    this.tokens.splice(number - this.taken, 0, { type, line });
  }

  private fetch(): void {
    this.skipToToken();
    this.dropStaleKeys();
    this.unroll(this.column);
    const char = this.char();
    const next = this.char(1);
    if (char === '' || char === '\0') return this.fetchEnd();
    if (this.column === 0 && char === '%') return this.fetchDirective();
    if (this.column === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(this.text.slice(this.at, this.at + 4)))
      return this.fetchDocument(char === '-' ? 'document-start' : 'document-end');
    if (char === '[' || char === '{')
      return this.fetchFlowStart(char === '[' ? 'flow-sequence-start' : 'flow-mapping-start');
    if (char === ']' || char === '}') return this.fetchFlowEnd(char === ']' ? 'flow-sequence-end' : 'flow-mapping-end');
    if (char === ',') return this.fetchFlowEntry();
    if (char === '-' && isSpace(next)) return this.fetchBlockEntry();
    if (char === '?' && (this.isInFlow || isSpace(next))) return this.fetchKey();
    if (char === ':' && (this.isInFlow || isSpace(next))) return this.fetchValue();
    if (char === '*' || char === '&') return this.fetchAnchor(char === '*' ? 'alias' : 'anchor');
    if (char === '!') return this.fetchTag();
    if ((char === '|' || char === '>') && !this.isInFlow) return this.fetchBlockScalar();
    if (char === "'" || char === '"') return this.fetchFlowScalar(char);
    const isPlain =
      !(isSpace(char) || INDICATORS.includes(char)) ||
      (char === '-' && !isBlank(next)) ||
      (!this.isInFlow && (char === '?' || char === ':') && !isSpace(next));
    if (isPlain) return this.fetchPlain();
    throw new ScannerError(this.line, 'found character that cannot start any token');
  }

  private skipToToken(): void {
    for (;;) {
      while (this.char() === ' ' || ((this.isInFlow || !this.keyAllowed) && this.char() === '\t')) this.skip();
      if (this.char() === '#') while (!isBreak(this.char())) this.skip();
      if (this.char() !== '\n' && this.char() !== '\r') return;
      this.skip();
      if (!this.isInFlow) this.keyAllowed = true;
    }
  }

  private dropStaleKeys(): void {
    for (const [level, key] of this.keys.entries()) {
      if (!key || (key.line >= this.line && key.at + MAX_KEY >= this.at)) continue;
      if (key.required) throw new ScannerError(this.line, "could not find expected ':'");
      this.keys[level] = undefined;
    }
  }

  private saveKey(): void {
    const required = !this.isInFlow && this.indent === this.column;
    if (!this.keyAllowed) return;
    this.removeKey();
    const key = { token: this.taken + this.tokens.length, line: this.line, at: this.at, required };
    this.keys[this.keys.length - 1] = key;
  }

  private removeKey(): void {
    const key = this.keys.at(-1);
    if (key?.required) throw new ScannerError(this.line, "could not find expected ':'");
    this.keys[this.keys.length - 1] = undefined;
  }

  private roll(column: number, type: Token['type'], number: number | undefined, line: number): void {
    if (this.isInFlow || this.indent >= column) return;
    this.indents.push(this.indent);
    this.indent = column;
    if (number === undefined) this.add(type, line);
    else this.insert(number, type, line);
  }

  private unroll(column: number): void {
    if (this.isInFlow) return;
    while (this.indent > column) {
      this.add('block-end');
      this.indent = this.indents.pop()!;
    }
  }

  private fetchEnd(): void {
    if (this.ended) throw new Error('the stream has ended');
    this.ended = true;
    if (this.column !== 0) {
      this.column = 0;
      this.line++;
    }
    this.unroll(-1);
    this.removeKey();
    this.keyAllowed = false;
    this.add('stream-end');
  }

  private fetchDirective(): void {
    this.unroll(-1);
    this.removeKey();
    this.keyAllowed = false;
    this.add('directive');
    const name = /^%([\w-]*)/.exec(this.text.slice(this.at, this.at + MAX_KEY))![1]!;
    if (name === '') throw new ScannerError(this.line, 'could not find expected directive name');
    if (name !== 'YAML' && name !== 'TAG') throw new ScannerError(this.line, 'found unknown directive name');
    while (!isBreak(this.char())) this.skip();
  }

  private fetchDocument(type: 'document-start' | 'document-end'): void {
    this.unroll(-1);
    this.removeKey();
    this.keyAllowed = false;
    this.add(type);
    for (let i = 0; i < 3; i++) this.skip();
  }

  private fetchFlowStart(type: Token['type']): void {
    this.saveKey();
    if (this.keys.length > MAX_FLOW) throw new ScannerError(this.line, `exceeded max depth of ${MAX_FLOW}`);
    this.keys.push(undefined);
    this.keyAllowed = true;
    this.add(type);
    this.skip();
  }

  private fetchFlowEnd(type: Token['type']): void {
    this.removeKey();
    if (this.isInFlow) this.keys.pop();
    this.keyAllowed = false;
    this.add(type);
    this.skip();
  }

  private fetchFlowEntry(): void {
    this.removeKey();
    this.keyAllowed = true;
    this.add('flow-entry');
    this.skip();
  }

  private fetchBlockEntry(): void {
    if (!this.isInFlow) {
      if (!this.keyAllowed) throw new ScannerError(this.line, 'block sequence entries are not allowed in this context');
      this.roll(this.column, 'block-sequence-start', undefined, this.line);
    }
    this.removeKey();
    this.keyAllowed = true;
    this.add('block-entry');
    this.skip();
  }

  private fetchKey(): void {
    if (!this.isInFlow) {
      if (!this.keyAllowed) throw new ScannerError(this.line, 'mapping keys are not allowed in this context');
      this.roll(this.column, 'block-mapping-start', undefined, this.line);
    }
    this.removeKey();
    this.keyAllowed = !this.isInFlow;
    this.add('key');
    this.skip();
  }

  private fetchValue(): void {
    const key = this.keys.at(-1);
    if (key) {
      this.insert(key.token, 'key', key.line);
      this.roll(this.columnOf(key.at), 'block-mapping-start', key.token, key.line);
      this.keys[this.keys.length - 1] = undefined;
      this.keyAllowed = false;
    } else {
      if (!this.isInFlow) {
        if (!this.keyAllowed) throw new ScannerError(this.line, 'mapping values are not allowed in this context');
        this.roll(this.column, 'block-mapping-start', undefined, this.line);
      }
      this.keyAllowed = !this.isInFlow;
    }
    this.add('value');
    this.skip();
  }

  private columnOf(at: number): number {
    return at - (this.text.lastIndexOf('\n', at - 1) + 1);
  }

  private fetchAnchor(type: 'alias' | 'anchor'): void {
    this.saveKey();
    this.keyAllowed = false;
    const { line } = this;
    this.skip();
    const from = this.at;
    while (/[\w-]/.test(this.char())) this.skip();
    if (this.at === from || !(isSpace(this.char()) || '?:,]}%@`'.includes(this.char())))
      throw new ScannerError(this.line, 'did not find expected alphabetic or numeric character');
    this.tokens.push({ type, line, name: this.text.slice(from, this.at) });
  }

  private fetchTag(): void {
    this.saveKey();
    this.keyAllowed = false;
    this.add('tag');
    while (!isSpace(this.char()) && !(this.isInFlow && FLOW.includes(this.char()))) this.skip();
  }

  private fetchBlockScalar(): void {
    this.removeKey();
    this.keyAllowed = true;
    this.add('scalar');
    this.skip();
    let given = 0;
    for (let i = 0; i < 2; i++) {
      const char = this.char();
      if (char === '0') throw new ScannerError(this.line, 'found an indentation indicator equal to 0');
      if (/[1-9]/.test(char) && given === 0) given = Number(char);
      else if (char !== '+' && char !== '-') break;
      this.skip();
    }
    while (isBlank(this.char())) this.skip();
    if (this.char() === '#') while (!isBreak(this.char())) this.skip();
    if (!isBreak(this.char())) throw new ScannerError(this.line, 'did not find expected comment or line break');
    this.skip();
    let indent = given > 0 ? Math.max(this.indent, 0) + given : 0;
    for (
      indent = this.skipBreaks(indent);
      this.column === indent && this.char() !== '';
      indent = this.skipBreaks(indent)
    ) {
      while (!isBreak(this.char())) this.skip();
      if (this.char() !== '') this.skip();
    }
  }

  /** Goes to the next line of a block scalar that is not empty; gives how far its lines are indented. */
  private skipBreaks(indent: number): number {
    let deepest = 0;
    for (;;) {
      while ((indent === 0 || this.column < indent) && this.char() === ' ') this.skip();
      deepest = Math.max(deepest, this.column);
      if ((indent === 0 || this.column < indent) && this.char() === '\t')
        throw new ScannerError(this.line, 'found a tab character where an indentation space is expected');
      if (this.char() === '' || !isBreak(this.char())) break;
      this.skip();
    }
    return indent === 0 ? Math.max(deepest, this.indent + 1, 1) : indent;
  }

  private fetchFlowScalar(quote: string): void {
    this.saveKey();
    this.keyAllowed = false;
    this.add('scalar');
    this.skip();
    for (;;) {
      const char = this.char();
      if (this.column === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(this.text.slice(this.at, this.at + 4)))
        throw new ScannerError(this.line, 'found unexpected document indicator');
      if (char === '') throw new ScannerError(this.line, 'found unexpected end of stream');
      if (char === quote && !(quote === "'" && this.char(1) === quote)) break;
      if (quote === '"' && char === '\\' && !isBreak(this.char(1)) && !ESCAPES.includes(this.char(1)))
        throw new ScannerError(this.line, 'found unknown escape character');
      if (char === quote || (quote === '"' && char === '\\')) this.skip();
      this.skip();
    }
    this.skip();
  }

  private fetchPlain(): void {
    this.saveKey();
    this.keyAllowed = false;
    this.add('scalar');
    const indent = this.indent + 1;
    let hasBreaks = false;
    for (;;) {
      if (this.column === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(this.text.slice(this.at, this.at + 4))) break;
      if (this.char() === '#') break;
      while (!isSpace(this.char())) {
        if (this.endsPlain()) break;
        hasBreaks = false;
        this.skip();
      }
      if (this.char() === '' || !isSpace(this.char())) break;
      while (this.char() !== '' && isSpace(this.char())) {
        if (hasBreaks && this.column < indent && this.char() === '\t')
          throw new ScannerError(this.line, 'found a tab character that violates indentation');
        hasBreaks ||= isBreak(this.char());
        this.skip();
      }
      if (!this.isInFlow && this.column < indent) break;
    }
    if (hasBreaks) this.keyAllowed = true;
  }

  private endsPlain(): boolean {
    const char = this.char();
    if (char === ':' && isSpace(this.char(1))) return true;
    if (!this.isInFlow) return false;
    if (char === ':' && FLOW.includes(this.char(1)) && this.char(1) !== '') return true;
    return FLOW.includes(char);
  }
}
