import type { SessionInput, SessionPosition } from '@terrarium/engine';
import type { SessionLink, SessionListener, SessionReading } from './session-link.js';

/** A session of no cluster, for specs: what it is sent is kept, and what the spec lets it print is read. */
export class FakeProcess implements SessionLink {
  readonly inputs: SessionInput[] = [];
  /** All of stdin so far. */
  stdin = '';
  unread: number | undefined;
  /** So many bytes of stdin are taken of each input. */
  takes = Infinity;
  readings = 0;
  /** A program of it waits for the API server. */
  waits = false;
  /** What an input waits for. */
  store: (input: SessionInput) => Promise<void> = async () => undefined;
  private readonly printed = { stdout: '', stderr: '' };
  private code: number | undefined;
  private readonly listeners = new Set<SessionListener>();

  /** Called with each input, once it is stored. */
  constructor(private readonly react: (input: SessionInput, process: FakeProcess) => void = () => undefined) {}

  get isHungUp(): boolean {
    return this.inputs.some(({ hangUp }) => hangUp);
  }

  get received(): SessionInput['received'] {
    return this.inputs.at(-1)?.received;
  }

  print(stdout: string, stderr = ''): void {
    this.printed.stdout += stdout;
    this.printed.stderr += stderr;
    this.change();
  }

  exit(code: number): void {
    this.code = code;
    this.change();
  }

  change(): void {
    for (const listener of [...this.listeners]) listener.changed();
  }

  unload(): void {
    for (const listener of [...this.listeners]) listener.ended();
  }

  async input(input: SessionInput): Promise<number> {
    await this.store(input);
    this.inputs.push(input);
    const taken = (input.stdin ?? '').slice(0, this.takes);
    this.stdin += taken;
    this.react(input, this);
    return taken.length;
  }

  async read({ stdoutFrom, stderrFrom }: SessionPosition): Promise<SessionReading> {
    this.readings++;
    const stdout = this.printed.stdout.slice(stdoutFrom);
    const stderr = this.printed.stderr.slice(stderrFrom);
    const exit = this.code === undefined ? undefined : { code: this.code };
    const waits = this.waits ? { waits: true as const } : {};
    return { output: { stdout, stderr, exit, unread: this.unread, ...waits }, wakeInMs: undefined };
  }

  async listen(listener: SessionListener): Promise<() => void> {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/** A shell that says its lines in capitals on stdout, and its first line on stderr too; `exit N` and EOF end it. */
export const capitals = (): FakeProcess =>
  new FakeProcess(({ stdin = '', closeStdin }, process) => {
    const code = /^exit (\d+)$/m.exec(stdin)?.[1];
    process.print(stdin.toUpperCase(), process.inputs.length === 1 ? stdin : '');
    if (code !== undefined) process.exit(Number(code));
    else if (closeStdin) process.exit(0);
  });
