import type { Confinement } from './process/confinement/confinement.js';
import type { Millis } from '../machinery/time/time.js';
import type { Bytes } from './bytes.js';
import type { FileNode } from './files/file.js';
import type { FileTree } from './files/tree.js';
import type { HostSpec } from './host/host.js';
import type { KernelName } from './proc/kernel-facts.js';
import type { Signal } from './signals.js';

/** A tree, or a folder or file of it, that stands at a path of a container. */
export interface Mount {
  readonly path: Bytes;
  readonly tree: FileTree;
  /** The folder or file of the tree; by default its root. */
  readonly subPath?: Bytes;
  readonly readOnly: boolean;
  /** The three columns of /proc/mounts: '/dev/sda1', 'ext4', ['rw', 'relatime']. */
  readonly source: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** What a container's cgroup allows. */
export interface CgroupLimits {
  /** Bytes. */
  readonly memoryLimit?: number;
  /** Thousandths of a CPU. */
  readonly cpuLimit?: number;
  readonly cpuShares: number;
}

/** A container as the OCI runtime's specification says it, with the limits of its cgroup. */
export interface ContainerSpec extends CgroupLimits {
  readonly id: string;
  readonly name: string;
  readonly argv: readonly Bytes[];
  readonly env: Readonly<Record<string, Bytes>>;
  readonly cwd: Bytes;
  readonly user: number;
  readonly group: number;
  readonly groups: readonly number[];
  /** The image's files below, the container's own changes above. */
  readonly root: FileTree;
  readonly readOnlyRoot: boolean;
  readonly mounts: readonly Mount[];
  readonly terminal: boolean;
  readonly stdin: boolean;
  /** The first attached session that ends closes stdin. */
  readonly stdinOnce: boolean;
  readonly processLimit: number;
  /** Without CAP_: 'NET_ADMIN'. Root has these, other users none. */
  readonly capabilities: readonly string[];
  /** No program gives its process more rights: by default set-user-ID files do. */
  readonly noNewPrivileges?: boolean;
  /** Calls that its seccomp profile denies (FilteredCall); absent: it has none. */
  readonly filter?: readonly string[];
  /** What the security module denies it; absent: what every container is denied. */
  readonly confinement?: Confinement;
  /** A user namespace of its own: the first user of the host that its users are mapped to. */
  readonly usersFrom?: number;
  /** TCP ports of its network namespace at which programs of other machines listen, as of its start. */
  readonly takenPorts?: readonly number[];
  /** The kernel that it has instead of the node's. */
  readonly kernel?: KernelName;
  readonly hostname: Bytes;
  /** One PID namespace for all containers of the machine: shareProcessNamespace. */
  readonly sharesProcesses?: boolean;
  /** The container whose PID namespace this one joins. One that is not there is ignored. */
  readonly processesOf?: string;
  /** The host whose processes it sees; absent: it sees none. */
  readonly host?: HostSpec;
  /** Where the older part of the log is kept; by default in the machine's own record. */
  readonly logTree?: FileTree;
  /** Folders that are the root of a whole system, such as a disk's: /proc, /dev and /sys are mounted in them, too. */
  readonly systemRoots?: readonly Bytes[];
  /** Files that are mounted one by one: /etc/hosts, /etc/resolv.conf, /etc/hostname. */
  readonly files?: Readonly<Record<Bytes, FileNode>>;
}

export interface LogLine {
  readonly at: Millis;
  readonly stream: 'stdout' | 'stderr';
  /** Without its newline. */
  readonly text: Bytes;
  /** The line goes on in the next entry of its stream, or has no newline at the end of the output: CRI's tag P. */
  readonly isPartial: boolean;
}

export interface ContainerExit {
  readonly code: number;
  readonly signal?: Signal;
  readonly at: Millis;
  readonly outOfMemory: boolean;
}

export interface ListeningPort {
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  /** Not known of machines that were written down before this was. */
  readonly since?: Millis | undefined;
  /** By the loopback alone: nobody else gets there. */
  readonly isLocal?: true;
}

/** What the container runtime sees of a container. */
export interface ContainerView {
  readonly running: boolean;
  readonly exit?: ContainerExit;
  /** Read when it is asked for: up to 50 MiB. */
  readonly logs: readonly LogLine[];
  /** The same from a line on: its index counts the dropped ones too. Times are counted from `since`, or absolute. */
  logsFrom(index: number, since?: Millis): readonly LogLine[];
  /** All that the lines say, without their times; undefined: some were written after `until`. */
  logText(until: Millis): Bytes | undefined;
  /** Lines that the rotation has dropped from the beginning. */
  readonly droppedLines: number;
  readonly listening: readonly ListeningPort[];
  /** Bytes that its processes hold. */
  readonly memory: number;
}

/** A process cannot be started. The message is runc's: `exec: "foo": executable file not found in $PATH`. */
export class StartFailure extends Error {}

/** The default set for containers that are not privileged. Models containerd's pkg/oci defaultUnixCaps. */
export const DEFAULT_CAPABILITIES: readonly string[] = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FSETID',
  'FOWNER',
  'MKNOD',
  'NET_RAW',
  'SETGID',
  'SETUID',
  'SETFCAP',
  'SETPCAP',
  'NET_BIND_SERVICE',
  'SYS_CHROOT',
  'KILL',
  'AUDIT_WRITE',
];
