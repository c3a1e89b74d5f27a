import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  MetricStatus,
} from '../../api/autoscaling_v2.js';
import type { Pod } from '../../api/core_v1.js';
import type { LabelSelector } from '../../api/meta_v1.js';
import {
  APIServices,
  Deployments,
  Events,
  HorizontalPodAutoscalers,
  MachineChanges,
  PodMachines,
  Pods,
  ReplicaSets,
  ReplicationControllers,
  StatefulSets,
} from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind } from '../../machinery/kind.js';
import type { Reader } from '../../machinery/client.js';
import { keyOf, type Key, type KubeObject } from '../../machinery/meta/object.js';
import { METRICS_GROUP, METRICS_VERSION } from '../../machinery/questions/metrics-server.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import { parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Context, type Result } from '../../runtime/controller.js';
import { newCondition, setStatusCondition } from '../conditions.js';
import { forget, keepMemory, memoryOf } from './memory.js';
import { findMetricFailures, type MetricFailure } from './metric-failures.js';
import { apiFailure, readMetric } from './metrics.js';
import { decide, remember } from './recommendations.js';

/** kube-controller-manager's --horizontal-pod-autoscaler-sync-period. */
const SYNC_PERIOD = 15 * SECOND;
/**
 * Failures are reported at each sync, until the spam filter of upstream's recorder lets no more through: that would
 * never let a cluster be idle.
 */
const REPORTED = 12 * SYNC_PERIOD;
/** A sync that something else wakes waits for its time. */
const SYNC_JITTER = SECOND;
const METRICS_API = `${METRICS_VERSION}.${METRICS_GROUP}`;
const GOT_SCALE = "the HPA controller was able to get the target's current scale";
/** As upstream leaves a metric of which it knows nothing. */
const NO_STATUS = { type: '' } as MetricStatus;
const NO_REPLICAS = 'FailedComputeMetricsReplicas';
/** Until a new pod's measure counts. */
const STARTING = 3 * SYNC_PERIOD;
const TARGETS = [Deployments, ReplicaSets, StatefulSets, ReplicationControllers] as unknown as Kind<Scalable>[];

interface Scalable extends KubeObject {
  spec: { replicas?: number; selector?: Readonly<Record<string, unknown>> };
}

/**
 * Holds a workload's replicas between an autoscaler's bounds, and, where metrics-server serves metrics, as many of them
 * as their load asks for. A cluster whose load does not change is left alone until something wakes it: a pod, or what
 * is done in one.
 * Models pkg/controller/podautoscaler/horizontal.go. Left out: custom and external metrics.
 */
export const controller = defineController({
  name: 'horizontalpodautoscaler',
  actor: 'system:serviceaccount:kube-system:horizontal-pod-autoscaler',
  eventSource: 'horizontal-pod-autoscaler',
  for: HorizontalPodAutoscalers,
  watches: [
    watch({
      kind: APIServices,
      when: ({ metadata }) => metadata.name === METRICS_API,
      keys: (_, read) => allKeys(read),
    }),
    watch<Pod>({ kind: Pods, when: (pod, old) => changesLoad(pod, old), keys: (_, read) => measuredKeys(read) }),
    watch({ kind: PodMachines, keys: (_, read) => measuredKeys(read) }),
    watch({ kind: MachineChanges, keys: (_, read) => measuredKeys(read) }),
    ...TARGETS.map((kind) =>
      watch<Scalable>({
        kind,
        when: (target, old) => target.spec.replicas !== old?.spec.replicas,
        *keys({ metadata: { namespace = '', name } }, reader) {
          for (const hpa of reader.list(HorizontalPodAutoscalers, namespace)) {
            const { scaleTargetRef: ref } = hpa.spec;
            if (ref.name === name && ref.kind === kind.kind) yield { namespace, name: hpa.metadata.name! };
          }
        },
      }),
    ),
  ],
  reconcile(context, key): Result | void {
    const { client, now } = context;
    const hpa = client.get(HorizontalPodAutoscalers, key);
    if (!hpa) return void forget(client, key);
    const firstSync = parseTimestamp(hpa.metadata.creationTimestamp!) + SYNC_PERIOD;
    if (now < firstSync) return { requeueAfter: firstSync - now };
    const { scaleTargetRef: ref } = hpa.spec;
    const kind = TARGETS.find((k) => k.kind === ref.kind) ?? client.kindFor(ref.apiVersion ?? '', ref.kind);
    const target = kind && (client.get(kind, { namespace: key.namespace, name: ref.name }) as Scalable | undefined);
    if (target) return syncTarget(context, hpa, kind as Kind<Scalable>, target);
    reportMissingTarget(
      context,
      hpa,
      kind
        ? `${kind.plural}/scale${kind.group ? `.${kind.group}` : ''} "${ref.name}" not found`
        : `no matches for kind "${ref.kind}" in group "${groupOf(ref.apiVersion ?? '')}"`,
    );
  },
});

const allKeys = (reader: Reader): Key[] => reader.list(HorizontalPodAutoscalers).map(keyOf);

/** Load is measured only where metrics are served. */
const measuredKeys = (reader: Reader): readonly Key[] => (apiFailure(reader) === undefined ? allKeys(reader) : NO_KEYS);

/** A pod that runs, is ready, or ends: what it does to itself and to others begins and ends with that. */
const changesLoad = ({ status, metadata }: Pod, old: Pod | undefined): boolean =>
  !old ||
  status.phase !== old.status.phase ||
  metadata.deletionTimestamp !== old.metadata.deletionTimestamp ||
  isReady(status) !== isReady(old.status);

const isReady = ({ conditions }: Pod['status']): boolean =>
  conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;

/** The pods that a scale's selector selects. */
function podsOf(read: Reader, { spec: { selector }, metadata: { namespace } }: Scalable): Pod[] {
  const isMap = selector !== undefined && !('matchLabels' in selector) && !('matchExpressions' in selector);
  const wanted = (isMap ? { matchLabels: selector } : (selector ?? {})) as LabelSelector;
  return read
    .list(Pods, namespace)
    .filter(({ metadata, status }) => status.phase !== 'Succeeded' && matchesLabelSelector(wanted, metadata.labels));
}

const isStarting = ({ status }: Pod, now: Millis): boolean =>
  status.phase === 'Pending' ||
  (status.conditions ?? []).some(
    ({ type, lastTransitionTime = '' }) => type === 'Ready' && now - parseTimestamp(lastTransitionTime) < STARTING,
  );

const groupOf = (apiVersion: string): string => (apiVersion.includes('/') ? apiVersion.split('/')[0]! : '');

function reportMissingTarget(context: Context, hpa: HorizontalPodAutoscaler, why: string): void {
  const next = newCondition(
    'AbleToScale',
    'False',
    'FailedGetScale',
    `the HPA controller was unable to get the target's current scale: ${why}`,
    context.now,
  );
  if (
    updateStatusIfNeeded(context, hpa, { ...hpa.status, conditions: setStatusCondition(hpa.status.conditions, next) })
  )
    context.event(hpa, 'Warning', 'FailedGetScale', why);
}

function syncTarget(
  context: Context,
  hpa: HorizontalPodAutoscaler,
  kind: Kind<Scalable>,
  target: Scalable,
): Result | void {
  const { now } = context;
  const current = target.spec.replicas ?? 1;
  const { minReplicas = 1, maxReplicas } = hpa.spec;
  const able = newCondition('AbleToScale', 'True', 'SucceededGetScale', GOT_SCALE, now);
  const status = { ...hpa.status, currentReplicas: current, desiredReplicas: hpa.status.desiredReplicas ?? 0 };
  if (current === 0 && minReplicas !== 0) {
    const disabled = newCondition(
      'ScalingActive',
      'False',
      'ScalingDisabled',
      'scaling is disabled since the replica count of the target is zero',
      now,
    );
    return void updateStatusIfNeeded(context, hpa, {
      ...status,
      desiredReplicas: 0,
      conditions: combineErrors(hpa, able, disabled),
    });
  }
  const outside = outsideBounds(current, minReplicas, maxReplicas);
  if (outside) return rescaleTarget(context, hpa, kind, target, outside[0], outside[1]);
  const why = apiFailure(context.client);
  if (why === undefined) return followLoad(context, hpa, kind, target);
  const failures = findMetricFailures(hpa, why);
  const [first] = failures;
  if (!first) return void updateStatusIfNeeded(context, hpa, { ...status, conditions: combineErrors(hpa, able) });
  return fail(context, hpa, { ...status, conditions: combineErrors(hpa, able, inactive(first, now)) }, failures);
}

const inactive = ({ reason, text }: MetricFailure, now: Millis): HorizontalPodAutoscalerCondition =>
  newCondition('ScalingActive', 'False', reason, `the HPA was unable to compute the replica count: ${text}`, now);

/** Writes down that there is no count of replicas, and reports why. */
function fail(
  context: Context,
  hpa: HorizontalPodAutoscaler,
  status: HorizontalPodAutoscaler['status'],
  failures: readonly MetricFailure[],
): Result | void {
  const isNew = updateStatusIfNeeded(context, hpa, status);
  const since = status.conditions?.find(({ type }) => type === 'ScalingActive')?.lastTransitionTime;
  return reportFailures(context, hpa, failures, isNew ? -Infinity : lastReport(context, hpa, since));
}

function outsideBounds(current: number, least: number, most: number): [replicas: number, why: string] | undefined {
  if (current > most) return [most, 'Current number of replicas above Spec.MaxReplicas'];
  return current < least ? [least, 'Current number of replicas below Spec.MinReplicas'] : undefined;
}

/** Measures the target's pods at each sync, and makes as many of them as their load asks for. */
function followLoad(
  context: Context,
  hpa: HorizontalPodAutoscaler,
  kind: Kind<Scalable>,
  target: Scalable,
): Result | void {
  const { client, now, usage } = context;
  const sinceSync = (now - parseTimestamp(hpa.metadata.creationTimestamp!)) % SYNC_PERIOD;
  const sinceScale = now - parseTimestamp(hpa.status.lastScaleTime ?? '');
  const isSync = sinceSync <= SYNC_JITTER && !(sinceScale <= 2 * SYNC_JITTER);
  if (!isSync) return { requeueAfter: SYNC_PERIOD - sinceSync };
  const current = target.spec.replicas ?? 1;
  const pods = podsOf(client, target);
  const usages = usage?.pods(hpa.metadata.namespace ?? '', now) ?? [];
  const found = (hpa.spec.metrics ?? []).map((metric) =>
    readMetric(hpa, metric, { pods, usages, currentReplicas: current, now }),
  );
  const proposals = found.filter((one) => 'replicas' in one);
  const failures = found.filter((one) => 'reason' in one);
  const best = proposals.reduce((most, one) => (!most || one.replicas > most.replicas ? one : most), proposals[0]);
  const memory = memoryOf(client, hpa, current, now);
  const able = newCondition('AbleToScale', 'True', 'SucceededGetScale', GOT_SCALE, now);
  if (!best || (failures.length > 0 && best.replicas < current)) {
    const conditions = combineErrors(hpa, able, inactive(failures[0]!, now));
    const { desiredReplicas = 0 } = hpa.status;
    const status = { ...hpa.status, currentReplicas: current, desiredReplicas, conditions };
    return fail(context, hpa, status, failures) ?? { requeueAfter: SYNC_PERIOD - sinceSync };
  }
  const { replicas, able: reason, limited } = decide(hpa, memory, current, best.replicas, now);
  const isRescaled = replicas !== current;
  const active = `the HPA was able to successfully calculate a replica count from ${best.name}`;
  const done = ['SucceededRescale', `the HPA controller was able to update the target scale to ${replicas}`] as const;
  const conditions = combineErrors(
    hpa,
    newCondition('AbleToScale', 'True', ...(isRescaled ? done : reason), now),
    newCondition('ScalingActive', 'True', 'ValidMetricFound', active, now),
    newCondition('ScalingLimited', limited[0] ? 'True' : 'False', limited[1], limited[2], now),
  );
  if (isRescaled) {
    const why = best.replicas > current ? `${best.name} above target` : 'All metrics below target';
    client.subresource(kind, keyOf(target), 'scale', { spec: { replicas } });
    context.event(hpa, 'Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${why}`);
  }
  keepMemory(client, hpa, remember(hpa, memory, { desired: best.replicas, from: current, to: replicas }, now));
  for (const failure of failures) context.event(hpa, 'Warning', failure.reason, failure.text);
  const isNew = updateStatusIfNeeded(context, hpa, {
    ...hpa.status,
    ...{ currentReplicas: current, desiredReplicas: replicas, conditions },
    currentMetrics: found.map((one) => ('status' in one ? one.status : NO_STATUS)),
    ...(isRescaled ? { lastScaleTime: timestamp(now) } : {}),
  });
  const isMoving = isNew || best.replicas !== current || pods.some((pod) => isStarting(pod, now));
  if (isMoving || usage?.mayChange(now)) return { requeueAfter: SYNC_PERIOD - sinceSync };
}

/** Reports failures when the last report is a period ago. */
function reportFailures(
  context: Context,
  hpa: HorizontalPodAutoscaler,
  failures: readonly MetricFailure[],
  last: Millis,
): Result | void {
  if (last === Infinity) return;
  const wait = last + SYNC_PERIOD - context.now;
  if (wait > 0) return { requeueAfter: wait };
  for (const { reason, text } of failures) context.event(hpa, 'Warning', reason, text);
  const invalid = `${failures.length} invalid out of ${hpa.spec.metrics?.length}`;
  context.event(hpa, 'Warning', NO_REPLICAS, `invalid metrics (${invalid}), first error is: ${failures[0]?.error}`);
  // As the report's own time tells it, in whole seconds, to whoever goes on from the log.
  return { requeueAfter: parseTimestamp(timestamp(context.now)) + SYNC_PERIOD - context.now };
}

/** When the failures were reported last; Infinity: often enough. */
function lastReport({ client, now }: Context, { metadata }: HorizontalPodAutoscaler, since = ''): Millis {
  const began = parseTimestamp(since);
  if (now >= began + REPORTED) return Infinity;
  const reports = client
    .byIndex(Events, 'involvedUid', metadata.uid ?? '')
    .filter(({ reason }) => reason === NO_REPLICAS)
    .map(({ lastTimestamp }) => parseTimestamp(lastTimestamp ?? ''));
  return Math.max(began, ...reports);
}

function rescaleTarget(
  context: Context,
  hpa: HorizontalPodAutoscaler,
  kind: Kind<Scalable>,
  target: Scalable,
  replicas: number,
  reason: string,
): void {
  const { client, now } = context;
  client.subresource(kind, keyOf(target), 'scale', { spec: { replicas } });
  context.event(hpa, 'Normal', 'SuccessfulRescale', `New size: ${replicas}; reason: ${reason}`);
  const done = newCondition(
    'AbleToScale',
    'True',
    'SucceededRescale',
    `the HPA controller was able to update the target scale to ${replicas}`,
    now,
  );
  updateStatusIfNeeded(context, hpa, {
    ...hpa.status,
    currentReplicas: target.spec.replicas ?? 1,
    desiredReplicas: replicas,
    lastScaleTime: timestamp(now),
    conditions: combineErrors(hpa, done),
  });
}

const combineErrors = (
  hpa: HorizontalPodAutoscaler,
  ...conditions: HorizontalPodAutoscalerCondition[]
): HorizontalPodAutoscalerCondition[] =>
  conditions.reduce((all, c) => setStatusCondition(all, c), hpa.status.conditions ?? []);

/** True when the status says something new. */
function updateStatusIfNeeded(
  { client }: Context,
  hpa: HorizontalPodAutoscaler,
  status: HorizontalPodAutoscaler['status'],
): boolean {
  if (deepEqual(status, hpa.status)) return false;
  client.updateStatus(HorizontalPodAutoscalers, { ...hpa, status });
  return true;
}
