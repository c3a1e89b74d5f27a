import type { ContainerStatus } from '../../../api/core_v1.js';
import { NodeRuntimes, PodMachines, PodRuntimes, PodSandboxes } from '../../../kinds/index.js';
import { findHost } from '../../../kinds/terrarium/noderuntime/hosts.js';
import { runsPods } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { PodSandbox } from '../../../kinds/terrarium/podsandbox/kind.js';
import type { Key, KubeObject } from '../../../machinery/meta/object.js';
import { MINUTE, parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import { defineController, watch, type Context, type Controller, type Result } from '../../../runtime/controller.js';
import { networkOf } from '../../kubelet/container/process.js';
import { findExit } from '../../kubelet/pleg/pleg.js';
import { killContainer } from '../../kubelet/kuberuntime/kill.js';
import {
  deletePodRuntime,
  formatTime,
  makePodRuntime,
  parseTime,
  readPodRuntime,
  storePodRuntime,
} from '../../kubelet/pod/pod-runtime.js';
import { terminatedStatus } from '../../kubelet/status/container-status.js';
import type { Process } from '../image.js';
import type { Machines } from '../machines.js';
import { deleteMachine } from '../records/machine-record.js';
import { isSandbox, sandboxesOf, sandboxKey } from './sandbox-pod.js';
import { withStatus } from './sandbox-service.js';

/** How often a kubelet looks for pods that it does not know. Models housekeepingPeriod. */
const HOUSEKEEPING: Millis = 2 * SECOND;
/** Models ContainerGCPeriod. */
const GARBAGE_COLLECTION: Millis = MINUTE;
/** What it gives such a pod. */
const GRACE_SECONDS = 1;

const nextTick = (after: Millis, period: Millis): Millis => (Math.floor(after / period) + 1) * period;

/**
 * Ends what runs in sandboxes that were made at the container runtime, when its time has come; a kubelet that runs
 * kills a sandbox that it does not know, and removes it. Models pkg/kubelet/kubelet_pods.go HandlePodCleanups and
 * kuberuntime_gc.go evictSandboxes.
 */
export const nodeSandboxes = (machines?: Machines): Controller =>
  defineController<PodSandbox>({
    name: 'node-sandboxes',
    component: 'terrarium',
    actor: (key, reader) =>
      `system:node:${reader.get(PodSandboxes, { namespace: '', name: key.name })?.nodeName ?? 'unknown'}`,
    eventSource: 'kubelet',
    for: { kind: PodSandboxes },
    watches: [
      watch({
        kind: NodeRuntimes,
        keys: ({ metadata: { name = '' } }, reader) =>
          sandboxesOf(reader, name).map((one) => ({ namespace: '', name: one.metadata.name ?? '' })),
      }),
      watch({ kind: PodRuntimes, keys: keysOfSandbox }),
      watch({ kind: PodMachines, keys: keysOfSandbox }),
    ],
    reconcile(context, { name }): Result | void {
      const { client, now } = context;
      const sandbox = client.get(PodSandboxes, { namespace: '', name });
      if (!sandbox || !findHost(client, sandbox.nodeName)) {
        if (sandbox) client.delete(PodSandboxes, { namespace: '', name });
        deletePodRuntime(client, sandboxKey(name));
        deleteMachine(client, sandboxKey(name));
        return;
      }
      const wakeAt = machines ? endContainers(context, sandbox, machines) : Infinity;
      const settled = client.get(PodSandboxes, { namespace: '', name }) ?? sandbox;
      const due = runsPods(client, sandbox.nodeName) ? cleanUp(context, settled, machines) : Infinity;
      const next = Math.min(wakeAt, due);
      return next === Infinity ? undefined : { requeueAfter: Math.max(1, next - now) };
    },
  });

function keysOfSandbox({ metadata: { namespace = '', name = '' } }: KubeObject): readonly Key[] {
  return isSandbox({ namespace, name }) ? [{ namespace: '', name: name.slice(name.indexOf('.') + 1) }] : [];
}

const runningIn = ({ pod }: PodSandbox): ContainerStatus[] =>
  (pod.status.containerStatuses ?? []).filter(({ state }) => state?.running !== undefined);

/** Returns when the next container ends, or has to be looked at. */
function endContainers({ client, now }: Context, sandbox: PodSandbox, machines: Machines): Millis {
  let wakeAt = Infinity;
  let next = sandbox;
  for (const status of runningIn(sandbox)) {
    const found = processOf({ client, now }, sandbox, status, machines);
    if (!found) continue;
    const { process, startedAt, record } = found;
    const exit = findExit(process, record, startedAt);
    if (exit && exit.at <= now) {
      if (process.isMachine) machines.keepEnd(client, machines.viewOf(sandbox.pod), now);
      const { code: exitCode, reason } = exit;
      next = withStatus(
        next,
        terminatedStatus(status, { startedAt, finishedAt: exit.at, exitCode, ...(reason ? { reason } : {}) }),
      );
    } else wakeAt = Math.min(wakeAt, exit?.at ?? Infinity, startedAt + (process.knownUntilMs ?? Infinity));
  }
  if (next !== sandbox) client.update(PodSandboxes, next);
  return wakeAt;
}

interface FoundProcess {
  readonly process: Process;
  readonly startedAt: Millis;
  readonly record: NonNullable<ReturnType<typeof readPodRuntime>>['containers'][string];
}

function processOf(
  { client, now }: Pick<Context, 'client' | 'now'>,
  { pod }: PodSandbox,
  status: ContainerStatus,
  machines: Machines,
): FoundProcess | undefined {
  const container = pod.spec.containers.find(({ name }) => name === status.name);
  const record = readPodRuntime(client, pod)?.containers[status.name] ?? {};
  const startedAt = parseTime(record.startedAt ?? status.state?.running?.startedAt);
  if (!container) return undefined;
  const run = { container, image: status.image, containerID: status.containerID ?? '', startedAt };
  const network = networkOf(client, pod.metadata.namespace ?? '');
  const process = machines.processOf(machines.viewOf(pod), run, { pod, read: client }, network, now);
  return process && { process, startedAt, record };
}

/** What a kubelet does with a sandbox that none of its pods has. Returns when it does more. */
function cleanUp(context: Context, sandbox: PodSandbox, machines: Machines | undefined): Millis {
  const { client, now } = context;
  if (sandbox.stoppedAt !== undefined) {
    const due = nextTick(parseTimestamp(sandbox.stoppedAt), GARBAGE_COLLECTION);
    if (now < due || runningIn(sandbox).length > 0) return due;
    client.delete(PodSandboxes, { namespace: '', name: sandbox.metadata.name ?? '' });
    return Infinity;
  }
  const due = nextTick(parseTimestamp(sandbox.createdAt), HOUSEKEEPING);
  if (now < due) return due;
  const running = runningIn(sandbox);
  if (running.length === 0 || !machines) {
    client.update(PodSandboxes, { ...sandbox, stoppedAt: formatTime(now) });
    return nextTick(now, GARBAGE_COLLECTION);
  }
  killContainers(context, sandbox, running, machines);
  return Infinity;
}

function killContainers(
  { client, now }: Context,
  sandbox: PodSandbox,
  running: readonly ContainerStatus[],
  machines: Machines,
): void {
  const { pod } = sandbox;
  const stored = readPodRuntime(client, pod);
  const containers = { ...stored?.containers };
  for (const status of running) {
    const found = processOf({ client, now }, sandbox, status, machines);
    const container = pod.spec.containers.find(({ name }) => name === status.name);
    const record = containers[status.name] ?? {};
    if (!container || record.dying) continue;
    const { process, startedAt = 0 } = found ?? {};
    containers[status.name] = killContainer({
      ...{ pod, container, record, process, startedAt, now, instant: false, graceSeconds: GRACE_SECONDS },
    });
  }
  storePodRuntime(client, stored, makePodRuntime(pod, stored, { containers }));
}
