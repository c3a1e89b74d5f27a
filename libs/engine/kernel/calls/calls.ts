import { hash32 } from '../../machinery/random.js';
import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { TrackEntry } from '../conntrack/print.js';
import { useCpu } from '../cgroup/cpu.js';
import { cgroupStat } from '../cgroup/stat.js';
import { readDescription, writeDescription } from '../descriptors/io.js';
import { seek, truncate } from '../descriptors/offset.js';
import { closeDescriptor, descriptionOf, duplicate } from '../descriptors/table.js';
import type { ErrorCode } from '../errno.js';
import type { FileStat, FileSystemStat, MountEntry } from '../files/file.js';
import { EMPTY_RULESET, type Ruleset } from '../netfilter/index.js';
import { cpusOf } from '../proc/system.js';
import type { ProcessLimits } from '../process/limits.js';
import type { Process } from '../process/process.js';
import type { Plain } from '../process/program.js';
import { actionOf } from '../process/signal.js';
import { fork, replace, spawn } from '../process/spawn.js';
import type {
  Accepted,
  CgroupStat,
  ChildStatus,
  NameAnswer,
  Neighbour,
  NetworkInterface,
  OpenFlags,
  ProcessInfo,
  Route,
  SeekFrom,
  SocketInfo,
  SpawnRequest,
  Syscalls,
} from '../process/syscalls.js';
import { parentPid } from '../process/table.js';
import { changeRoot } from '../process/root.js';
import { permitNetwork, permitPath } from '../process/confinement/confine.js';
import { permitCall, type FilteredCall } from '../process/filter.js';
import { capabilitiesOf, viewerOf } from '../process/viewer.js';
import { waitFor } from '../process/wait.js';
import type { Signal, SignalAction } from '../signals.js';
import { askName } from '../sockets/ask-name.js';
import { echoTo } from '../sockets/echo.js';
import type { KernelFacts, KernelMessage } from '../proc/kernel-facts.js';
import { kernelLogOf, kernelOf } from '../proc/kernels.js';
import type { State } from '../state.js';
import { setTerminalMode } from '../terminals/input.js';
import { noteTyped } from '../terminals/typed.js';
import { terminalName } from '../terminals/output.js';
import * as attributes from './attributes.js';
import * as names from './names.js';
import * as network from './network.js';
import { open, openPipe } from './open.js';
import * as processes from './processes.js';
import { findTerminal, setForeground, terminalOf } from './terminals.js';

/** Charged steps of calls that cost more than a look at a table. */
const COST = { call: 1, path: 5, spawn: 200, fork: 100, connect: 50, perKilobyte: 1 };
const DEFAULT_READ = 65_536;

/** The system calls of one process: each is one line here, and its rules stand in the file of its subject. */
export class ProcessCalls implements Syscalls {
  constructor(
    private readonly state: State,
    private readonly process: Process,
  ) {}

  get pid(): number {
    return this.process.pid;
  }
  get parent(): number {
    return parentPid(this.state, this.process);
  }
  get user(): number {
    return this.process.user;
  }
  get group(): number {
    return this.process.groupId;
  }
  get groups(): readonly number[] {
    return this.process.groups;
  }
  get now(): Millis {
    return this.state.now;
  }
  get clock(): Millis {
    return this.state.now + (this.state.containers.get(this.process.container)?.trouble?.clockMs ?? 0);
  }
  get cpus(): number {
    return cpusOf(this.state);
  }
  get bootedAt(): Millis {
    return this.state.bootedAt;
  }
  get hostname(): Bytes {
    return this.state.containers.get(this.process.container)?.hostname ?? 'localhost';
  }
  get argv(): readonly Bytes[] {
    return this.process.argv;
  }
  setTitle(title: Bytes): void {
    this.process.argv = [title];
  }
  get env(): Record<string, Bytes> {
    return this.process.env;
  }
  cwd(): Bytes {
    return this.process.cwd;
  }
  chdir(path: Bytes): void {
    this.charge(COST.path);
    this.process.cwd = attributes.directoryFor(this.state, this.process, path);
  }
  chroot(path: Bytes): void {
    permitCall(this.state, this.process, 'chroot');
    this.charge(COST.path);
    changeRoot(this.process, viewerOf(this.state, this.process), path);
  }
  umask(mask?: number): number {
    const before = this.process.umask;
    if (mask !== undefined) this.process.umask = mask & 0o777;
    return before;
  }
  setLimits(limits: ProcessLimits): void {
    this.process.limits = limits;
  }

  open(path: Bytes, flags: OpenFlags, mode = 0o666): number {
    this.charge(COST.path);
    permitPath(this.state, this.process, path, flags.write || flags.append || flags.create ? 'w' : 'r');
    return open(this.state, this.process, path, flags, mode);
  }
  read(descriptor: number, max = DEFAULT_READ): Bytes | undefined {
    const bytes = readDescription(this.state, this.process, descriptionOf(this.state, this.process, descriptor), max);
    this.chargeBytes(bytes?.length ?? 0);
    return bytes;
  }
  write(descriptor: number, bytes: Bytes): number {
    const description = descriptionOf(this.state, this.process, descriptor);
    const count = writeDescription(this.state, this.process, description, bytes);
    if (description.type === 'file') this.state.isMemoryChanged = true;
    this.chargeBytes(count);
    return count;
  }
  close(descriptor: number): void {
    closeDescriptor(this.state, this.process, descriptor);
  }
  duplicate(descriptor: number, as?: number): number {
    return duplicate(this.state, this.process, descriptor, as);
  }
  descriptors(): readonly number[] {
    return Object.keys(this.process.descriptors).map(Number);
  }
  pipe(): { readonly reader: number; readonly writer: number } {
    this.charge(COST.call);
    return openPipe(this.state, this.process);
  }
  seek(descriptor: number, offset: number, from: SeekFrom): number {
    return seek(this.state, descriptionOf(this.state, this.process, descriptor), offset, from);
  }
  truncate(descriptor: number, length: number): void {
    truncate(this.state, descriptionOf(this.state, this.process, descriptor), length);
  }
  stat(path: Bytes): FileStat {
    this.charge(COST.path);
    return attributes.stat(this.state, this.process, path, true);
  }
  lstat(path: Bytes): FileStat {
    this.charge(COST.path);
    return attributes.stat(this.state, this.process, path, false);
  }
  fstat(descriptor: number): FileStat {
    return attributes.statDescription(this.state, descriptionOf(this.state, this.process, descriptor).id);
  }
  readDirectory(path: Bytes): readonly Bytes[] {
    const found = attributes.readDirectory(this.state, this.process, path);
    this.charge(COST.path + found.length);
    return found;
  }
  makeDirectory(path: Bytes, mode = 0o777): void {
    this.permitChange('mkdir', path);
    names.makeDirectory(this.state, this.process, path, mode);
  }
  makeNode(path: Bytes, type: 'fifo' | 'char' | 'block', mode = 0o666, device?: readonly [number, number]): void {
    this.permitChange('mknod', path);
    names.makeNode(this.state, this.process, path, type, mode, device);
  }
  /** Whether a call may change a path; who may not is not charged. */
  private permitChange(call: FilteredCall, path: Bytes): void {
    permitCall(this.state, this.process, call);
    permitPath(this.state, this.process, path, 'w');
    this.charge(COST.path);
  }
  removeDirectory(path: Bytes): void {
    this.permitChange('rmdir', path);
    names.removeDirectory(this.state, this.process, path);
  }
  unlink(path: Bytes): void {
    this.permitChange('unlink', path);
    names.unlink(this.state, this.process, path);
  }
  rename(from: Bytes, to: Bytes): void {
    permitCall(this.state, this.process, 'rename');
    permitPath(this.state, this.process, from, 'w');
    permitPath(this.state, this.process, to, 'w');
    this.charge(COST.path);
    names.rename(this.state, this.process, from, to);
  }
  link(existing: Bytes, path: Bytes): void {
    this.permitChange('link', path);
    names.linkFile(this.state, this.process, existing, path);
  }
  symlink(target: Bytes, path: Bytes): void {
    this.permitChange('symlink', path);
    names.makeLink(this.state, this.process, target, path);
  }
  readLink(path: Bytes): Bytes {
    this.charge(COST.path);
    return attributes.readLink(this.state, this.process, path);
  }
  realPath(path: Bytes): Bytes {
    this.charge(COST.path);
    return attributes.realPath(this.state, this.process, path);
  }
  access(path: Bytes, mode: string): boolean {
    this.charge(COST.path);
    return attributes.access(this.state, this.process, path, mode);
  }
  chmod(path: Bytes, mode: number): void {
    this.permitChange('chmod', path);
    attributes.chmod(this.state, this.process, path, mode);
  }
  chown(path: Bytes, user: number, group: number, ownLink = false): void {
    this.permitChange('chown', path);
    attributes.chown(this.state, this.process, path, user, group, !ownLink);
  }
  setTimes(path: Bytes, accessed: Millis, modified: Millis): void {
    this.permitChange('utime', path);
    attributes.setTimes(this.state, this.process, path, accessed, modified);
  }
  mounts(): readonly MountEntry[] {
    return attributes.mountEntries(this.state, this.process);
  }
  statFileSystem(path: Bytes): FileSystemStat {
    return attributes.statFileSystem(this.state, this.process, path);
  }

  isTerminal(descriptor: number): boolean {
    return findTerminal(this.state, this.process, descriptor) !== undefined;
  }
  terminalName(descriptor: number): string | undefined {
    const terminal = findTerminal(this.state, this.process, descriptor);
    return terminal === undefined ? undefined : terminalName(terminal);
  }
  terminalSize(descriptor: number): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = terminalOf(this.state, this.process, descriptor);
    return { columns, rows };
  }
  setTerminalMode(descriptor: number, mode: 'raw' | 'cooked' | 'no-echo'): void {
    setTerminalMode(this.state, terminalOf(this.state, this.process, descriptor), mode);
  }
  noteTyped(descriptor: number, line: Bytes): void {
    noteTyped(this.state, terminalOf(this.state, this.process, descriptor), line);
  }
  setForeground(descriptor: number, group: number): void {
    setForeground(this.state, this.process, descriptor, group);
  }
  foreground(descriptor: number): number {
    return terminalOf(this.state, this.process, descriptor).foreground;
  }

  spawn(request: SpawnRequest): number {
    this.charge(COST.spawn);
    this.state.isMemoryChanged = true;
    return spawn(this.state, this.process, request).pid;
  }
  fork(state: Plain): number {
    this.charge(COST.fork);
    this.state.isMemoryChanged = true;
    return fork(this.state, this.process, state).pid;
  }
  exec(path: Bytes, argv: readonly Bytes[], env?: Readonly<Record<string, Bytes>>): void {
    this.charge(COST.spawn);
    replace(this.state, this.process, path, argv, env);
  }
  wait(pid: number, options: { readonly stopped?: boolean } = {}): ChildStatus | undefined {
    this.charge(COST.call);
    return waitFor(this.state, this.process, pid, options.stopped === true);
  }
  kill(pid: number, signal: Signal | 0): void {
    permitCall(this.state, this.process, 'kill');
    this.charge(COST.call);
    processes.kill(this.state, this.process, pid, signal);
  }
  handleSignal(signal: Signal, action: SignalAction): void {
    processes.handleSignal(this.process, signal, action);
  }
  signalAction(signal: Signal): SignalAction {
    return actionOf(this.process, signal);
  }
  takeSignal(): Signal | undefined {
    return this.process.caught.shift();
  }
  setGroup(pid: number, group: number): void {
    processes.setGroup(this.state, this.process, pid, group);
  }
  groupOf(pid: number): number {
    return processes.groupOf(this.state, this.process, pid);
  }
  setSession(): number {
    return processes.setSession(this.process);
  }
  setUser(user: number, group: number, groups?: readonly number[]): void {
    processes.setUser(this.state, this.process, user, group, groups);
  }
  hasCapability(name: string): boolean {
    return capabilitiesOf(this.state, this.process).includes(name.replace(/^CAP_/, ''));
  }
  get kernel(): KernelFacts {
    return kernelOf(this.state, this.process.container);
  }
  kernelLog(): readonly KernelMessage[] {
    this.charge(COST.path);
    return kernelLogOf(this.state, this.process.container, this.hasCapability('SYSLOG'));
  }
  processes(): readonly ProcessInfo[] {
    this.charge(this.state.processes.size);
    return processes.processesFor(this.state, this.process);
  }

  enterNetwork(name: string): void {
    this.charge(COST.call);
    network.enterNamespace(this.state, this.process, name);
  }
  listen(port: number, options: { readonly address?: string; readonly protocol?: 'tcp' | 'udp' } = {}): number {
    permitCall(this.state, this.process, 'socket');
    permitNetwork(this.state, this.process);
    this.charge(COST.connect);
    return network.listen(this.state, this.process, port, options);
  }
  accept(descriptor: number): Accepted | undefined {
    this.charge(COST.call);
    return network.accept(this.state, this.process, descriptor);
  }
  connect(address: string, port: number, protocol: 'tcp' | 'udp' = 'tcp'): number {
    permitCall(this.state, this.process, 'socket');
    permitNetwork(this.state, this.process);
    this.charge(COST.connect);
    return network.connect(this.state, this.process, address, port, protocol);
  }
  connectError(descriptor: number): ErrorCode | undefined {
    return network.connectError(this.state, this.process, descriptor);
  }
  shutdown(descriptor: number): void {
    network.shutDown(this.state, this.process, descriptor);
  }
  peerName(descriptor: number): { readonly address: string; readonly port: number } {
    return network.peerName(this.state, this.process, descriptor);
  }
  socketName(descriptor: number): { readonly address: string; readonly port: number } {
    return network.socketName(this.state, this.process, descriptor);
  }
  sockets(): readonly SocketInfo[] {
    return network.socketsOf(this.state, this.process);
  }
  interfaces(): readonly NetworkInterface[] {
    return this.state.network.interfaces();
  }
  routes(family?: '6'): readonly Route[] {
    if (family === '6') return this.state.network.routes6?.() ?? [];
    return this.state.network.routes();
  }
  neighbours(): readonly Neighbour[] {
    return this.state.network.neighbours?.() ?? [];
  }
  netfilter(isSixth?: boolean): Ruleset {
    return this.state.network.netfilter?.(this.state.now, isSixth) ?? EMPTY_RULESET;
  }
  tracked(): readonly TrackEntry[] | undefined {
    this.charge(COST.connect);
    return this.state.network.tracked?.(this.state.now);
  }
  forgetTrack(entry: TrackEntry): void {
    this.state.network.forget?.(entry, this.state.now);
  }
  capture(): number {
    return network.capture(this.state, this.process);
  }
  lostPackets(descriptor: number): number {
    return network.lostPackets(this.state, this.process, descriptor);
  }
  echo(address: string): boolean {
    this.charge(COST.connect);
    return echoTo(this.state, address);
  }
  queryName(server: string, name: string, type: string): NameAnswer {
    this.charge(COST.connect);
    return askName(this.state, server, name, type);
  }

  get charged(): number {
    return this.state.charged;
  }

  charge(steps: number): void {
    this.state.charged += steps;
  }
  private chargeBytes(count: number): void {
    this.charge(COST.call + Math.ceil(count / 1_024) * COST.perKilobyte);
  }
  useCpu(ms: Millis, steady?: number): void {
    useCpu(this.state.containers.get(this.process.container)!, Math.max(0, ms), this.state.now, steady);
  }
  random(): number {
    const draw = this.process.draws++;
    return hash32(`${this.process.id}.${draw}`, this.state.seed) / 2 ** 32;
  }
  setMemory(bytes: number): void {
    this.process.memory = Math.max(0, bytes);
    this.state.isMemoryChanged = true;
  }
  cgroup(): CgroupStat {
    return cgroupStat(this.state, this.state.containers.get(this.process.container)!);
  }
}
