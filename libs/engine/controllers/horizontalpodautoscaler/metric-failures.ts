import type { HorizontalPodAutoscaler, MetricSpec, MetricTarget } from '../../api/autoscaling_v2.js';
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

const NOT_FOUND = 'the server could not find the requested resource';
const RESOURCE_API = `unable to fetch metrics from resource metrics API: ${NOT_FOUND} (get pods.metrics.k8s.io)`;
const CUSTOM_API =
  'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered';

/**
 * Why each metric of an autoscaler fails in a cluster that serves none. Models pkg/controller/podautoscaler
 * horizontal.go computeReplicasForMetric, replica_calculator.go and metrics/client.go.
 */
export const findMetricFailures = ({ metadata, spec }: HorizontalPodAutoscaler): MetricFailure[] =>
  (spec.metrics ?? []).flatMap((metric) => findFailure(metric, metadata.namespace ?? '') ?? []);

function findFailure(metric: MetricSpec, namespace: string): MetricFailure | undefined {
  const { resource, containerResource, pods, object, external } = metric;
  if (resource) {
    const text = resourceText(resource.name, resource.target);
    const error = `failed to get ${resource.name} resource metric value: ${text}`;
    return { reason: 'FailedGetResourceMetric', text, error };
  }
  if (containerResource) {
    const text = resourceText(containerResource.name, containerResource.target);
    const error = `failed to get ${containerResource.container} container metric value: ${text}`;
    return { reason: 'FailedGetContainerResourceMetric', text, error };
  }
  if (pods) {
    const text = `unable to get metric ${pods.metric.name}: ${CUSTOM_API}`;
    return { reason: 'FailedGetPodsMetric', text, error: `failed to get pods metric value: ${text}` };
  }
  return object ? objectFailure(object, namespace) : external && externalFailure(external, namespace);
}

function resourceText(name: string, target: MetricTarget): string {
  const what = target.averageValue === undefined ? 'utilization' : 'usage';
  return `failed to get ${name} ${what}: unable to get metrics for resource ${name}: ${RESOURCE_API}`;
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
