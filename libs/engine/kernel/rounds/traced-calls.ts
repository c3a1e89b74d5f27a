import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import { ProcessCalls } from '../calls/calls.js';
import type { Description } from '../descriptors/description.js';
import { isComputed } from '../files/computed-file-system.js';
import { resolvePath } from '../files/resolve.js';
import { SystemError } from '../errno.js';
import type { FileStat } from '../files/file.js';
import type { Process } from '../process/process.js';
import type { Plain } from '../process/program.js';
import type { OpenFlags } from '../process/syscalls.js';
import { viewerOf } from '../process/viewer.js';
import type { State } from '../state.js';
import type { Recording } from './recording.js';

/**
 * Calls whose answers are the same in each round, as long as no file changes: the class below looks at those that are
 * not always so. Pids of children are names to who gets them: nothing is done with them but to wait for them.
 */
const STEADY: ReadonlySet<string> = new Set([
  ...['user', 'group', 'groups', 'bootedAt', 'hostname', 'argv', 'env', 'cwd', 'umask', 'close', 'duplicate'],
  ...['descriptors', 'pipe', 'isTerminal', 'spawn', 'exec', 'wait', 'handleSignal', 'signalAction', 'takeSignal'],
  ...['hasCapability', 'kernel', 'charge', 'charged', 'chargeBytes', 'setMemory', 'constructor'],
]);

/** The system calls of a process in a round that is written down: any other call spoils it. */
export class TracedCalls extends ProcessCalls {
  constructor(
    private readonly machine: State,
    private readonly caller: Process,
    readonly recording: Recording,
  ) {
    super(machine, caller);
  }

  override get now(): Millis {
    const { programs } = this.machine;
    this.recording.noteClock(this.caller, programs.find(this.caller.program)?.clock?.(this.caller.argv));
    return super.now;
  }
  override get clock(): Millis {
    const use = this.machine.programs.find(this.caller.program)?.clock?.(this.caller.argv);
    const later = super.clock - this.machine.now;
    const shifted = typeof use === 'function' && later !== 0 ? (now: Millis) => use(now + later) : use;
    this.recording.noteClock(this.caller, shifted);
    return super.clock;
  }
  override get parent(): number {
    if (this.caller.parent !== this.recording.main.id && this.caller !== this.recording.main) this.recording.spoil();
    return super.parent;
  }
  override open(path: Bytes, flags: OpenFlags, mode?: number): number {
    this.requireSound();
    this.requireStored(path);
    const descriptor = super.open(path, flags, mode);
    const open = this.find(descriptor);
    const isSteady = open?.type === 'device' ? open.device !== 'random' : open?.type === 'file' && !open.write;
    if (!isSteady) this.recording.spoil();
    return descriptor;
  }
  override read(descriptor: number, max?: number): Bytes | undefined {
    const type = this.find(descriptor)?.type;
    if (type === 'file') this.requireSound();
    if (type !== 'file' && type !== 'pipe' && type !== 'device') this.recording.spoil();
    return super.read(descriptor, max);
  }
  override write(descriptor: number, bytes: Bytes): number {
    const open = this.find(descriptor);
    if (open?.type === 'log') this.recording.notePrint(this.caller, open.stream, bytes, this.machine.now);
    else if (open?.type === 'pipe') this.recording.noteAnswer(this.caller, bytes, this.machine.now);
    else if (open?.type !== 'device') this.recording.spoil();
    return super.write(descriptor, bytes);
  }
  override fork(state: Plain): number {
    this.recording.requireTimeless(this.caller);
    return super.fork(state);
  }
  override chdir(path: Bytes): void {
    this.requireStored(path);
    super.chdir(path);
  }
  override stat(path: Bytes): FileStat {
    this.requireStored(path);
    return super.stat(path);
  }
  override lstat(path: Bytes): FileStat {
    this.requireStored(path);
    return super.lstat(path);
  }
  override access(path: Bytes, mode: string): boolean {
    this.requireStored(path);
    return super.access(path, mode);
  }
  override readDirectory(path: Bytes): readonly Bytes[] {
    this.requireStored(path);
    return super.readDirectory(path);
  }

  /** Files with which something is wrong may fail, or take long, now and then. */
  private requireSound(): void {
    if (this.machine.containers.get(this.caller.container)?.trouble?.mounts) this.recording.spoil();
  }

  private find(descriptor: number): Description | undefined {
    return this.machine.descriptions.get(this.caller.descriptors[descriptor] ?? -1);
  }

  /** What /proc and its like say is another thing at another time. */
  private requireStored(path: Bytes): void {
    try {
      const { mount } = resolvePath(viewerOf(this.machine, this.caller), path, true);
      if (isComputed(mount.files)) this.recording.spoil();
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (/proc|sys/.test(`${this.caller.cwd}/${path}`)) this.recording.spoil();
    }
  }
}

/** Whatever the kernel learns to do is taken to spoil a round until it is looked at here. */
function spoilOthers(): void {
  for (const name of Object.getOwnPropertyNames(ProcessCalls.prototype)) {
    if (STEADY.has(name) || Object.hasOwn(TracedCalls.prototype, name)) continue;
    const known = Object.getOwnPropertyDescriptor(ProcessCalls.prototype, name)!;
    Object.defineProperty(TracedCalls.prototype, name, {
      ...known,
      ...(known.get && { get: spoiling(known.get) }),
      ...(typeof known.value === 'function' && { value: spoiling(known.value as Call) }),
    });
  }
}

type Call = (this: TracedCalls, ...given: unknown[]) => unknown;

const spoiling = (call: Call): Call =>
  function (...given) {
    this.recording.spoil();
    return call.apply(this, given);
  };

spoilOthers();
