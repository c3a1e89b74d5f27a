/** An error of the scanner: its line, from 0, counts from 1 when it is told. */
export class ScannerError extends Error {
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(problem);
  }
}

/** Indicators of flow collections. */
export const FLOW = ',?[]{}';

/** The end of the text is a break, too. */
export const isBreak = (char: string): boolean => char === '\n' || char === '\r' || char === '';
export const isBlank = (char: string): boolean => char === ' ' || char === '\t';
export const isSpace = (char: string): boolean => isBlank(char) || isBreak(char);

/** A place in a text, with its line and column from 0. */
export class Cursor {
  at = 0;
  line = 0;
  column = 0;

  constructor(readonly text: string) {}

  /** '' behind the end. */
  char(ahead = 0): string {
    return this.text.charAt(this.at + ahead);
  }

  skip(): void {
    const char = this.char();
    if (char === '\n' || (char === '\r' && this.char(1) !== '\n')) {
      this.line++;
      this.column = 0;
    } else if (char !== '\r') this.column++;
    this.at++;
  }

  skipLine(): void {
    while (!isBreak(this.char())) this.skip();
  }

  /** '---' or '...' at the beginning of a line. */
  isAtDocumentMark(): boolean {
    return this.column === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(this.text.slice(this.at, this.at + 4));
  }

  fail(problem: string): never {
    throw new ScannerError(this.line, problem);
  }
}
