/** A directive of an nginx configuration: its name and arguments, and the directives of its block. */
export interface Directive {
  readonly words: readonly string[];
  readonly block: readonly Directive[];
}

const MAX_CONFIGURATION = 64 * 1024;
/** Blocks within blocks: nginx itself has five. */
const MAX_LEVELS = 20;
const ENDS_WORD = new Set([' ', '\t', '\r', '\n', ';', '{', '}']);

/** Reads a configuration once from left to right. What has no end, or is nested too deeply, is left out. */
export function parseConfiguration(text: string): readonly Directive[] {
  return new Parser(text.slice(0, MAX_CONFIGURATION)).directives(0);
}

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  /** The directives up to the end of the block; reading ends for good at a block that is nested too deeply. */
  directives(level: number): Directive[] {
    const found: Directive[] = [];
    let words: string[] = [];
    for (;;) {
      this.skipBlanks();
      const char = this.text[this.at];
      if (char === undefined) return found;
      if (!';{}'.includes(char)) {
        words.push(this.word());
        continue;
      }
      this.at++;
      if (char === '}') return found;
      if (char === '{' && level === MAX_LEVELS) this.at = this.text.length;
      const block = char === '{' ? this.directives(level + 1) : [];
      if (words.length > 0) found.push({ words, block });
      words = [];
    }
  }

  private skipBlanks(): void {
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (char === '#') this.at = this.find('\n', this.at);
      else if (char.trim() !== '') return;
    }
  }

  private word(): string {
    const quote = this.text[this.at]!;
    if (quote === '"' || quote === "'") {
      const end = this.find(quote, this.at + 1);
      const word = this.text.slice(this.at + 1, end);
      this.at = end + 1;
      return word;
    }
    const start = this.at;
    while (this.at < this.text.length && !ENDS_WORD.has(this.text[this.at]!)) this.at++;
    return this.text.slice(start, this.at);
  }

  /** Where the character is; the end of the text when it is not there. */
  private find(char: string, from: number): number {
    const at = this.text.indexOf(char, from);
    return at < 0 ? this.text.length : at;
  }
}
