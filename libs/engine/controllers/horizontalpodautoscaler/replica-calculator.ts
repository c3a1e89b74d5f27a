import type { Container, Pod } from '../../api/core_v1.js';
import type { PodUsage } from '../../machinery/questions/usage.js';
import { USAGE_WINDOW } from '../../machinery/questions/usage.js';
import { milliValue } from '../../machinery/quantity/quantity.js';
import { MINUTE, parseTimestamp, SECOND, type Millis } from '../../machinery/time/time.js';

/** kube-controller-manager's --horizontal-pod-autoscaler-cpu-initialization-period and -initial-readiness-delay. */
const CPU_INITIALIZATION = 5 * MINUTE;
const INITIAL_READINESS_DELAY = 30 * SECOND;
/** --horizontal-pod-autoscaler-tolerance. */
export const TOLERANCE = 0.1;

/** What a metric is about. Values are in thousandths: of CPUs, of bytes. */
export interface Question {
  readonly resource: string;
  /** One container of each pod; all by default. */
  readonly container?: string;
  readonly pods: readonly Pod[];
  readonly usages: readonly PodUsage[];
  readonly currentReplicas: number;
  readonly now: Millis;
  /** Of what a change of replicas begins. */
  readonly tolerance: Tolerance;
}
export interface Tolerance {
  readonly up: number;
  readonly down: number;
}

export interface Proposal {
  readonly replicas: number;
  /** Percent of the requests; undefined for a target of values. */
  readonly utilization?: number;
  /** The average of a pod, in thousandths. */
  readonly average: number;
}

/** Why there is no proposal, in upstream's words. */
export class NoProposal extends Error {}

type Values = Map<string, number>;
type Ratio = { readonly ratio: number; readonly utilization?: number; readonly average: number };

/** Models replica_calculator.go GetResourceReplicas. Throws NoProposal. */
export function proposeByUtilization(question: Question, target: number): Proposal {
  const { pods } = question;
  const metrics = readMetrics(question);
  if (pods.length === 0) throw new NoProposal('no pods returned by selector while calculating replica count');
  const groups = groupPods(question, metrics);
  for (const name of groups.ignored) metrics.delete(name);
  const requests = requestsOf(question);
  if (metrics.size === 0) throw new NoProposal('did not receive metrics for targeted pods (pods might be unready)');
  return propose(
    question,
    metrics,
    groups,
    (values) => utilizationRatio(values, requests, target),
    (name) => requests.get(name) ?? 0,
  );
}

/** Models calcPlainMetricReplicas. Throws NoProposal. */
export function proposeByValue(question: Question, target: number): Proposal {
  const metrics = readMetrics(question);
  if (question.pods.length === 0) throw new NoProposal('no pods returned by selector while calculating replica count');
  const groups = groupPods(question, metrics);
  for (const name of groups.ignored) metrics.delete(name);
  if (metrics.size === 0) throw new NoProposal('did not receive metrics for targeted pods (pods might be unready)');
  return propose(
    question,
    metrics,
    groups,
    (values) => valueRatio(values, target),
    () => target,
  );
}

function propose(
  { currentReplicas, tolerance }: Question,
  metrics: Values,
  { ready, ignored, missing }: Groups,
  ratioOf: (values: Values) => Ratio,
  fullUse: (pod: string) => number,
): Proposal {
  const first = ratioOf(metrics);
  const { utilization, average } = first;
  const shown = { ...(utilization === undefined ? {} : { utilization }), average };
  const rebalances = ignored.length > 0 && first.ratio > 1;
  const isNear = (ratio: number): boolean => ratio >= 1 - tolerance.down && ratio <= 1 + tolerance.up;
  if (!rebalances && missing.length === 0) {
    const replicas = isNear(first.ratio) ? currentReplicas : Math.ceil(first.ratio * ready);
    return { replicas, ...shown };
  }
  // Pods of which nothing is known count so that the change is the smaller.
  if (first.ratio < 1) for (const name of missing) metrics.set(name, fullUse(name));
  else if (first.ratio > 1) for (const name of missing) metrics.set(name, 0);
  if (rebalances) for (const name of ignored) metrics.set(name, 0);
  const { ratio } = ratioOf(metrics);
  const turns = (first.ratio < 1 && ratio > 1) || (first.ratio > 1 && ratio < 1);
  if (isNear(ratio) || turns) return { replicas: currentReplicas, ...shown };
  const replicas = Math.ceil(ratio * metrics.size);
  const isAgainst = (ratio < 1 && replicas > currentReplicas) || (ratio > 1 && replicas < currentReplicas);
  return { replicas: isAgainst ? currentReplicas : replicas, ...shown };
}

const isActive = ({ status, metadata }: Pod): boolean => status.phase !== 'Failed' && !metadata.deletionTimestamp;

/** By pod. Models metrics/client.go getPodMetrics. */
function readMetrics({ resource, container, usages, pods }: Question): Values {
  const wanted = new Set(pods.map(({ metadata }) => metadata.name));
  const found: Values = new Map();
  let isAny = false;
  for (const { pod, containers } of usages) {
    if (!wanted.has(pod.metadata.name)) continue;
    isAny = true;
    let sum = 0;
    let isThere = container === undefined;
    for (const [name, usage] of containers) {
      if (container !== undefined && name !== container) continue;
      isThere = true;
      sum += resource === 'cpu' ? Math.ceil(usage.cpu) : resource === 'memory' ? usage.memory * 1_000 : 0;
    }
    if (container !== undefined && !isThere)
      throw new NoProposal(
        `container ${container} not present in metrics for pod ${pod.metadata.namespace}/${pod.metadata.name}`,
      );
    if (resource === 'cpu' || resource === 'memory') found.set(pod.metadata.name ?? '', sum);
  }
  if (!isAny)
    throw new NoProposal(
      `unable to get metrics for resource ${resource}: no metrics returned from resource metrics API`,
    );
  return found;
}

interface Groups {
  readonly ready: number;
  readonly ignored: readonly string[];
  readonly missing: readonly string[];
}

/** Models groupPods. */
function groupPods({ pods, resource, now }: Question, metrics: Values): Groups {
  const ignored: string[] = [];
  const missing: string[] = [];
  let ready = 0;
  for (const pod of pods) {
    const name = pod.metadata.name ?? '';
    if (!isActive(pod)) ignored.push(name);
    else if (pod.status.phase === 'Pending') ignored.push(name);
    else if (!metrics.has(name)) missing.push(name);
    else if (resource === 'cpu' && isUnready(pod, now)) ignored.push(name);
    else ready++;
  }
  return { ready, ignored, missing };
}

function isUnready({ status }: Pod, now: Millis): boolean {
  const condition = status.conditions?.find(({ type }) => type === 'Ready');
  if (!condition || !status.startTime) return true;
  const startedAt = parseTimestamp(status.startTime);
  const changedAt = parseTimestamp(condition.lastTransitionTime ?? '');
  const measuredAt = Math.floor(now / USAGE_WINDOW) * USAGE_WINDOW;
  if (startedAt + CPU_INITIALIZATION > now)
    return condition.status === 'False' || measuredAt < changedAt + USAGE_WINDOW;
  return condition.status === 'False' && startedAt + INITIAL_READINESS_DELAY > changedAt;
}

/** Models calculatePodRequests. Sidecars count, too. */
function requestsOf({ pods, resource, container }: Question): Values {
  const requests: Values = new Map();
  for (const { metadata, spec } of pods) {
    const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
    let sum = 0;
    for (const one of [...spec.containers, ...sidecars]) {
      if (container !== undefined && one.name !== container) continue;
      sum += requestOf(one, resource, metadata.name ?? '');
    }
    requests.set(metadata.name ?? '', sum);
  }
  return requests;
}

function requestOf({ name, resources }: Container, resource: string, pod: string): number {
  const request = resources?.requests?.[resource];
  if (request === undefined) throw new NoProposal(`missing request for ${resource} in container ${name} of Pod ${pod}`);
  return milliValue(request);
}

/** Models metrics/utilization.go. */
function utilizationRatio(values: Values, requests: Values, target: number): Ratio {
  let [used, requested, count] = [0, 0, 0];
  for (const [name, value] of values) {
    const request = requests.get(name);
    if (request === undefined) continue;
    [used, requested, count] = [used + value, requested + request, count + 1];
  }
  if (requested === 0) throw new NoProposal('no metrics returned matched known pods');
  const utilization = Math.trunc((used * 100) / requested);
  return { ratio: utilization / target, utilization, average: Math.trunc(used / count) };
}

function valueRatio(values: Values, target: number): Ratio {
  const sum = [...values.values()].reduce((total, value) => total + value, 0);
  const average = Math.trunc(sum / values.size);
  return { ratio: average / target, average };
}
