import { ScannerError } from './cursor.js';
import { Scanner, type Token } from './scanner.js';

/** An error of the parser: its line counts from 0 when it is told, too. */
class ParserError extends Error {
  constructor(
    readonly line: number,
    problem: string,
    readonly context = 0,
  ) {
    super(problem);
  }
}

/** Characters; a longer text is told of in the words of whoever has found that it cannot be read. */
const MAX_TEXT = 512 * 1024;
/** Collections may stand within each other so deep. */
const MAX_DEPTH = 1_000;

/** Reads a document for its errors alone. Models go.yaml.in/yaml/v2's parserc.go, which is libyaml's. */
class Parser {
  private depth = 0;
  private readonly anchors = new Set<string>();

  constructor(private readonly scanner: Scanner) {}

  readDocument(): void {
    while (this.is('document-end')) this.scanner.take();
    const isExplicit = this.is('directive') || this.is('document-start');
    while (this.is('directive')) this.scanner.take();
    if (isExplicit && !this.is('document-start')) this.fail('did not find expected <document start>');
    if (this.is('document-start')) this.scanner.take();
    if (this.is('stream-end')) return;
    this.readNode(true, false);
    // What follows is another document's, unless it is nothing that a scanner knows.
    this.scanner.peek();
  }

  private is(...types: Token['type'][]): boolean {
    return types.includes(this.scanner.peek().type);
  }

  private fail(problem: string, context = 0): never {
    throw new ParserError(this.scanner.peek().line, problem, context);
  }

  private readNode(isBlock: boolean, isIndentless: boolean): void {
    if (++this.depth > MAX_DEPTH) throw new ParserError(0, 'exceeded max depth');
    const hasProperties = this.is('anchor', 'tag');
    const { line } = this.scanner.peek();
    if (this.is('alias')) this.readAlias();
    else {
      while (this.is('anchor', 'tag')) this.anchors.add(this.scanner.take().name ?? '');
      if (isIndentless && this.is('block-entry')) this.readIndentless();
      else if (this.is('scalar')) this.scanner.take();
      else if (this.is('flow-sequence-start')) this.readFlow('flow-sequence-end', ']');
      else if (this.is('flow-mapping-start')) this.readFlow('flow-mapping-end', '}');
      else if (isBlock && this.is('block-sequence-start')) this.readSequence();
      else if (isBlock && this.is('block-mapping-start')) this.readMapping();
      else if (!hasProperties) this.fail('did not find expected node content', line);
    }
    this.depth--;
  }

  private readAlias(): void {
    const { name = '' } = this.scanner.take();
    if (!this.anchors.has(name)) throw new ParserError(0, `unknown anchor '${name}' referenced`);
  }

  private readSequence(): void {
    const { line } = this.scanner.take();
    while (this.is('block-entry')) {
      this.scanner.take();
      if (!this.is('block-entry', 'block-end')) this.readNode(true, false);
    }
    if (!this.is('block-end')) this.fail("did not find expected '-' indicator", line);
    this.scanner.take();
  }

  private readIndentless(): void {
    while (this.is('block-entry')) {
      this.scanner.take();
      if (!this.is('block-entry', 'key', 'value', 'block-end')) this.readNode(true, false);
    }
  }

  private readMapping(): void {
    const { line } = this.scanner.take();
    while (this.is('key')) {
      this.scanner.take();
      if (!this.is('key', 'value', 'block-end')) this.readNode(true, true);
      if (!this.is('value')) continue;
      this.scanner.take();
      if (!this.is('key', 'value', 'block-end')) this.readNode(true, true);
    }
    if (!this.is('block-end')) this.fail('did not find expected key', line);
    this.scanner.take();
  }

  private readFlow(end: 'flow-sequence-end' | 'flow-mapping-end', bracket: string): void {
    const { line } = this.scanner.take();
    for (let isFirst = true; !this.is(end); isFirst = false) {
      if (!isFirst) {
        if (!this.is('flow-entry')) this.fail(`did not find expected ',' or '${bracket}'`, line);
        this.scanner.take();
        if (this.is(end)) break;
      }
      this.readFlowEntry(end);
    }
    this.scanner.take();
  }

  private readFlowEntry(end: Token['type']): void {
    if (!this.is('key')) return this.readNode(false, false);
    this.scanner.take();
    if (!this.is('value', 'flow-entry', end)) this.readNode(false, false);
    if (!this.is('value')) return;
    this.scanner.take();
    if (!this.is('flow-entry', end)) this.readNode(false, false);
  }
}

const onLine = (line: number, problem: string): string => `yaml: ${line === 0 ? '' : `line ${line}: `}${problem}`;

/**
 * What go-yaml says of a document that it cannot read ('yaml: line 3: did not find expected key'); undefined when it
 * finds no fault with it. Models yaml_parser_t's errors as go.yaml.in/yaml/v2's decode.go tells them.
 */
export function findYamlError(text: string): string | undefined {
  if (text.length > MAX_TEXT) return undefined;
  try {
    new Parser(new Scanner(text)).readDocument();
    return undefined;
  } catch (error) {
    if (error instanceof ScannerError) return onLine(error.line === 0 ? 0 : error.line + 1, error.message);
    if (error instanceof ParserError) return onLine(error.line || error.context, error.message);
    throw error;
  }
}
