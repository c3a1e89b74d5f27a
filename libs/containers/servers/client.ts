import type { Bytes } from '../../engine/kernel/bytes.js';
import { SystemError, type ErrorCode } from '../../engine/kernel/errno.js';
import { exit, type Plain, type Program, type Wait, YIELD } from '../../engine/kernel/process/program.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../engine/machinery/time/time.js';
import { addOutput, flushOutput, type Output } from '../tools/framework/output.js';
import { lookUp } from './lookup.js';

/** A client that runs, in one step of its. */
export interface Calling<Own extends Plain> {
  readonly sys: Syscalls;
  readonly own: Own;
  /** What has come and is not taken yet. */
  received: Bytes;
  send(bytes: Bytes): void;
  out(bytes: Bytes): void;
  err(bytes: Bytes): void;
  /** Ends the process when all is written. */
  exit(code: number): void;
  /** The next line of standard input without its end; undefined: it has not come yet, null: there is no more. */
  line(): Bytes | null | undefined;
  /** `turn` is called again then, also when nothing comes. */
  wakeAt(at: Millis): void;
  /** Leaves this server, and connects to another one, or again; `at`: not before then. */
  connect(host: Bytes, port: number, at?: Millis): void;
  /** The server has ended the connection. */
  readonly isEnded: boolean;
}

/** Why there is no connection. */
export type Unreachable = ErrorCode | 'UNKNOWN_HOST' | 'TIMEOUT';

/** A client of one server, as functions over its own plain data. */
export interface ClientProgram<Own extends Plain> {
  /** From the command line: where it connects. A number ends the process after what it has printed. */
  start(
    argv: readonly Bytes[],
    sys: Syscalls,
    print: Pick<Calling<Own>, 'out' | 'err'>,
  ): { readonly own: Own; readonly host: Bytes; readonly port: number } | number;
  /** The connection stands. */
  begin?(client: Calling<Own>): void;
  /** Something has come: bytes, a line, a time, the end. */
  turn(client: Calling<Own>): void;
  refused(client: Calling<Own>, why: Unreachable, host: Bytes, port: number): void;
  readonly connectMs?: Millis;
}

type State = {
  own: Plain;
  host: Bytes;
  port: number;
  phase: 'new' | 'connecting' | 'open' | 'closed';
  descriptor: number | null;
  until: number;
  unsent: Bytes;
  received: Bytes;
  isEnded: boolean;
  input: Bytes;
  isInputEnded: boolean;
  wakeAt: number | null;
  output: Output;
  code: number | null;
};

const CHUNK = 65_536;
const MAX_RECEIVED = 16 << 20;
const CONNECT_MS = 30_000;

/** A program that talks to one server; all of its state is plain data. */
export function defineClient<Own extends Plain>(client: ClientProgram<Own>): Program {
  const program: Program<State> = {
    start(argv, sys) {
      const output: Output = [];
      const print = {
        out: (bytes: Bytes): void => addOutput(output, 1, bytes),
        err: (bytes: Bytes): void => addOutput(output, 2, bytes),
      };
      const begun = client.start(argv, sys, print);
      const target = typeof begun === 'number' ? { own: null, host: '', port: 0 } : begun;
      return {
        ...{ own: target.own, host: target.host, port: target.port, phase: 'new', descriptor: null, until: 0 },
        ...{ unsent: '', received: '', isEnded: false, input: '', isInputEnded: false, wakeAt: null, output },
        code: typeof begun === 'number' ? begun : null,
      };
    },
    step(state, sys) {
      const blocked = flushOutput(state.output, sys);
      if (blocked !== undefined) return blocked;
      if (state.code !== null) return exit(state.code);
      const wait = new Step(client, state, sys).take();
      return state.output.length > 0 || state.code !== null ? YIELD : wait;
    },
  };
  return program as unknown as Program;
}

class Step<Own extends Plain> implements Calling<Own> {
  private wantsLine = false;

  constructor(
    private readonly client: ClientProgram<Own>,
    private readonly state: State,
    readonly sys: Syscalls,
  ) {}

  get own(): Own {
    return this.state.own as Own;
  }
  get received(): Bytes {
    return this.state.received;
  }
  set received(bytes: Bytes) {
    this.state.received = bytes;
  }
  get isEnded(): boolean {
    return this.state.isEnded;
  }

  send(bytes: Bytes): void {
    this.state.unsent += bytes;
  }
  out(bytes: Bytes): void {
    addOutput(this.state.output, 1, bytes);
  }
  err(bytes: Bytes): void {
    addOutput(this.state.output, 2, bytes);
  }
  exit(code: number): void {
    this.state.code ??= code;
  }
  wakeAt(at: Millis): void {
    this.state.wakeAt = at;
  }

  connect(host: Bytes, port: number, at = 0): void {
    const { state } = this;
    if (state.descriptor !== null) this.sys.close(state.descriptor);
    Object.assign(state, { host, port, phase: 'new', descriptor: null, unsent: '', received: '', isEnded: false });
    state.until = at;
  }

  line(): Bytes | null | undefined {
    const { state } = this;
    for (;;) {
      const at = state.input.indexOf('\n');
      if (at >= 0) {
        const line = state.input.slice(0, at);
        state.input = state.input.slice(at + 1);
        return line.replace(/\r$/, '');
      }
      if (state.isInputEnded || state.input.length > MAX_RECEIVED) {
        const rest = state.input;
        state.input = '';
        return rest === '' ? null : rest;
      }
      const bytes = this.sys.read(0, CHUNK);
      if (bytes === undefined) {
        this.wantsLine = true;
        return undefined;
      }
      if (bytes === '') state.isInputEnded = true;
      state.input += bytes;
    }
  }

  take(): Wait {
    const { state } = this;
    try {
      if (state.phase === 'new' && this.sys.now < state.until) return { type: 'wait', until: state.until };
      if (state.phase === 'new') this.open();
      if (state.phase === 'connecting') {
        const wait = this.proceed();
        if (wait) return wait;
      }
      if (state.phase === 'open') this.talk();
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (state.phase === 'open') {
        state.isEnded = true;
        this.client.turn(this);
        if (state.phase === 'open') this.exit(1);
      } else this.refuse(error.code);
    }
    return this.wait();
  }

  private refuse(why: Unreachable): void {
    const { state } = this;
    const { host, port } = state;
    if (state.descriptor !== null) this.sys.close(state.descriptor);
    state.descriptor = null;
    state.phase = 'closed';
    this.client.refused(this, why, host, port);
    // One that does not try again ends.
    if (state.phase === 'closed' && state.code === null) this.exit(1);
  }

  private open(): void {
    const { state, sys } = this;
    const [address] = lookUp(sys, state.host).addresses;
    if (address === undefined) return this.refuse('UNKNOWN_HOST');
    state.descriptor = sys.connect(address, state.port);
    state.until = sys.now + (this.client.connectMs ?? CONNECT_MS);
    state.phase = 'connecting';
  }

  private proceed(): Wait | undefined {
    const { state, sys } = this;
    const descriptor = state.descriptor!;
    try {
      const code = sys.connectError(descriptor);
      if (code !== undefined) throw new SystemError(code);
    } catch (error) {
      if (!(error instanceof SystemError) || error.code !== 'EAGAIN') throw error;
      if (sys.now < state.until) return { type: 'wait', writable: [descriptor], until: state.until };
      this.refuse('TIMEOUT');
      return undefined;
    }
    state.phase = 'open';
    this.client.begin?.(this);
    return undefined;
  }

  private talk(): void {
    const { state, sys } = this;
    const descriptor = state.descriptor!;
    while (!state.isEnded && state.received.length < MAX_RECEIVED) {
      const bytes = sys.read(descriptor, CHUNK);
      if (bytes === undefined) break;
      sys.charge(10 + (bytes.length >> 5));
      if (bytes === '') state.isEnded = true;
      state.received += bytes;
    }
    if (state.wakeAt !== null && sys.now >= state.wakeAt) state.wakeAt = null;
    this.client.turn(this);
    if (state.phase === 'open' && state.unsent !== '' && !state.isEnded)
      state.unsent = state.unsent.slice(sys.write(descriptor, state.unsent));
    if (state.phase === 'open' && state.isEnded && state.code === null && state.wakeAt === null) this.exit(1);
  }

  private wait(): Wait {
    const { state } = this;
    if (state.phase === 'new') return YIELD;
    const readable = state.isEnded || state.descriptor === null ? [] : [state.descriptor];
    if (this.wantsLine) readable.push(0);
    return {
      type: 'wait',
      readable,
      ...(state.unsent !== '' && !state.isEnded && { writable: [state.descriptor!] }),
      ...(state.wakeAt !== null && { until: state.wakeAt }),
    };
  }
}
