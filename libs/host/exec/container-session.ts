import { Readable, Writable } from 'node:stream';
import { ApiError, type SessionInput, type SessionOutput, type TerminalSize } from '@terrarium/engine';
import { ByteQueue } from './byte-queue.js';
import { SESSION_LIMITS, type SessionLimits } from './session-limits.js';
import type { SessionLink } from './session-link.js';

/** How a session has ended; `error` when it could not be served to its end. */
export type SessionEnd =
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'error'; readonly error: ApiError }
  /** The cluster is deleted, or this process serves it no longer. */
  | { readonly type: 'closed' };

type Done = (error?: Error | null) => void;

const TOO_MANY_REQUESTS = 429;
/** An input that was not taken is sent again after so many ms, and so often. */
const RETRY_MS = 200;
/** How soon a program that waits for the API server goes on. */
const GO_ON_MS = 10;
const RETRIES = 50;

/** Of the stream before the queue, which is what bounds stdin. */
const STDIN_MARK = 1024;

const INTERNAL_ERROR = new ApiError(500, 'InternalError', 'error executing command in container');

/**
 * One session of a container, from its opening to its end, as streams: what is written to `stdin` becomes inputs of the
 * cluster, at most one at a time, and the next one takes all that has come meanwhile; what the session prints is read
 * after every change of its pod and at the times that it names, as long as there is room in `stdout` and `stderr`.
 */
export class ContainerSession {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the session is over. The last output may still wait to be read from the streams. */
  readonly end: Promise<SessionEnd>;
  private readonly limits: SessionLimits;
  private readonly position = { stdoutFrom: 0, stderrFrom: 0 };
  private acknowledged = 0;
  private readonly stdinBytes = new ByteQueue();
  private whenStdinHasRoom: Done | undefined;
  private isStdinOver = false;
  private isStdinClosed = false;
  private size: TerminalSize | undefined;
  private mustAcknowledge = false;
  private isSending = false;
  /** Bytes that were taken and that the process has not read. */
  private unread = 0;
  /** The process has not taken all of an input. Nothing more is sent before it has fewer bytes to read than these. */
  private fullAt: number | undefined;
  private isReading = false;
  private mustReadAgain = false;
  private fullStreams = new Set<Readable>();
  private timer: NodeJS.Timeout | undefined;
  private unlisten: () => void = () => undefined;
  private isOver = false;
  private isHungUp = false;
  private resolveEnd!: (end: SessionEnd) => void;

  /** `over`: it is over already, and has no record. */
  constructor(
    private readonly link: SessionLink,
    limits: Partial<SessionLimits> = {},
    over?: SessionOutput,
  ) {
    this.limits = { ...SESSION_LIMITS, ...limits };
    this.end = new Promise((resolve) => (this.resolveEnd = resolve));
    this.stdin = new Writable({
      highWaterMark: STDIN_MARK,
      write: (chunk, _encoding, done) => this.takeStdin(chunk as Buffer, done),
      final: (done) => this.endStdin(done),
    });
    // The session ends by itself, with a reason.
    this.stdin.on('error', () => undefined);
    const output = (): Readable => {
      const stream = new Readable({ highWaterMark: this.limits.outputBytes, read: () => this.makeRoom(stream) });
      return stream;
    };
    this.stdout = output();
    this.stderr = output();
    if (over) this.showEnd(over);
    else void this.start();
  }

  resize(size: TerminalSize): void {
    this.size = size;
    void this.sendAll();
  }

  /** The client has left, or has had all: the session's processes are hung up on. */
  close(): void {
    this.finish({ type: 'closed' });
    if (!this.isHungUp) void this.hangUp();
  }

  private showEnd({ stdout, stderr, exit }: SessionOutput): void {
    this.isHungUp = true;
    this.push(this.stdout, stdout);
    this.push(this.stderr, stderr);
    this.finish({ type: 'exit', code: exit?.code ?? 0 });
  }

  private async start(): Promise<void> {
    try {
      const unlisten = await this.link.listen({
        changed: () => this.read(),
        ended: () => this.finish({ type: 'closed' }),
      });
      if (this.isOver) return unlisten();
      this.unlisten = unlisten;
      this.read();
    } catch (error) {
      this.fail(error);
    }
  }

  // ---- input ----

  /** Takes bytes at once as long as there is room for them. */
  private takeStdin(bytes: Buffer, done: Done): void {
    if (this.isOver) return done();
    this.stdinBytes.push(bytes);
    if (this.stdinBytes.length < this.limits.waitingBytes) done();
    else this.whenStdinHasRoom = done;
    void this.sendAll();
  }

  private endStdin(done: Done): void {
    this.isStdinOver = true;
    void this.sendAll();
    done();
  }

  private async sendAll(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      for (let next = this.takeInput(); next && !this.isOver; next = this.takeInput()) {
        const { stdoutFrom, stderrFrom } = this.position;
        this.keepRest(next, await this.retry(next));
        this.acknowledged = stdoutFrom + stderrFrom;
        this.makeStdinRoom();
        this.read();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.isSending = false;
    }
  }

  /** What was not taken waits here, and is sent again. */
  private keepRest({ stdin = '', closeStdin }: SessionInput, taken: number): void {
    this.unread += taken;
    if (taken === stdin.length) return;
    this.stdinBytes.putBack(Buffer.from(stdin.slice(taken), 'latin1'));
    if (closeStdin) this.isStdinClosed = false;
    this.fullAt = Infinity;
  }

  /** The process has read some of what it was full of, or all. */
  private noteRoom(unread: number): void {
    this.unread = unread;
    if (this.fullAt === undefined) return;
    const hasRoom = unread === 0 || (unread < this.fullAt && this.fullAt < Infinity);
    this.fullAt = hasRoom ? undefined : unread;
  }

  /**
   * The next input; undefined for none. While the process does not read what it was sent, the rest of stdin waits here,
   * and the client with it.
   */
  private takeInput(): SessionInput | undefined {
    const { size, mustAcknowledge } = this;
    const stdin = this.takeStdinBytes();
    const closeStdin = this.isStdinOver && !this.isStdinClosed && this.stdinBytes.length === 0;
    if (!size && stdin === '' && !closeStdin && !mustAcknowledge) return undefined;
    this.size = undefined;
    this.mustAcknowledge = false;
    this.isStdinClosed ||= closeStdin;
    return {
      ...(size && { resize: size }),
      ...(stdin && { stdin }),
      ...(closeStdin && { closeStdin }),
      received: this.received(),
    };
  }

  private takeStdinBytes(): string {
    const { inputBytes, waitingBytes } = this.limits;
    if (this.fullAt !== undefined) return '';
    const room = this.unread === 0 ? inputBytes : Math.min(inputBytes, waitingBytes - this.unread);
    return room > 0 ? this.stdinBytes.take(room).toString('latin1') : '';
  }

  private makeStdinRoom(): void {
    if (this.stdinBytes.length >= this.limits.waitingBytes) return;
    const done = this.whenStdinHasRoom;
    this.whenStdinHasRoom = undefined;
    done?.();
  }

  private received(): NonNullable<SessionInput['received']> {
    return { stdout: this.position.stdoutFrom, stderr: this.position.stderrFrom };
  }

  /** Only an input that is known not to have been taken is sent again: keys must not be typed twice. */
  private async retry(input: SessionInput): Promise<number> {
    for (let tries = 0; ; tries++) {
      try {
        return await this.link.input(input);
      } catch (error) {
        const isRefused = error instanceof ApiError && error.code === TOO_MANY_REQUESTS;
        if (!isRefused || tries >= RETRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Also after the end: the session's record is not needed any more. */
  private async hangUp(): Promise<void> {
    this.isHungUp = true;
    try {
      await this.retry({ received: this.received(), hangUp: true });
    } catch {
      // The pod or the cluster is gone, or nothing is stored now: the session ends with its container.
    }
  }

  // ---- output ----

  private makeRoom(stream: Readable): void {
    if (this.fullStreams.delete(stream)) this.read();
  }

  /** One reading at a time: what changes meanwhile is found by the next one. */
  private read(): void {
    this.mustReadAgain = true;
    if (!this.isReading) void this.readAll();
  }

  private async readAll(): Promise<void> {
    this.isReading = true;
    try {
      while (this.mustReadAgain && !this.isOver && this.fullStreams.size === 0) {
        this.mustReadAgain = false;
        clearTimeout(this.timer);
        await this.readOnce();
      }
    } catch (error) {
      this.fail(error);
    } finally {
      this.isReading = false;
    }
  }

  private async readOnce(): Promise<void> {
    const { position } = this;
    const { output, wakeInMs } = await this.link.read({ ...position });
    if (this.isOver) return;
    position.stdoutFrom = (output.stdoutFrom ?? position.stdoutFrom) + output.stdout.length;
    position.stderrFrom = (output.stderrFrom ?? position.stderrFrom) + output.stderr.length;
    this.push(this.stdout, output.stdout);
    this.push(this.stderr, output.stderr);
    if (output.exit) return this.finish({ type: 'exit', code: output.exit.code });
    this.noteRoom(output.unread ?? 0);
    this.acknowledgeMuch(output.stdout === '' && output.stderr === '');
    void this.sendAll();
    if (output.waits) this.timer = setTimeout(() => this.pushOn(), GO_ON_MS);
    else if (wakeInMs !== undefined) this.timer = setTimeout(() => this.read(), wakeInMs);
  }

  /**
   * The machine keeps what the client has not acknowledged, and each input writes that down: while there is more to be
   * read, reading goes on, so that mostly nothing is left to be written.
   */
  private acknowledgeMuch(isDry: boolean): void {
    const { stdoutFrom, stderrFrom } = this.position;
    if (stdoutFrom + stderrFrom - this.acknowledged < this.limits.unacknowledgedBytes) return;
    if (isDry) this.mustAcknowledge = true;
    else this.mustReadAgain = true;
  }

  /** An input without anything in it: a reading cannot ask the API server for a program. */
  private pushOn(): void {
    this.mustAcknowledge = true;
    void this.sendAll();
  }

  private push(stream: Readable, bytes: string): void {
    if (bytes !== '' && !stream.push(Buffer.from(bytes, 'latin1'))) this.fullStreams.add(stream);
  }

  // ---- end ----

  private fail(error: unknown): void {
    this.finish({ type: 'error', error: error instanceof ApiError ? error : INTERNAL_ERROR });
  }

  private finish(end: SessionEnd): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.unlisten();
    this.whenStdinHasRoom?.();
    this.stdin.destroy();
    this.stdout.push(null);
    this.stderr.push(null);
    this.resolveEnd(end);
  }
}
