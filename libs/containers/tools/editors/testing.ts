import { BOOT, imageOf, startMachine } from '../../../engine/kernel/testing.js';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import type { Machine } from '../../../engine/kernel/machine.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { sleepUntil } from '../../../engine/kernel/process/program.js';
import { cat } from '../coreutils/text/cat.js';

/** What a terminal shows after these bytes: as much of VT100 as editors use. */
export class Screen {
  readonly cells: string[][];
  row = 0;
  column = 0;

  constructor(
    readonly rows: number,
    readonly columns: number,
  ) {
    this.cells = Array.from({ length: rows }, () => this.blank());
  }

  private blank(): string[] {
    return Array.from({ length: this.columns }, () => ' ');
  }

  write(bytes: string): this {
    const pattern = /\x1b\[([?]?)([\d;]*)([A-Za-z])|\r|\n|\x08|[^\x1b\r\n\x08]/g;
    for (const [whole, mark, numbers = '', letter] of bytes.matchAll(pattern)) {
      if (letter !== undefined) {
        if (mark === '') this.control(letter, numbers.split(';').map(Number));
      } else if (whole === '\r') this.column = 0;
      else if (whole === '\n') this.newLine();
      else if (whole === '\b') this.column = Math.max(0, this.column - 1);
      else this.put(whole);
    }
    return this;
  }

  private newLine(): void {
    if (++this.row < this.rows) return;
    this.row = this.rows - 1;
    this.cells.shift();
    this.cells.push(this.blank());
  }

  private put(character: string): void {
    if (this.column >= this.columns) {
      this.column = 0;
      this.newLine();
    }
    this.cells[this.row]![this.column++] = character;
  }

  private control(letter: string, [a = 0, b = 0]: readonly number[]): void {
    if (letter === 'H') [this.row, this.column] = [Math.max(0, a - 1), Math.max(0, b - 1)];
    if (letter === 'K' || letter === 'J') this.cells[this.row]!.fill(' ', this.column);
    if (letter !== 'J') return;
    for (let row = a === 2 ? 0 : this.row + 1; row < this.rows; row++) this.cells[row] = this.blank();
  }

  /** Rows without the blanks at their ends. */
  get lines(): string[] {
    return this.cells.map((row) => row.join('').trimEnd());
  }
}

/** What keys may take: a second of virtual time, which the charged work needs. */
const STEP = 1_000;

const sleeper: Program = { start: () => null, step: (_state, sys) => sleepUntil(sys.now + 1_000_000) };

/** A terminal with an editor on a file, `/work/f`. */
export class EditorTerminal {
  private readonly machine: Machine;
  private readonly session: string;
  private now = BOOT;

  constructor(
    program: Program,
    argv: readonly string[],
    content: string | undefined,
    readonly size = { columns: 80, rows: 8 },
    mode = 0o644,
    user = 0,
  ) {
    const owner = { user: 0, group: 0, modified: BOOT };
    const programs = { [argv[0]!]: program, sleeper, cat };
    const files = {
      '/work': { type: 'directory' as const, mode: 0o777, ...owner },
      ...(content !== undefined && { '/work/f': { type: 'file' as const, mode, ...owner, content } }),
      '/work/other': { type: 'file' as const, mode: 0o644, ...owner, content: 'o\n' },
    };
    const root = new FileTree('root', imageOf(programs, files));
    const { machine } = startMachine(programs, ['sleeper'], { root, cwd: '/work', user });
    this.machine = machine;
    this.session = machine.exec('c1', { argv: [...argv], terminal: true, stdin: true, size }, BOOT);
    machine.run(BOOT);
  }

  type(...pieces: readonly string[]): this {
    for (const keys of pieces) {
      this.machine.input(this.session, keys, this.now);
      this.machine.run((this.now += STEP));
    }
    return this;
  }

  resize(columns: number, rows: number): this {
    this.machine.resize(this.session, { columns, rows }, this.now);
    this.machine.run((this.now += STEP));
    return this;
  }

  get output(): string {
    if (this.machine.faults.length > 0) throw new Error(this.machine.faults.join('\n'));
    return this.machine.output(this.session).stdout;
  }

  screen(size = this.size): Screen {
    return new Screen(size.rows, size.columns).write(this.output);
  }

  /** Undefined: it runs. */
  get code(): number | undefined {
    return this.machine.output(this.session).exit?.code;
  }

  /** A file as another process of the container reads it. */
  read(path = '/work/f'): string | undefined {
    const session = this.machine.exec('c1', { argv: ['cat', path], terminal: false, stdin: false }, this.now);
    this.machine.run((this.now += STEP));
    const { stdout, exit } = this.machine.output(session);
    return exit?.code === 0 ? stdout : undefined;
  }
}
