import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { textOf } from '../../../../engine/kernel/bytes.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import type { Disk } from '../../../../engine/node/host/files/disk.js';
import { MANIFESTS, startKubelet } from '../../../../engine/node/host/services/kubelet-start.js';
import { DEFAULT_VERSION } from '../../../../engine/machinery/releases.js';
import { installedRelease } from '../../../../engine/node/host/packages/packages.js';
import { KUBELET_LOG_FILE, type KubeletLine } from '../../../../engine/node/host/views/kubelet-log.js';
import { isOfNode } from '../../../../engine/node/host/services/units.js';
import { nodeBootedAt } from '../../process/node-processes.js';
import { readJournal, type JournalEntry } from './journal.js';
import type { Service } from './services.js';

/** Tries of a service that does not come up that are shown. */
const MAX_TRIES = 30;
const PERIOD = 20_000;
/** How long a service takes that ends at once. */
const ONE_TRY = 70;
/** Of a service that is not of every node. */
const NOT_RUN = 'this simulation does not execute it: it counts as running';

/** What the journal has of a service up to a time: what commands did, and what the service printed meanwhile. */
export function serviceEntries(sys: Syscalls, disk: Disk, service: Service, until: number): JournalEntry[] {
  const known = readJournal(disk).filter(({ text, at }) => text.includes(`${service.unit}.service`) && at <= until);
  const own = service.course === 'dead' ? [] : printed(sys, disk, service, until);
  return [...known, ...own].sort((a, b) => a.at - b.at);
}

function printed(sys: Syscalls, disk: Disk, service: Service, until: number): JournalEntry[] {
  const { pid } = service;
  const since = service.state.since ?? nodeBootedAt(sys);
  if (service.course === 'failing') return failedTries(service, since, until);
  if (service.course === 'failed') return failedTries(service, since, since + ONE_TRY);
  if (service.unit === 'containerd')
    return [entry(service, since, `time="${iso(since)}" level=info msg="containerd successfully booted in 0.042198s"`)];
  if (!isOfNode(service.unit)) return [entry(service, since, NOT_RUN)];
  const lines: [number, string][] = [
    [0, klog('I', pid, since, 'server.go:213] "Kubelet starting up..."')],
    [
      20,
      klog(
        'I',
        pid,
        since + 20,
        `server.go:529] "Kubelet version" kubeletVersion="${installedRelease(disk, 'kubelet') ?? DEFAULT_VERSION}"`,
      ),
    ],
    [210, klog('I', pid, since + 210, 'server.go:1262] "Started kubelet"')],
    [
      230,
      klog('I', pid, since + 230, `kubelet_node_status.go:75] "Attempting to register node" node="${sys.hostname}"`),
    ],
    [
      260,
      klog('I', pid, since + 260, `kubelet_node_status.go:78] "Successfully registered node" node="${sys.hostname}"`),
    ],
  ];
  const { cut } = startKubelet(disk, (_host, port) => port === 6_443);
  const faults = cut === undefined ? manifestFaults(disk) : [cutLine(sys.hostname, cut)];
  for (let at = Math.max(since + 500, until - 5 * PERIOD); faults.length > 0 && at <= until; at += PERIOD)
    for (const fault of faults) lines.push([at - since, klog('E', pid, at, fault)]);
  for (const { at, level, text } of pressureLines(disk))
    if (at >= since) lines.push([at - since, klog(level, pid, at, text)]);
  lines.sort(([a], [b]) => a - b);
  return lines.filter(([after]) => since + after <= until).map(([after, text]) => entry(service, since + after, text));
}

/** What the kubelet has logged of conditions and evictions. */
const pressureLines = (disk: Disk): KubeletLine[] =>
  JSON.parse(textOf(disk.read(KUBELET_LOG_FILE) ?? '[]')) as KubeletLine[];

const cutLine = (node: string, cut: string): string =>
  `controller.go:145] "Failed to ensure lease exists, will retry" err="Get \\"https://${cut.split(' ')[2]?.replace(/:$/, '') ?? ''}/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}?timeout=10s\\": ${cut}" interval="7s"`;

/** Files of the folder of manifests that are no YAML. */
function manifestFaults(disk: Disk): string[] {
  return disk
    .list(MANIFESTS)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const path = `${MANIFESTS}/${name}`;
      const { error } = parseYaml(textOf(disk.read(path) ?? ''));
      return error === undefined
        ? []
        : [
            `file.go:187] "Could not process manifest file" err="/etc/kubernetes/manifests/${name}: couldn't parse as pod(${error}), please check config file" path="${path}"`,
          ];
    });
}

function failedTries(service: Service, since: number, until: number): JournalEntry[] {
  const { unit, failure = '', isMissing, restartSeconds, description } = service;
  const tries = Math.floor((until - since) / (restartSeconds * 1000));
  const entries: JournalEntry[] = [];
  const systemd = (at: number, text: string): number => entries.push({ at, program: 'systemd', pid: 1, text });
  for (let i = Math.max(0, tries - MAX_TRIES); i <= tries; i++) {
    const at = since + i * restartSeconds * 1000;
    if (i > 0) {
      systemd(at, `${unit}.service: Scheduled restart job, restart counter is at ${i}.`);
      systemd(at, `Started ${unit}.service - ${description}.`);
    }
    if (isMissing) systemd(at + 2, failure);
    else entries.push(entry(service, at + 60, klog('E', service.pid, at + 60, `run.go:72] ${failure}`)));
    const status = isMissing ? '203/EXEC' : '1/FAILURE';
    systemd(at + 65, `${unit}.service: Main process exited, code=exited, status=${status}`);
    systemd(at + 65, `${unit}.service: Failed with result 'exit-code'.`);
  }
  return entries.filter(({ at }) => at <= until);
}

const entry = ({ unit, pid }: Service, at: number, text: string): JournalEntry => ({ at, program: unit, pid, text });

const iso = (at: number): string => new Date(at).toISOString();

/** klog's header: 'I1122 16:07:35.123456    1234 file.go:1] …'. */
const klog = (level: 'I' | 'W' | 'E', pid: number, at: number, rest: string): string => {
  const text = iso(at);
  return `${level}${text.slice(5, 7)}${text.slice(8, 10)} ${text.slice(11, 23)}000 ${String(pid).padStart(7)} ${rest}`;
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** journalctl's short form: 'Nov 22 16:07:35 worker-1 kubelet[300]: …'. */
export function formatEntry({ at, program, pid, text }: JournalEntry, host: string): string {
  const date = new Date(at);
  const day = String(date.getUTCDate()).padStart(2, '0');
  return `${MONTHS[date.getUTCMonth()]} ${day} ${iso(at).slice(11, 19)} ${host} ${pid === 0 ? program : `${program}[${pid}]`}: ${text}`;
}
