import { Cursor, FLOW, isBlank, isSpace } from './cursor.js';
import { skipBlockScalar, skipPlain, skipQuoted } from './scalars.js';

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

interface SimpleKey {
  /** How many flow collections it stands in. */
  readonly level: number;
  readonly token: number;
  readonly line: number;
  readonly at: number;
  readonly column: number;
  readonly required: boolean;
}

/** Flow collections may stand within each other so deep. */
const MAX_FLOW = 1_000;
/** A simple key may be so long. */
const MAX_KEY = 1024;
const INDICATORS = '-?:,[]{}#&*!|>\'"%@`';

/**
 * The tokens of a document, as far as they decide whether it can be read and what is said when it cannot. Models
 * go.yaml.in/yaml/v2's scannerc.go, which is libyaml's.
 */
export class Scanner {
  private readonly cursor: Cursor;
  private indent = -1;
  private readonly indents: number[] = [];
  /** Those that may still turn out to be keys, at most one of each level, in their order. */
  private readonly keys: SimpleKey[] = [];
  private level = 0;
  private keyAllowed = true;
  private tokens: Token[] = [];
  /** Tokens that were taken. */
  private taken = 0;
  private ended = false;

  constructor(text: string) {
    this.cursor = new Cursor(text);
  }

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
    return this.keys[0]?.token === this.taken;
  }

  private get isInFlow(): boolean {
    return this.level > 0;
  }

  private add(type: Token['type'], line = this.cursor.line): void {
    this.tokens.push({ type, line });
  }

  private insert(number: number, type: Token['type'], line: number): void {
    this.tokens.splice(number - this.taken, 0, { type, line });
  }

  private fetch(): void {
    this.skipToToken();
    this.dropStaleKeys();
    this.unroll(this.cursor.column);
    const char = this.cursor.char();
    const next = this.cursor.char(1);
    if (char === '' || char === '\0') return this.fetchEnd();
    if (this.cursor.column === 0 && char === '%') return this.fetchDirective();
    if (this.cursor.isAtDocumentMark()) return this.fetchDocument(char === '-' ? 'document-start' : 'document-end');
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
    if (char === "'" || char === '"') return this.fetchQuoted();
    const isPlain =
      !(isSpace(char) || INDICATORS.includes(char)) ||
      (char === '-' && !isBlank(next)) ||
      (!this.isInFlow && (char === '?' || char === ':') && !isSpace(next));
    if (isPlain) return this.fetchPlain();
    this.cursor.fail('found character that cannot start any token');
  }

  private skipToToken(): void {
    for (;;) {
      while (this.cursor.char() === ' ' || ((this.isInFlow || !this.keyAllowed) && this.cursor.char() === '\t'))
        this.cursor.skip();
      if (this.cursor.char() === '#') this.cursor.skipLine();
      if (this.cursor.char() !== '\n' && this.cursor.char() !== '\r') return;
      this.cursor.skip();
      if (!this.isInFlow) this.keyAllowed = true;
    }
  }

  private dropStaleKeys(): void {
    const { line, at } = this.cursor;
    for (let key = this.keys[0]; key && (key.line < line || key.at + MAX_KEY < at); key = this.keys[0]) {
      if (key.required) this.cursor.fail("could not find expected ':'");
      this.keys.shift();
    }
  }

  private saveKey(): void {
    const { level, taken, tokens } = this;
    const { line, at, column } = this.cursor;
    if (!this.keyAllowed) return;
    this.removeKey();
    const required = !this.isInFlow && this.indent === column;
    this.keys.push({ level, token: taken + tokens.length, line, at, column, required });
  }

  /** Returns the key of this level, if there may be one. */
  private takeKey(): SimpleKey | undefined {
    return this.keys.at(-1)?.level === this.level ? this.keys.pop() : undefined;
  }

  private removeKey(): void {
    if (this.takeKey()?.required) this.cursor.fail("could not find expected ':'");
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
    if (this.cursor.column !== 0) {
      this.cursor.column = 0;
      this.cursor.line++;
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
    const name = /^%([\w-]*)/.exec(this.cursor.text.slice(this.cursor.at, this.cursor.at + MAX_KEY))![1]!;
    if (name === '') this.cursor.fail('could not find expected directive name');
    if (name !== 'YAML' && name !== 'TAG') this.cursor.fail('found unknown directive name');
    this.cursor.skipLine();
  }

  private fetchDocument(type: 'document-start' | 'document-end'): void {
    this.unroll(-1);
    this.removeKey();
    this.keyAllowed = false;
    this.add(type);
    for (let i = 0; i < 3; i++) this.cursor.skip();
  }

  private fetchFlowStart(type: Token['type']): void {
    this.saveKey();
    if (++this.level > MAX_FLOW) this.cursor.fail(`exceeded max depth of ${MAX_FLOW}`);
    this.keyAllowed = true;
    this.add(type);
    this.cursor.skip();
  }

  private fetchFlowEnd(type: Token['type']): void {
    this.removeKey();
    if (this.isInFlow) this.level--;
    this.keyAllowed = false;
    this.add(type);
    this.cursor.skip();
  }

  private fetchFlowEntry(): void {
    this.removeKey();
    this.keyAllowed = true;
    this.add('flow-entry');
    this.cursor.skip();
  }

  private fetchBlockEntry(): void {
    if (!this.isInFlow) {
      if (!this.keyAllowed) this.cursor.fail('block sequence entries are not allowed in this context');
      this.roll(this.cursor.column, 'block-sequence-start', undefined, this.cursor.line);
    }
    this.removeKey();
    this.keyAllowed = true;
    this.add('block-entry');
    this.cursor.skip();
  }

  private fetchKey(): void {
    if (!this.isInFlow) {
      if (!this.keyAllowed) this.cursor.fail('mapping keys are not allowed in this context');
      this.roll(this.cursor.column, 'block-mapping-start', undefined, this.cursor.line);
    }
    this.removeKey();
    this.keyAllowed = !this.isInFlow;
    this.add('key');
    this.cursor.skip();
  }

  private fetchValue(): void {
    const key = this.takeKey();
    if (key) {
      this.insert(key.token, 'key', key.line);
      this.roll(key.column, 'block-mapping-start', key.token, key.line);
      this.keyAllowed = false;
    } else {
      if (!this.isInFlow) {
        if (!this.keyAllowed) this.cursor.fail('mapping values are not allowed in this context');
        this.roll(this.cursor.column, 'block-mapping-start', undefined, this.cursor.line);
      }
      this.keyAllowed = !this.isInFlow;
    }
    this.add('value');
    this.cursor.skip();
  }

  private fetchAnchor(type: 'alias' | 'anchor'): void {
    this.saveKey();
    this.keyAllowed = false;
    const { line } = this.cursor;
    this.cursor.skip();
    const from = this.cursor.at;
    while (/[\w-]/.test(this.cursor.char())) this.cursor.skip();
    if (this.cursor.at === from || !(isSpace(this.cursor.char()) || '?:,]}%@`'.includes(this.cursor.char())))
      this.cursor.fail('did not find expected alphabetic or numeric character');
    this.tokens.push({ type, line, name: this.cursor.text.slice(from, this.cursor.at) });
  }

  private fetchTag(): void {
    this.saveKey();
    this.keyAllowed = false;
    this.add('tag');
    while (!isSpace(this.cursor.char()) && !(this.isInFlow && FLOW.includes(this.cursor.char()))) this.cursor.skip();
  }

  private fetchBlockScalar(): void {
    this.removeKey();
    this.keyAllowed = true;
    this.add('scalar');
    skipBlockScalar(this.cursor, this.indent);
  }

  private fetchQuoted(): void {
    this.saveKey();
    this.keyAllowed = false;
    this.add('scalar');
    skipQuoted(this.cursor);
  }

  private fetchPlain(): void {
    this.saveKey();
    this.keyAllowed = false;
    this.add('scalar');
    if (skipPlain(this.cursor, this.indent + 1, this.isInFlow)) this.keyAllowed = true;
  }
}
