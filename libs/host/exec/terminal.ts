const PROMPT = '/ # ';
const KEYS = { interrupt: '\u0003', endOfInput: '\u0004', backspace: '\b', delete: '\u007f' } as const;

/** ^D at the beginning of a line. */
export const END_OF_INPUT = Symbol('end of input');

/** The line discipline of a shell's terminal: echo, editing of the line, ^C and ^D. */
export class Terminal {
  /** Complete lines among the keys that were not read yet. */
  waitingLines = 0;
  private line = '';
  private keys: string[] = [];
  /** Keys that were read. */
  private at = 0;

  constructor(private readonly echo: (text: string) => void) {}

  /** Adds keys. */
  type(text: string): void {
    if (this.at === this.keys.length) [this.keys, this.at] = [[], 0];
    for (const key of text) {
      this.keys.push(key);
      if (isEnter(key)) this.waitingLines++;
    }
  }

  prompt(): void {
    this.echo(PROMPT);
  }

  /** Reads keys up to the end of a line; the line has its line feed. Undefined when the last line is not complete. */
  readLine(): string | typeof END_OF_INPUT | undefined {
    while (this.at < this.keys.length) {
      const key = this.keys[this.at++]!;
      if (isEnter(key)) return this.takeLine();
      if (key === KEYS.endOfInput && this.line === '') return END_OF_INPUT;
      this.edit(key);
    }
    return undefined;
  }

  private edit(key: string): void {
    if (key === KEYS.delete || key === KEYS.backspace) {
      if (this.line === '') return;
      this.line = this.line.slice(0, -1);
      this.echo('\b \b');
    } else if (key === KEYS.interrupt) {
      this.line = '';
      this.echo(`^C\r\n${PROMPT}`);
    } else if (key >= ' ' || key === '\t') {
      this.line += key;
      this.echo(key);
    }
  }

  private takeLine(): string {
    this.waitingLines--;
    const line = `${this.line}\n`;
    this.line = '';
    this.echo('\r\n');
    return line;
  }
}

const isEnter = (key: string): boolean => key === '\r' || key === '\n';
