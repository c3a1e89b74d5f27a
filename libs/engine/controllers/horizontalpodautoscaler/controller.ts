import type { HorizontalPodAutoscaler, HorizontalPodAutoscalerCondition } from '../../api/autoscaling_v2.js';
import {
  Deployments,
  Events,
  HorizontalPodAutoscalers,
  ReplicaSets,
  ReplicationControllers,
  StatefulSets,
} from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import type { Kind } from '../../machinery/kind.js';
import { keyOf, type KubeObject } from '../../machinery/meta/object.js';
import { parseTimestamp, SECOND, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, watch, type Context, type Result } from '../../runtime/controller.js';
import { newCondition, setStatusCondition } from '../conditions.js';
import { findMetricFailures, type MetricFailure } from './metric-failures.js';

/** kube-controller-manager's --horizontal-pod-autoscaler-sync-period. */
const SYNC_PERIOD = 15 * SECOND;
/**
 * Failures are reported at each sync, until the spam filter of upstream's recorder lets no more through: that would
 * never let a cluster be idle.
 */
const REPORTED = 12 * SYNC_PERIOD;
const NO_REPLICAS = 'FailedComputeMetricsReplicas';
const TARGETS = [Deployments, ReplicaSets, StatefulSets, ReplicationControllers] as unknown as Kind<Scalable>[];

interface Scalable extends KubeObject {
  spec: { replicas?: number };
}

/**
 * Holds a workload's replicas between an autoscaler's bounds, and says why it cannot do more: no metrics are served
 * here.
 * Models pkg/controller/podautoscaler/horizontal.go. Left out: metrics and what follows from them.
 */
export const controller = defineController({
  name: 'horizontalpodautoscaler',
  actor: 'system:serviceaccount:kube-system:horizontal-pod-autoscaler',
  eventSource: 'horizontal-pod-autoscaler',
  for: HorizontalPodAutoscalers,
  watches: TARGETS.map((kind) =>
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
  reconcile(context, key): Result | void {
    const { client, now } = context;
    const hpa = client.get(HorizontalPodAutoscalers, key);
    if (!hpa) return;
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
  const able = newCondition(
    'AbleToScale',
    'True',
    'SucceededGetScale',
    "the HPA controller was able to get the target's current scale",
    now,
  );
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
  if (current > maxReplicas)
    return rescaleTarget(context, hpa, kind, target, maxReplicas, 'Current number of replicas above Spec.MaxReplicas');
  if (current < minReplicas)
    return rescaleTarget(context, hpa, kind, target, minReplicas, 'Current number of replicas below Spec.MinReplicas');
  const failures = findMetricFailures(hpa);
  const [first] = failures;
  if (!first) return void updateStatusIfNeeded(context, hpa, { ...status, conditions: combineErrors(hpa, able) });
  const inactive = newCondition(
    'ScalingActive',
    'False',
    first.reason,
    `the HPA was unable to compute the replica count: ${first.text}`,
    now,
  );
  const conditions = combineErrors(hpa, able, inactive);
  const isNew = updateStatusIfNeeded(context, hpa, { ...status, conditions });
  const since = conditions.find(({ type }) => type === 'ScalingActive')?.lastTransitionTime;
  return reportFailures(context, hpa, failures, isNew ? -Infinity : lastReport(context, hpa, since));
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
  return { requeueAfter: SYNC_PERIOD };
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
