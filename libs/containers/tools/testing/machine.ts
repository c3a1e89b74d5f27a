import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { FileNode } from '../../../engine/kernel/files/file.js';
import type { Plain, Program, Wait } from '../../../engine/kernel/process/program.js';
import { type Open, type Pipe, isReadable, isWritable } from './open-files.js';
import type { Process } from './processes.js';
import { TestKernel } from './syscalls.js';
import { splitOn, splitWords, takeRedirections } from './words.js';

export interface Outcome {
  readonly stdout: Bytes;
  readonly stderr: Bytes;
  readonly code: number;
}

/**
 * A small machine for specs of tools: files in memory, pipes, processes that take turns. It runs command lines of
 * words in quotes, `|`, `<`, `>` and `;`, and finds programs by the name of the command.
 */
export class TestMachine extends TestKernel {
  readonly env: Record<string, Bytes> = { PATH: '/usr/bin:/bin', HOME: '/root' };
  cwd: Bytes = '/work';

  constructor(
    programs: Readonly<Record<string, Program>>,
    files: Readonly<Record<string, Bytes | Partial<FileNode>>> = {},
  ) {
    super(programs);
    for (const directory of ['/work', '/usr/bin', '/tmp', '/etc', '/dev']) this.makePath(directory);
    this.place('/dev/null', { type: 'char', mode: 0o666, device: [1, 3] });
    this.place('/etc/passwd', { content: 'root:x:0:0:root:/root:/bin/bash\nnginx:x:101:101::/:/bin/false\n' });
    this.place('/etc/group', { content: 'root:x:0:\nnginx:x:101:\n' });
    for (const [path, file] of Object.entries(files)) {
      this.place(path, typeof file === 'string' ? { content: file } : file);
    }
    for (const name of Object.keys(programs)) this.place(`/usr/bin/${name}`, { mode: 0o755, program: name });
  }

  /** The content of a file; undefined when there is none. */
  read(path: Bytes): Bytes | undefined {
    try {
      return this.find(path, '/').content;
    } catch {
      return undefined;
    }
  }

  run(line: string, input: Bytes = ''): Outcome {
    let outcome: Outcome = { stdout: '', stderr: '', code: 0 };
    for (const pipeline of splitWords(line, ';')) {
      const next = this.runPipeline(pipeline, input);
      outcome = { stdout: outcome.stdout + next.stdout, stderr: outcome.stderr + next.stderr, code: next.code };
    }
    return outcome;
  }

  private runPipeline(words: readonly string[], input: Bytes): Outcome {
    const stdout: Pipe = { buffer: '', writers: 1, readers: 1, capacity: 64 << 20 };
    const stderr: Pipe = { ...stdout };
    let reader: Open = { kind: 'reader', offset: 0, uses: 1, pipe: { ...stdout, buffer: input, writers: 0 } };
    const commands = splitOn(words, '|');
    let last = 0;
    commands.forEach((command, index) => {
      const isLast = index === commands.length - 1;
      const pipe: Pipe = isLast ? stdout : { buffer: '', writers: 0, readers: 1, capacity: 65_536 };
      const [argv, from, to] = takeRedirections(command);
      if (from !== undefined) reader = this.openFile(this.resolve(from, this.cwd), { read: true });
      const flags = { write: true, create: true, truncate: true };
      const writer: Open =
        to !== undefined
          ? this.openFile(this.resolve(to, this.cwd), flags)
          : { kind: 'writer', pipe, offset: 0, uses: 0 };
      const descriptors = new Map<number, Open>([
        [0, reader],
        [1, writer],
        [2, { kind: 'writer', pipe: stderr, offset: 0, uses: 0 }],
      ]);
      last = this.launch(argv, descriptors).pid;
      reader = { kind: 'reader', pipe, offset: 0, uses: 0 };
    });
    const code = this.runAll(last);
    return { stdout: stdout.buffer, stderr: stderr.buffer, code };
  }

  private launch(argv: readonly Bytes[], descriptors: Map<number, Open>): Process {
    const program = this.programs[argv[0] ?? ''];
    if (program === undefined) throw new Error(`no program ${argv[0]}`);
    return this.add(program, argv, { ...this.env }, this.cwd, descriptors, 0);
  }

  /** Runs until the process with this pid has ended; then the rest of its pipeline. */
  private runAll(pid: number): number {
    for (let turns = 0; turns < 200_000; turns++) {
      let hasMoved = false;
      for (const process of [...this.processes]) {
        if (process.ended !== undefined || (process.until !== undefined && process.until > this.now)) continue;
        const before = JSON.stringify(process.state).length;
        const wait = process.program.step(process.state, this.syscalls(process));
        // State must be plain data: it goes through JSON after each step.
        if (before < 20_000) process.state = JSON.parse(JSON.stringify(process.state)) as Plain;
        hasMoved = this.settle(process, wait) || hasMoved;
      }
      const ended = this.processes.find((process) => process.pid === pid)?.ended;
      if (ended !== undefined && this.processes.every((p) => p.ended !== undefined || p.parent === 0)) {
        if (!hasMoved || this.processes.every((p) => p.ended !== undefined)) return this.reap(pid);
      }
      if (!hasMoved) this.passTime();
    }
    throw new Error('the command does not end');
  }

  private reap(pid: number): number {
    const ended = this.processes.find((process) => process.pid === pid)!.ended!;
    this.processes = [];
    return ended.signal === 'PIPE' ? 141 : ended.code;
  }

  private passTime(): void {
    const times = this.processes.flatMap((p) => (p.ended === undefined && p.until !== undefined ? [p.until] : []));
    const next = Math.min(...times.filter((time) => time > this.now));
    if (Number.isFinite(next)) this.now = next;
  }

  private settle(process: Process, wait: Wait): boolean {
    delete process.until;
    if (wait.type === 'exit') {
      this.end(process, { pid: process.pid, state: 'exited', code: wait.code });
      return true;
    }
    if (wait.type === 'wait') {
      const ready =
        (wait.readable ?? []).some((fd) => isReadable(process.descriptors.get(fd))) ||
        (wait.writable ?? []).some((fd) => isWritable(process.descriptors.get(fd))) ||
        (wait.child === true && this.processes.some((p) => p.parent === process.pid && p.ended !== undefined));
      if (!ready && wait.until !== undefined && wait.readable === undefined && wait.child === undefined) {
        process.until = wait.until;
      }
      return ready;
    }
    return true;
  }
}
