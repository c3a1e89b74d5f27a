import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';
import type { ErrorCode } from '../errno.js';
import type { FileStat, FileSystemStat, MountEntry } from '../files/file.js';
import type { TrackEntry } from '../conntrack/print.js';
import type { Flow } from '../conntrack/track.js';
import type { Ruleset } from '../netfilter/index.js';
import type { KernelFacts, KernelMessage } from '../proc/kernel-facts.js';
import type { Signal, SignalAction } from '../signals.js';
import type { ProcessLimits } from './limits.js';
import type { Plain } from './plain.js';

export interface OpenFlags {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly create?: boolean;
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
  readonly append?: boolean;
  /** Only a directory: ENOTDIR otherwise. */
  readonly directory?: boolean;
}

export interface SpawnRequest {
  /** The executable file, as execve takes it: no search of PATH. */
  readonly path: Bytes;
  readonly argv: readonly Bytes[];
  /** By default the caller's. */
  readonly env?: Readonly<Record<string, Bytes>>;
  readonly cwd?: Bytes;
  /** The child's descriptors by number, from the caller's; by default 0, 1 and 2. */
  readonly descriptors?: Readonly<Record<number, number>>;
  /** 0: a process group of its own. By default the caller's. */
  readonly group?: number;
}

/** An ended or stopped child. `signal`: what killed or stopped it. */
export interface ChildStatus {
  readonly pid: number;
  readonly state: 'exited' | 'killed' | 'stopped' | 'continued';
  readonly code: number;
  readonly signal?: Signal;
}

/** One line of ps: what /proc/PID shows. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly user: number;
  readonly groupId: number;
  /** Of the controlling terminal: 'pts/0'; '' without one. */
  readonly terminal: string;
  readonly state: 'R' | 'S' | 'T' | 'Z';
  readonly argv: readonly Bytes[];
  /** /proc/PID/comm. */
  readonly name: Bytes;
  readonly startedAt: Millis;
  /** ms of CPU. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
  readonly isForeground: boolean;
}

export interface SocketInfo {
  readonly protocol: 'tcp' | 'udp' | 'unix';
  readonly state: 'LISTEN' | 'ESTABLISHED' | 'TIME_WAIT' | 'UNCONN';
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly pid: number;
  readonly program: Bytes;
}

/** A connection, and who has begun it. `original`: where it was to go before it was led here. */
export interface Accepted {
  readonly descriptor: number;
  readonly address: string;
  readonly port: number;
  readonly original?: { readonly address: string; readonly port: number };
}

/** From where an offset counts. */
export type SeekFrom = 'start' | 'current' | 'end';

/**
 * What a step of a program may ask of the kernel. No call blocks: one that would returns undefined, and the program
 * returns a Wait. Calls that fail throw SystemError. Paths are absolute or relative to the working directory.
 */
export interface Syscalls {
  readonly pid: number;
  readonly parent: number;
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
  /** The time that passes, in virtual ms since 1970. */
  readonly now: Millis;
  /** What the clock shows (CLOCK_REALTIME): the time, unless somebody has set it wrong for this container. */
  readonly clock: Millis;
  /** When the machine was started: for uptime. */
  readonly bootedAt: Millis;
  /** Processors on which the process may run: sched_getaffinity(2). */
  readonly cpus: number;
  readonly hostname: Bytes;
  readonly argv: readonly Bytes[];
  /** What ps shows as its command line from now on: servers write over their argv. */
  setTitle(title: Bytes): void;
  /** The process' own environment; changes are the process' own. */
  readonly env: Record<string, Bytes>;
  cwd(): Bytes;
  chdir(path: Bytes): void;
  /** Throws ENOTDIR, EACCES, EPERM without CAP_SYS_CHROOT. */
  chroot(path: Bytes): void;
  /** Sets and returns the mask before. */
  umask(mask?: number): number;
  /** setrlimit(2): a limit of this process and of its children; undefined: that of the container. */
  setLimits(limits: ProcessLimits): void;

  // files
  open(path: Bytes, flags: OpenFlags, mode?: number): number;
  /** Undefined: it would block. '': end of file. */
  read(descriptor: number, max?: number): Bytes | undefined;
  /** How many bytes were taken: 0 when it would block. EPIPE also sends SIGPIPE. */
  write(descriptor: number, bytes: Bytes): number;
  close(descriptor: number): void;
  duplicate(descriptor: number, as?: number): number;
  /** Descriptors that are open. */
  descriptors(): readonly number[];
  pipe(): { readonly reader: number; readonly writer: number };
  seek(descriptor: number, offset: number, from: SeekFrom): number;
  truncate(descriptor: number, length: number): void;
  stat(path: Bytes): FileStat;
  lstat(path: Bytes): FileStat;
  fstat(descriptor: number): FileStat;
  /** Names without . and .., in the order of bytes. */
  readDirectory(path: Bytes): readonly Bytes[];
  makeDirectory(path: Bytes, mode?: number): void;
  /** A FIFO (mkfifo) or, by root only, a device: EPERM without CAP_MKNOD. */
  makeNode(path: Bytes, type: 'fifo' | 'char' | 'block', mode?: number, device?: readonly [number, number]): void;
  removeDirectory(path: Bytes): void;
  unlink(path: Bytes): void;
  rename(from: Bytes, to: Bytes): void;
  link(existing: Bytes, path: Bytes): void;
  symlink(target: Bytes, path: Bytes): void;
  readLink(path: Bytes): Bytes;
  /** The path without links, '.' and '..'. */
  realPath(path: Bytes): Bytes;
  /** access(2) with the effective user: 'r', 'w', 'x' in any number; '' asks for existence. */
  access(path: Bytes, mode: string): boolean;
  chmod(path: Bytes, mode: number): void;
  chown(path: Bytes, user: number, group: number, ownLink?: boolean): void;
  setTimes(path: Bytes, accessed: Millis, modified: Millis): void;
  mounts(): readonly MountEntry[];
  statFileSystem(path: Bytes): FileSystemStat;

  // terminals
  isTerminal(descriptor: number): boolean;
  /** 'pts/0'; undefined when the descriptor is no terminal. */
  terminalName(descriptor: number): string | undefined;
  terminalSize(descriptor: number): { readonly columns: number; readonly rows: number };
  /** Raw: no echo, no lines, no signals of keys. */
  setTerminalMode(descriptor: number, mode: 'raw' | 'cooked' | 'no-echo'): void;
  /** An editor of lines, which echoes by itself, tells which line was entered. */
  noteTyped(descriptor: number, line: Bytes): void;
  /** tcsetpgrp and tcgetpgrp. */
  setForeground(descriptor: number, group: number): void;
  foreground(descriptor: number): number;

  // processes
  /** Starts a child from an executable file. Throws ENOENT, EACCES, ENOEXEC, EAGAIN (the limit of processes). */
  spawn(request: SpawnRequest): number;
  /** A child of this program that begins with this state (copied) and all descriptors: a subshell. */
  fork(state: Plain): number;
  /** Goes on as another program: return EXEC after it. Throws as spawn does, then nothing has changed. */
  exec(path: Bytes, argv: readonly Bytes[], env?: Readonly<Record<string, Bytes>>): void;
  /** A child that has ended (-1: any), which is reaped; undefined while none has. Throws ECHILD. */
  wait(pid: number, options?: { readonly stopped?: boolean }): ChildStatus | undefined;
  /** Negative: a process group. 0: the caller's group. Throws ESRCH, EPERM. */
  kill(pid: number, signal: Signal | 0): void;
  /** How this process treats a signal. Throws EINVAL for KILL and STOP. */
  handleSignal(signal: Signal, action: SignalAction): void;
  signalAction(signal: Signal): SignalAction;
  /** The next signal that was caught. */
  takeSignal(): Signal | undefined;
  setGroup(pid: number, group: number): void;
  groupOf(pid: number): number;
  setSession(): number;
  setUser(user: number, group: number, groups?: readonly number[]): void;
  hasCapability(name: string): boolean;
  /** uname(2), and /proc/version. */
  readonly kernel: KernelFacts;
  /** syslog(2). Throws EPERM without CAP_SYSLOG. */
  kernelLog(): readonly KernelMessage[];
  /** The processes that this one sees: those of its PID namespace. */
  processes(): readonly ProcessInfo[];

  // network: addresses are text as inet_ntop prints them
  /** setns(2) of a network namespace of the host (Network.enter). Throws EPERM without CAP_SYS_ADMIN, EINVAL. */
  enterNetwork(name: string): void;
  /** A listening socket. Throws EADDRINUSE, EACCES (ports under 1024 without the capability). */
  listen(port: number, options?: { readonly address?: string; readonly protocol?: 'tcp' | 'udp' }): number;
  /** Undefined: nobody has connected yet. */
  accept(descriptor: number): Accepted | undefined;
  /**
   * A stream that is being connected: wait until it is writable, then ask connectError. Reads and writes as of files.
   */
  connect(address: string, port: number, protocol?: 'tcp' | 'udp'): number;
  /** Why a connect failed; undefined when it is connected; throws EAGAIN while it is being connected. */
  connectError(descriptor: number): ErrorCode | undefined;
  /** No more writes: the peer reads end of file. */
  shutdown(descriptor: number): void;
  peerName(descriptor: number): { readonly address: string; readonly port: number };
  socketName(descriptor: number): { readonly address: string; readonly port: number };
  /** Listening and connected sockets of the network namespace, for ss and netstat. */
  sockets(): readonly SocketInfo[];
  /** The addresses of the machine's interfaces, for ip and ifconfig. */
  interfaces(): readonly NetworkInterface[];
  /** `family`: of IPv4 unless it is '6'. */
  routes(family?: '6'): readonly Route[];
  neighbours(): readonly Neighbour[];
  /** netfilter's tables in the machine's network namespace. */
  netfilter(isSixth?: boolean): Ruleset;
  /** The connections that pass the network namespace; undefined: it tracks none. */
  tracked(): readonly TrackEntry[] | undefined;
  /** Forgets one of them. */
  forgetTrack(entry: TrackEntry): void;
  /** A socket that gets a copy of every packet of the machine, each as JSON in a read. Throws EPERM. */
  capture(): number;
  /** Packets that a socket of packets had no room for. */
  lostPackets(descriptor: number): number;
  /** Whether a host answers an ICMP echo. */
  echo(address: string): boolean;
  /**
   * Asks the name server at an address; records as dig prints their data. A resolver that asks several servers, and
   * knows /etc/hosts and search lists, is lookup.ts of the containers' library.
   */
  queryName(server: string, name: string, type: string): NameAnswer;

  // accounting
  /** Steps of work: about one for each 100 ns of a real machine's own. */
  charge(steps: number): void;
  /** Steps that this step of the program has been charged: a program that works in rounds ends its step by them. */
  readonly charged: number;
  /**
   * CPU time that a program stands for and does not spend here: it counts as used. `steady`: it was used evenly since
   * the last booking, and so it goes on, in thousandths of a CPU; 0: no more.
   */
  useCpu(ms: Millis, steady?: number): void;
  /** From the machine's seed: 0 to 1. */
  random(): number;
  /** Sets the bytes that the process holds: over the cgroup's limit the kernel kills it (137). */
  setMemory(bytes: number): void;
  cgroup(): CgroupStat;
}

export interface CgroupStat {
  /** Bytes; undefined: no limit. */
  readonly memoryLimit: number | undefined;
  readonly memoryUsed: number;
  /** Thousandths of a CPU; undefined: no limit. */
  readonly cpuLimit: number | undefined;
  readonly cpuShares: number;
  readonly cpuUsedMs: number;
  readonly processLimit: number;
  readonly processes: number;
}

export interface NetworkInterface {
  readonly name: string;
  readonly index: number;
  /** With the prefix length: '10.244.1.7/24'. */
  readonly addresses: readonly string[];
  readonly mac: string;
  readonly mtu: number;
  readonly isUp: boolean;
  /** 'bridge', 'vxlan', 'ipip', 'ipvlan', …; absent: an end of a pair, or the loopback. */
  readonly kind?: string;
  /** The bridge that it is a port of. */
  readonly master?: string;
  /** The interface that it stands on. */
  readonly parent?: string;
  /** What its kind prints about it, after the addresses of its link. */
  readonly detail?: string;
}

/** An entry of a neighbour table, and, with `remote`, of the forwarding database of a tunnel. All are permanent. */
export interface Neighbour {
  readonly address: string;
  readonly mac: string;
  readonly device: string;
  /** The address that frames for it are sent to. */
  readonly remote?: string;
}

export interface Route {
  /** 'default' or '10.244.1.0/24'. */
  readonly destination: string;
  readonly gateway?: string;
  readonly device: string;
  readonly source?: string;
  /** By default 'link' without a gateway. */
  readonly scope?: 'host' | 'link';
  /** What is for it is thrown away: it has no device. */
  readonly type?: 'blackhole';
  /** As `ip` prints them after the device. */
  readonly flags?: readonly string[];
}

export interface NameRecord {
  /** With the dot at its end. */
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  /** As dig prints it. */
  readonly data: string;
}

export interface NameAnswer {
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'NOTIMP';
  /** The answer section. */
  readonly records: readonly NameRecord[];
  readonly authority?: readonly NameRecord[];
  readonly additional?: readonly NameRecord[];
  /** By default it is: a server's own zone. */
  readonly isAuthoritative?: boolean;
  /** The server asks others, too. */
  readonly canRecurse?: boolean;
  /** No answer came: nobody listens there, no route leads there, or the question was lost. */
  readonly failure?: 'refused' | 'unreachable' | 'lost';
  /** ms that the answer takes; a lost question is waited for by who has asked. */
  readonly delay: number;
  /** The way of the question, for those who remember connections. */
  readonly flow?: Flow;
  /** What the server writes into its log: who asks stands for {remote}, {port} and {>id}. */
  readonly logged?: { readonly text: string; readonly server?: string };
}
