import type { Container, Node, Pod } from '../../../api/core_v1.js';
import { NodeRuntimes, Pods, PodSandboxes } from '../../../kinds/index.js';
import { findHost } from '../../../kinds/terrarium/noderuntime/hosts.js';
import type { HostProcess } from '../../../kernel/host/host.js';
import type { Reader } from '../../../machinery/client.js';
import { hash32 } from '../../../machinery/random.js';
import { parseTimestamp } from '../../../machinery/time/time.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { isControlPlane } from '../files/config-files.js';
import { servicePid } from '../services/units.js';
import { idOf, sandboxId } from './runtime-view.js';

/** Where machines find what runs on their node beside them: ProcessView as JSON, made when it is read. */
export const PROCESSES_FILE = '/run/systemd/processes.json';

export type NodeProcess = HostProcess;

export interface NodeSocket {
  /** '*' for all addresses. */
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  readonly program: string;
}

export interface ProcessView {
  readonly processes: readonly NodeProcess[];
  readonly sockets: readonly NodeSocket[];
}

const MIB = 1 << 20;
const PAUSE_USER = 65_535;
const FIRST_PID = 1_000;
const PIDS = 31_000;
const JOURNALD = 95;
const KUBELET_ARGS =
  '--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf ' +
  '--config=/var/lib/kubelet/config.yaml';

/** Ports of programs on the node's network that declare none; NODE stands for the node's address. */
const PORTS: Readonly<Record<string, readonly (readonly [address: string, port: number])[]>> = {
  'kube-apiserver': [['*', 6_443]],
  'kube-controller-manager': [['127.0.0.1', 10_257]],
  'kube-scheduler': [['127.0.0.1', 10_259]],
  'kube-proxy': [
    ['127.0.0.1', 10_249],
    ['*', 10_256],
  ],
  etcd: [
    ['NODE', 2_379],
    ['127.0.0.1', 2_379],
    ['NODE', 2_380],
    ['127.0.0.1', 2_381],
  ],
};

/** What runs on a node: systemd, its services, and the processes of pods. `commandOf`: an image's own command. */
export function viewProcesses(
  read: Reader,
  nodeName: string,
  commandOf: (image: string) => readonly string[],
): ProcessView {
  const node = findHost(read, nodeName);
  if (!node) return { processes: [], sockets: [] };
  const view = new Builder(node, parseTimestamp(node.metadata.creationTimestamp ?? ''));
  view.addServices(read);
  for (const pod of read.byIndex(Pods, 'nodeName', nodeName)) if (pod.status.startTime) view.addPod(pod, commandOf);
  for (const { pod, stoppedAt } of read.byIndex(PodSandboxes, 'node', nodeName))
    if (stoppedAt === undefined) view.addPod(pod, commandOf);
  return { processes: view.processes.sort((a, b) => a.pid - b.pid), sockets: view.sockets };
}

class Builder {
  readonly processes: NodeProcess[] = [];
  readonly sockets: NodeSocket[] = [];
  private readonly taken = new Set<number>();

  constructor(
    private readonly node: Node,
    private readonly bootedAt: number,
  ) {}

  addServices(read: Reader): void {
    const { name = '' } = this.node.metadata;
    const runtime = read.get(NodeRuntimes, { namespace: '', name });
    const at = (since: string | undefined): number => (since === undefined ? this.bootedAt : parseTimestamp(since));
    const isUp = (state = 'running'): boolean => state === 'running' || state === 'cut';
    this.add({ pid: 1, parent: 0, argv: ['/sbin/init'], startedAt: this.bootedAt, memory: 13 * MIB });
    const journal = ['/usr/lib/systemd/systemd-journald'];
    this.add({ pid: JOURNALD, parent: 1, argv: journal, startedAt: this.bootedAt, memory: 12 * MIB });
    const { containerd, kubelet } = runtime ?? {};
    if (isUp(containerd?.state)) {
      const pid = servicePid('containerd', containerd?.run ?? 'boot', name);
      this.add({ pid, parent: 1, argv: ['/usr/bin/containerd'], startedAt: at(containerd?.since), memory: 62 * MIB });
    }
    if (!isUp(kubelet?.state)) return;
    const pid = servicePid('kubelet', kubelet?.run ?? 'boot', name);
    const argv = ['/usr/bin/kubelet', ...KUBELET_ARGS.split(' '), `--node-ip=${internalIPOf(this.node)}`];
    this.add({ pid, parent: 1, argv, startedAt: at(kubelet?.since), memory: 88 * MIB });
    this.sockets.push({ address: '127.0.0.1', port: 10_248, pid, program: 'kubelet' });
    this.sockets.push({ address: '*', port: 10_250, pid, program: 'kubelet' });
  }

  addPod(pod: Pod, commandOf: (image: string) => readonly string[]): void {
    const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
    const running = [...initContainerStatuses, ...containerStatuses, ...ephemeralContainerStatuses].filter(
      ({ state }) => state?.running,
    );
    if (running.length === 0) return;
    const sandbox = sandboxId(pod);
    const startedAt = parseTimestamp(pod.status.startTime ?? '');
    const shim = this.pidFor(`shim ${sandbox}`);
    const shimArgs = `-namespace k8s.io -id ${sandbox} -address /run/containerd/containerd.sock`.split(' ');
    const argv = ['/usr/bin/containerd-shim-runc-v2', ...shimArgs];
    this.add({ pid: shim, parent: 1, argv, startedAt, memory: 12 * MIB });
    const pause = this.pidFor(pauseName(pod));
    this.add({
      pid: pause,
      parent: shim,
      user: PAUSE_USER,
      argv: ['/pause'],
      startedAt,
      memory: 0.6 * MIB,
      container: sandbox,
    });
    for (const status of running) {
      const container = containersOf(pod).find(({ name }) => name === status.name);
      if (!container) continue;
      const pid = this.pidFor(idOf(status.containerID));
      const command = commandLine(container, pod.spec.nodeName ?? '', commandOf);
      const since = parseTimestamp(status.state?.running?.startedAt ?? '');
      const user = container.securityContext?.runAsUser ?? pod.spec.securityContext?.runAsUser ?? 0;
      this.add({
        pid,
        parent: shim,
        user,
        argv: command,
        startedAt: since,
        memory: 24 * MIB,
        container: idOf(status.containerID),
      });
      if (pod.spec.hostNetwork) this.addPorts(container, pid, command[0] ?? container.name);
    }
  }

  private addPorts(container: Container, pid: number, path: string): void {
    const program = path.slice(path.lastIndexOf('/') + 1);
    const ip = internalIPOf(this.node) ?? '';
    const declared = (container.ports ?? []).map(({ containerPort }) => ['*', containerPort] as const);
    const known = isControlPlane(this.node) || container.name === 'kube-proxy' ? PORTS[container.name] : undefined;
    for (const [address, port] of known ?? declared)
      this.sockets.push({ address: address === 'NODE' ? ip : address, port, pid, program });
  }

  private add(process: Omit<NodeProcess, 'user'> & { readonly user?: number }): void {
    this.processes.push({ user: 0, ...process });
  }

  /** The same number for a name each time, unless another has it. */
  private pidFor(name: string): number {
    let pid = pidOnNode(name);
    while (this.taken.has(pid)) pid++;
    this.taken.add(pid);
    return pid;
  }
}

/** The pid on its node of what has a name: of a container's first process, by its id without the runtime's name. */
export const pidOnNode = (name: string): number => FIRST_PID + (hash32(name) % PIDS);

/** What the number of a sandbox's own process goes by. */
export const pauseName = (pod: Pod): string => `pause ${sandboxId(pod)}`;

const containersOf = ({ spec }: Pod): Container[] => [
  ...spec.containers,
  ...(spec.initContainers ?? []),
  ...((spec.ephemeralContainers as Container[] | undefined) ?? []),
];

type CommandOf = (image: string) => readonly string[];

/** The main process of a container as it shows itself. */
function commandLine(container: Container, node: string, commandOf: CommandOf): string[] {
  const { name, image = '', command = [], args = [] } = container;
  const own = command.length > 0 ? command : commandOf(image);
  const words = command.length > 0 ? [...own, ...args] : args.length > 0 ? [...own.slice(0, 1), ...args] : [...own];
  // Such a script goes on as the program that it is given.
  const main = words.length > 1 && words[0]!.endsWith('entrypoint.sh') ? words.slice(1) : words;
  if (main.length === 0) return [`/${name}`];
  const shown = main.map((word) => expand(word, container, node));
  return shown[0] === 'nginx' ? ['nginx: master process nginx', ...shown.slice(1)] : shown;
}

/** $(NAME) of what the container's variables say, as far as they stand in its definition. */
const expand = (word: string, { env = [] }: Container, node: string): string =>
  word.replace(/\$\((\w+)\)/g, (whole, name: string) => {
    const found = env.find((one) => one.name === name);
    return found?.value ?? (found?.valueFrom?.fieldRef?.fieldPath === 'spec.nodeName' ? node : whole);
  });
