import type { Container, ContainerStatus, Node, Pod, PodStatus } from '../../../api/core_v1.js';
import { Nodes, PodRuntimes, Pods } from '../../../kinds/index.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import type { Kind } from '../../../machinery/kind.js';
import { keyOf } from '../../../machinery/meta/object.js';
import { timestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import type { Context, Result } from '../../../runtime/controller.js';
import type { Addresses } from '../../cni/addresses.js';
import type { ImageCatalog } from '../../cri/image.js';
import { admissionProblem } from '../lifecycle/predicate.js';
import { conditionsOf, isSidecar, phaseOf } from '../status/generate.js';
import { freshStatus } from '../status/container-status.js';
import { stop, syncContainer } from './sync-container.js';
import { delaysFor, type Delays } from '../delays.js';
import type { Surroundings } from '../container/environment.js';
import { startOf } from '../container/process.js';
import { fromText, toText, type ContainerRecord, type PodRecord } from '../pod/pod-runtime.js';
import { mountFailures } from '../volumemanager/mount-failures.js';
import { isPodPhaseTerminal, isPodTerminal } from '../../../kinds/core/pod/status/phase.js';

const Records = PodRuntimes as unknown as Kind<PodRecord>;
/** What a pod mounts may be made just after it: the volume manager comes to look this much later. */
const FIRST_MOUNT = Math.round(SECOND / 3);
const MAX_MOUNT_BACKOFF = 122 * SECOND;
const DEADLINE = 'Pod was active on the node longer than the specified deadline';

/**
 * One sync of one pod on its node: what it reads, what it has decided, and when to look again. Models kubelet.go
 * SyncPod.
 */
export class PodSync {
  readonly now: Millis;
  readonly delays: Delays;
  readonly around: Surroundings;
  podIP: string | undefined;
  private readonly statuses = new Map<string, ContainerStatus>();
  private readonly stored: PodRecord | undefined;
  private readonly records: Record<string, ContainerRecord>;
  private nextWake = Infinity;
  private pending = false;

  constructor(
    readonly context: Context,
    readonly pod: Pod,
    private readonly addresses: Addresses,
    readonly images: ImageCatalog,
  ) {
    const { client } = context;
    this.now = context.now;
    this.delays = delaysFor(client, context.random);
    const stored = client.get(Records, keyOf(pod));
    this.stored = stored?.uid === pod.metadata.uid ? stored : undefined;
    this.records = {};
    for (const name in this.stored?.containers) this.records[name] = { ...this.stored!.containers[name] };
    this.podIP = pod.status.podIP;
    for (const s of pod.status.initContainerStatuses ?? []) this.statuses.set(s.name, s);
    for (const s of pod.status.containerStatuses ?? []) this.statuses.set(s.name, s);
    for (const s of pod.status.ephemeralContainerStatuses ?? []) this.statuses.set(s.name, s);
    this.around = { pod, node: this.node(), read: client };
  }

  // ---- what containers' syncs use ----

  node(): Node {
    return this.context.client.get(Nodes, { namespace: '', name: this.pod.spec.nodeName! })!;
  }

  status(container: Container): ContainerStatus {
    return this.statuses.get(container.name) ?? freshStatus(container, Boolean(this.pod.spec.initContainers?.length));
  }

  set(container: Container, status: ContainerStatus): void {
    this.statuses.set(container.name, status);
  }

  record(name: string): ContainerRecord {
    return (this.records[name] ??= {});
  }

  /** What is in the records now cannot be read off the status alone. */
  changed(): void {
    this.pending = true;
  }

  wake(at: Millis): void {
    if (at < this.nextWake) this.nextWake = Math.max(at, this.now);
    if (at > this.now) this.pending = true;
  }

  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.context.random.uuid().replaceAll('-', '');
    return text.slice(0, digits);
  }

  event(type: 'Normal' | 'Warning', reason: string, message: string, container?: Container): void {
    const { spec } = this.pod;
    const list =
      container &&
      (spec.initContainers?.includes(container)
        ? 'initContainers'
        : spec.containers.includes(container)
          ? 'containers'
          : 'ephemeralContainers');
    const fieldPath = container && `spec.${list}{${container.name}}`;
    this.context.event(this.pod, type, reason, message, {
      source: { component: 'kubelet', host: spec.nodeName },
      fieldPath,
    });
  }

  // ---- the sync ----

  run(): Result | void {
    const { pod } = this;
    if (pod.metadata.deletionTimestamp) return this.terminate();
    if (!pod.status.startTime) {
      const problem = admissionProblem(pod, this.node(), this.context.client);
      if (problem) return this.refuse(problem);
    }
    if (this.pastDeadline()) return this.fail('DeadlineExceeded', DEADLINE);
    const started = this.mount() && this.sandbox();
    if (started) this.containers();
    return this.publish(started);
  }

  private mount(): boolean {
    if (this.podIP !== undefined && this.statuses.size > 0) return true;
    const retryAt = fromText(this.stored?.mountRetryAt);
    const failures = mountFailures(this.pod, this.context.client);
    if (failures.length === 0) return true;
    if (this.now < retryAt) {
      this.mounting = { retryAt, failures: this.stored?.mountFailures ?? 1 };
      this.wake(retryAt);
      return false;
    }
    const count = (this.stored?.mountFailures ?? -1) + 1;
    if (count === 0 && !this.delays.instant) {
      this.mounting = { retryAt: this.now + FIRST_MOUNT, failures: 0 };
      this.wake(this.now + FIRST_MOUNT);
      return false;
    }
    for (const { reason, message } of failures) this.event('Warning', reason, message);
    const backoff = Math.min((SECOND / 2) * 2 ** Math.min(count - 1, 10), MAX_MOUNT_BACKOFF);
    this.mounting = { retryAt: this.now + backoff, failures: count };
    this.wake(this.now + backoff);
    return false;
  }
  private mounting: { retryAt: Millis; failures: number } | undefined;
  private sandboxDue: Millis | undefined;

  /** RunPodSandbox: gives the pod its address. */
  private sandbox(): boolean {
    if (this.podIP !== undefined) return true;
    const node = this.node();
    const due =
      this.stored?.sandboxDue === undefined ? this.now + this.delays.sandbox() : fromText(this.stored.sandboxDue);
    if (this.now < due) {
      this.sandboxDue = due;
      this.wake(due);
      return false;
    }
    this.podIP = this.pod.spec.hostNetwork ? hostIP(node) : this.addresses.allocate(node);
    if (this.podIP !== undefined) return true;
    const id = this.hex(64);
    this.event(
      'Warning',
      'FailedCreatePodSandBox',
      `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "${id}": plugin type="ptp" failed (add): failed to allocate for range 0: no IP addresses available in range set: ${node.spec.podCIDR ?? '<none>'}`,
    );
    this.sandboxDue = this.now + 15 * SECOND;
    this.wake(this.sandboxDue);
    return false;
  }

  private containers(): void {
    const { spec } = this.pod;
    for (const container of spec.initContainers ?? []) {
      syncContainer(this, container, isSidecar(container) ? 'sidecar' : 'init');
      const status = this.statuses.get(container.name);
      const passed = isSidecar(container) ? status?.started : status?.state?.terminated?.exitCode === 0;
      if (!passed && !this.anyMainStarted()) return;
    }
    // A kubelet starts one container after the other; those that run go on.
    let starting = false;
    for (const container of spec.containers) {
      if (starting && !this.statuses.get(container.name)?.state?.running) continue;
      syncContainer(this, container, 'main');
      starting ||= this.isStarting(container);
    }
    for (const container of spec.ephemeralContainers ?? []) syncContainer(this, container, 'ephemeral');
    if (this.sidecarsAreAlone())
      for (const c of spec.initContainers!.filter(isSidecar)) if (this.stopOne(c)) this.lingering = true;
  }
  /** Sidecars that are still stopping keep the pod Running. */
  private lingering = false;

  private isStarting({ name }: Container): boolean {
    const step = this.records[name]?.step;
    return step === 'pulling' || step === 'creating';
  }

  private anyMainStarted(): boolean {
    return this.pod.spec.containers.some((c) => this.statuses.get(c.name)?.containerID);
  }

  private sidecarsAreAlone(): boolean {
    if (!this.pod.spec.initContainers?.some(isSidecar)) return false;
    return isPodPhaseTerminal(phaseOf(this.pod, this.statuses));
  }

  /** Tells a running container to stop, if it was not told; true while it still runs. */
  private stopOne(container: Container, graceSeconds?: number): boolean {
    const status = this.statuses.get(container.name);
    if (!status?.state?.running) return false;
    const record = this.record(container.name);
    if (!record.dying || graceSeconds !== undefined) {
      const startedAt = fromText(record.startedAt ?? status.state.running.startedAt);
      const process = startOf(this, container, status, startedAt);
      if (!record.dying) {
        this.event('Normal', 'Killing', `Stopping container ${container.name}`, container);
        stop(
          this,
          container,
          record,
          process ?? { listens: [], readyAfterMs: 0, lines: () => [] },
          this.now,
          graceSeconds,
        );
      }
    }
    const { at, code } = record.dying!;
    if (fromText(at) > this.now) {
      this.wake(fromText(at));
      return true;
    }
    const startedAt = timestamp(fromText(record.startedAt ?? status.state.running.startedAt));
    delete this.records[container.name];
    const terminated = {
      containerID: status.containerID,
      exitCode: code,
      finishedAt: timestamp(fromText(at)),
      reason: code === 0 ? 'Completed' : 'Error',
      startedAt,
    };
    this.statuses.set(container.name, { ...status, ready: false, started: false, state: { terminated } });
    return false;
  }

  private all(): Container[] {
    const { spec } = this.pod;
    return [...spec.containers, ...(spec.initContainers ?? []), ...((spec.ephemeralContainers ?? []) as Container[])];
  }

  /** Graceful deletion: stops what runs, writes the last status, then removes the pod for good. */
  private terminate(): Result | void {
    const grace = this.pod.metadata.deletionGracePeriodSeconds ?? this.pod.spec.terminationGracePeriodSeconds ?? 30;
    const until = fromText(this.pod.metadata.deletionTimestamp);
    let running = false;
    for (const container of this.all()) {
      const dying = this.records[container.name]?.dying;
      // A delete with a shorter grace period hurries what is stopping already.
      if (dying && fromText(dying.at) > Math.max(until, this.now)) dying.at = toText(Math.max(until, this.now));
      if (this.stopOne(container, grace)) running = true;
    }
    if (running) return this.publish(this.podIP !== undefined);
    const { client } = this.context;
    const stopped = this.statuses.size > 0 && !isPodTerminal(this.pod);
    if (stopped) this.publish(false, this.finalPhase());
    if (client.get(Records, keyOf(this.pod))) client.delete(Records, keyOf(this.pod));
    client.delete(Pods, keyOf(this.pod), { gracePeriodSeconds: 0, preconditions: { uid: this.pod.metadata.uid } });
  }

  /** A pod whose containers are all gone is Succeeded or Failed, whatever its restart policy. */
  private finalPhase(): string | undefined {
    const ended = this.pod.spec.containers.map((c) => this.statuses.get(c.name)?.state?.terminated);
    if (ended.some((t) => !t)) return undefined;
    return ended.every((t) => t!.exitCode === 0) ? 'Succeeded' : 'Failed';
  }

  private pastDeadline(): boolean {
    const { activeDeadlineSeconds } = this.pod.spec;
    if (activeDeadlineSeconds === undefined || !this.pod.status.startTime) return false;
    const at = fromText(this.pod.status.startTime) + activeDeadlineSeconds * SECOND;
    if (at > this.now) this.wake(at);
    return at <= this.now;
  }

  private fail(reason: string, message: string): Result | void {
    if (this.pod.status.reason !== reason) this.event('Normal', reason, message);
    let running = false;
    for (const container of this.all()) if (this.stopOne(container)) running = true;
    return this.publish(false, running ? this.pod.status.phase : 'Failed', { reason, message });
  }

  private refuse({ reason, message }: { reason: string; message: string }): void {
    this.event('Warning', reason, message);
    const status: PodStatus = {
      ...this.pod.status,
      phase: 'Failed',
      reason,
      message: `Pod was rejected: ${message}`,
      startTime: timestamp(this.now),
    };
    this.context.client.updateStatus(Pods, { ...this.pod, status });
  }

  // ---- the outcome ----

  private publish(
    sandbox: boolean,
    phase = this.lingering ? 'Running' : phaseOf(this.pod, this.statuses),
    why?: { reason: string; message: string },
  ): Result | void {
    const { pod, context } = this;
    const status = this.nextStatus(sandbox, phase, why);
    this.keepRecord(phase);
    if (!deepEqual(status, pod.status)) context.client.updateStatus(Pods, { ...pod, status });
    if (this.nextWake < Infinity) return { requeueAfter: this.nextWake - this.now };
  }

  private nextStatus(sandbox: boolean, phase: string, why: { reason: string; message: string } | undefined): PodStatus {
    const { pod } = this;
    const { spec, status: old } = pod;
    const host = hostIP(this.node());
    const ended = isPodPhaseTerminal(phase);
    const list = (containers: readonly Container[]): ContainerStatus[] => containers.map((c) => this.status(c));
    return {
      ...old,
      ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
      conditions: conditionsOf(pod, this.statuses, phase, sandbox && !ended, this.now),
      containerStatuses: list(spec.containers),
      ...(spec.ephemeralContainers?.length
        ? { ephemeralContainerStatuses: list(spec.ephemeralContainers as Container[]) }
        : {}),
      hostIP: host,
      hostIPs: old.hostIP === host && old.hostIPs ? old.hostIPs : [{ ip: host }],
      ...(spec.initContainers?.length ? { initContainerStatuses: list(spec.initContainers) } : {}),
      phase,
      ...(this.podIP === undefined
        ? {}
        : { podIP: this.podIP, podIPs: old.podIP === this.podIP && old.podIPs ? old.podIPs : [{ ip: this.podIP }] }),
      startTime: old.startTime ?? timestamp(this.now),
      ...why,
    };
  }

  /** Writes the record when something in it is still needed, and only when it changed. */
  private keepRecord(phase: string): void {
    const { client } = this.context;
    const ended = isPodPhaseTerminal(phase);
    if (!this.stored && (!this.pending || (this.nextWake === Infinity && !this.crashed()))) return;
    if (ended && !this.stored) return;
    const { mounting, sandboxDue } = this;
    const next: PodRecord = {
      apiVersion: 'terrarium.dev/v1alpha1',
      kind: 'PodRuntime',
      metadata: this.stored?.metadata ?? { name: this.pod.metadata.name, namespace: this.pod.metadata.namespace },
      uid: this.pod.metadata.uid ?? '',
      ...(sandboxDue === undefined ? {} : { sandboxDue: toText(sandboxDue) }),
      ...(mounting ? { mountRetryAt: toText(mounting.retryAt), mountFailures: mounting.failures } : {}),
      containers: this.records,
    };
    if (this.stored && deepEqual(this.stored, next)) return;
    const existing = client.get(Records, keyOf(this.pod));
    if (existing && !this.stored) client.delete(Records, keyOf(this.pod));
    if (this.stored) client.update(Records, next);
    else client.create(Records, next);
  }

  private crashed(): boolean {
    for (const name in this.records) if (this.records[name]!.backoff !== undefined) return true;
    return false;
  }
}

const hostIP = (node: Node): string => node.status.addresses?.find((a) => a.type === 'InternalIP')?.address ?? '';
