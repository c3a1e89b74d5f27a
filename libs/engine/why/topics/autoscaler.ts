import type { HorizontalPodAutoscaler, MetricSpec } from '../../api/autoscaling_v2.js';
import type { LabelSelector } from '../../api/meta_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { APIServices, Pods } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { matchesLabelSelector } from '../../machinery/selectors/selectors.js';
import type { WhyFinding } from '../../machinery/questions/why.js';
import { findKind, resourceOf } from '../find-object.js';
import { explainMissing } from '../missing.js';
import { findingOf, lastEvent, MAX_DEPTH, refOf, unique, type Topic, type World } from '../world.js';

interface Target {
  readonly found?: KubeObject & { readonly spec?: { readonly selector?: LabelSelector } };
  /** What the target is like, or that it is not there. */
  readonly findings: WhyFinding[];
}

/** Why an autoscaler does not scale. */
export const autoscalerTopic: Topic<HorizontalPodAutoscaler> = (world, autoscaler, depth) => {
  const conditions = autoscaler.status?.conditions ?? [];
  const bad = conditions.filter(({ type, status }) => (type === 'ScalingLimited') === (status === 'True'));
  const found = bad.map(({ type, reason, message }) =>
    findingOf(autoscaler, reason ?? type, `${type}: ${message ?? ''}`),
  );
  const target = targetOf(world, autoscaler, depth);
  if (conditions.length === 0) {
    const event = lastEvent(world, autoscaler, ['FailedGetScale', 'FailedGetResourceMetric']);
    const message = event?.message ?? 'its controller has not looked at it yet';
    return [findingOf(autoscaler, event?.reason ?? 'NoStatus', message), ...target.findings];
  }
  const able = conditions.find(({ type }) => type === 'AbleToScale');
  const hold = able?.reason === 'ScaleDownStabilized' || able?.reason === 'BackoffBoth';
  if (hold) found.push(findingOf(autoscaler, able.reason ?? '', `AbleToScale: ${able.message ?? ''}`));
  const { currentReplicas = 0, desiredReplicas } = autoscaler.status ?? {};
  const metrics = (autoscaler.status?.currentMetrics ?? []).flatMap(({ resource }) =>
    resource ? [`${resource.name}: ${resource.current.averageUtilization ?? '<unknown>'}% now`] : [],
  );
  const counts = `it wants ${desiredReplicas ?? 0} replicas and there are ${currentReplicas} (${autoscaler.spec.minReplicas ?? 1} to ${autoscaler.spec.maxReplicas})`;
  if (found.some(({ message }) => message.includes('.metrics.k8s.io'))) metrics.push(...metricsServer(world));
  const requests = found.length > 0 ? missingRequests(world, autoscaler, target.found) : [];
  // Before it could compute anything it wants nothing.
  const isKnown = (desiredReplicas ?? 0) > 0 || found.length === 0;
  const own = isKnown
    ? [findingOf(autoscaler, 'DesiredWithinRange', counts, { details: metrics })]
    : [findingOf(autoscaler, 'NotComputed', 'it has not computed how many replicas it wants', { details: metrics })];
  return unique([...found.sort(activeFirst), ...requests, ...target.findings, ...own]);
};

/** Why the metrics of resources are not served. */
function metricsServer({ read }: World): string[] {
  const service = read.get(APIServices, { namespace: '', name: 'v1beta1.metrics.k8s.io' });
  if (!service) return ['no APIService v1beta1.metrics.k8s.io is there: metrics-server is not installed'];
  const available = service.status?.conditions?.find(({ type }) => type === 'Available');
  return available?.status === 'True' ? [] : [`${refOf(service)} is not available: ${available?.message ?? ''}`];
}

/** What keeps it from acting explains more than where it stops. */
const activeFirst = (a: WhyFinding, b: WhyFinding): number =>
  Number(a.message.startsWith('ScalingLimited')) - Number(b.message.startsWith('ScalingLimited'));

function targetOf(world: World, { metadata, spec }: HorizontalPodAutoscaler, depth: number): Target {
  const { kind: text, name } = spec.scaleTargetRef;
  const namespace = metadata.namespace ?? '';
  const kind = findKind(world, text);
  if (!kind) return { findings: [] };
  const found = world.read.get(kind, { namespace, name });
  if (!found) return { findings: [explainMissing(world, kind, namespace, name).finding] };
  return { found, findings: depth < MAX_DEPTH ? world.explain(resourceOf(kind), found, depth + 1) : [] };
}

/** A share of requests is measured of pods of which every container has one. */
function missingRequests(world: World, autoscaler: HorizontalPodAutoscaler, target: Target['found']): WhyFinding[] {
  const selector = target?.spec?.selector;
  if (!selector) return [];
  const pods = world.read
    .list(Pods, autoscaler.metadata.namespace)
    .filter(({ metadata }) => matchesLabelSelector(selector, metadata.labels));
  return (autoscaler.spec.metrics ?? []).flatMap((metric) =>
    pods.flatMap((pod) => withoutRequest(metric, pod)).slice(0, 1),
  );
}

function withoutRequest({ resource, containerResource }: MetricSpec, pod: Pod): WhyFinding[] {
  const { name, target } = resource ?? containerResource ?? {};
  if (name === undefined || target?.type !== 'Utilization') return [];
  const only = containerResource?.container;
  const containers = pod.spec.containers.filter((one) => only === undefined || one.name === only);
  if (only !== undefined && containers.length === 0)
    return [findingOf(pod, 'NoSuchContainer', `it has no container "${only}", which the autoscaler measures`)];
  const bare = containers.filter(({ resources }) => resources?.requests?.[name] === undefined);
  if (bare.length === 0) return [];
  const names = bare.map((one) => `"${one.name}"`).join(', ');
  const message = `container ${names} requests no ${name}, of which the autoscaler is to measure the share in use`;
  return [findingOf(pod, 'MissingRequest', message)];
}
