import type { HorizontalPodAutoscaler, MetricSpec } from '../../api/autoscaling_v2.js';
import type { LabelSelector } from '../../api/meta_v1.js';

/** Why a metric cannot be had. */
export interface MetricFailure {
  /** Of the event, and of the condition ScalingActive. */
  readonly reason: string;
  /** Of the event, and in the condition. */
  readonly text: string;
  /** In FailedComputeMetricsReplicas. */
  readonly error: string;
}

export const NOT_FOUND = 'the server could not find the requested resource';
export const UNAVAILABLE = 'the server is currently unable to handle the request';
const CUSTOM_API =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';

/**
 * Why each metric of an autoscaler fails in a cluster that serves none; `why`: what the API server answers to those who
 * ask for resources. Models pkg/controller/podautoscaler: horizontal.go computeReplicasForMetric, replica_calculator.go
 * and metrics/client.go.
 */
export const findMetricFailures = (
  { metadata, spec }: HorizontalPodAutoscaler,
  why: string = NOT_FOUND,
): MetricFailure[] =>
  (spec.metrics ?? []).flatMap((metric) => findFailure(metric, metadata.namespace ?? '', why) ?? []);

export function findFailure(metric: MetricSpec, namespace: string, why: string = NOT_FOUND): MetricFailure | undefined {
  const { resource, containerResource, pods, object, external } = metric;
  const { name } = resource ?? containerResource ?? {};
  if (name !== undefined) {
    const from = `unable to fetch metrics from resource metrics API: ${why} (get pods.metrics.k8s.io)`;
    return resourceFailure(metric, `unable to get metrics for resource ${name}: ${from}`);
  }
  if (pods) {
    const text = `unable to get metric ${pods.metric.name}: ${CUSTOM_API}`;
    return { reason: 'FailedGetPodsMetric', text, error: `failed to get pods metric value: ${text}` };
  }
  return object ? objectFailure(object, namespace) : external && externalFailure(external, namespace);
}

/** Of a metric of resources, or of those of one container. */
export function resourceFailure({ resource, containerResource }: MetricSpec, why: string): MetricFailure {
  const { name, target } = (resource ?? containerResource)!;
  const text = `failed to get ${name} ${target.averageValue === undefined ? 'utilization' : 'usage'}: ${why}`;
  if (resource) {
    const error = `failed to get ${name} resource metric value: ${text}`;
    return { reason: 'FailedGetResourceMetric', text, error };
  }
  const error = `failed to get ${containerResource!.container} container metric value: ${text}`;
  return { reason: 'FailedGetContainerResourceMetric', text, error };
}

function objectFailure(object: NonNullable<MetricSpec['object']>, namespace: string): MetricFailure {
  const { metric, describedObject, target } = object;
  const on = `on ${describedObject.kind} ${namespace}/${describedObject.name}`;
  const text = `unable to get metric ${metric.name}: ${CUSTOM_API} ${on}`;
  const error = target.averageValue === undefined ? text : `failed to get ${metric.name} object metric: ${text}`;
  return { reason: 'FailedGetObjectMetric', text, error: `failed to get object metric value: ${error}` };
}

function externalFailure(external: NonNullable<MetricSpec['external']>, namespace: string): MetricFailure {
  const { name, selector } = external.metric;
  const text =
    `unable to get external metric ${namespace}/${name}/${printSelector(selector)}: ` +
    `unable to fetch metrics from external metrics API: ${NOT_FOUND} (get ${name}.external.metrics.k8s.io)`;
  const what = external.target.averageValue === undefined ? `external metric ${name}` : `${name} external metric`;
  const error = `failed to get ${name} external metric value: failed to get ${what}: ${text}`;
  return { reason: 'FailedGetExternalMetric', text, error };
}

/** As Go prints a LabelSelector. */
function printSelector(selector: LabelSelector | undefined): string {
  if (!selector) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const terms = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  const requirements = `[]LabelSelectorRequirement{${terms.join('')}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:${requirements},}`;
}
