import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from '../../api/autoscaling_v2.js';
import type { Pod } from '../../api/core_v1.js';
import { APIServices } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { METRICS_GROUP, METRICS_VERSION } from '../../machinery/questions/metrics-server.js';
import type { PodUsage } from '../../machinery/questions/usage.js';
import { canonicalQuantity, milliValue } from '../../machinery/quantity/quantity.js';
import type { Millis } from '../../machinery/time/time.js';
import { findFailure, NOT_FOUND, resourceFailure, UNAVAILABLE, type MetricFailure } from './metric-failures.js';
import { NoProposal, proposeByUtilization, proposeByValue, TOLERANCE, type Proposal } from './replica-calculator.js';

/** What a metric comes to. */
export interface MetricProposal {
  readonly replicas: number;
  /** 'cpu resource utilization (percentage of request)'. */
  readonly name: string;
  readonly status: MetricStatus;
}

export interface Measured {
  readonly pods: readonly Pod[];
  readonly usages: readonly PodUsage[];
  readonly currentReplicas: number;
  readonly now: Millis;
}

/** Why the resource metrics API does not answer; undefined: it does. */
export function apiFailure(read: Reader): string | undefined {
  const service = read.get(APIServices, { namespace: '', name: `${METRICS_VERSION}.${METRICS_GROUP}` });
  if (!service?.spec.service) return NOT_FOUND;
  const isAvailable = service.status.conditions?.some(({ type, status }) => type === 'Available' && status === 'True');
  return isAvailable ? undefined : UNAVAILABLE;
}

/** Models horizontal.go computeReplicasForMetric. */
export function readMetric(
  hpa: HorizontalPodAutoscaler,
  metric: MetricSpec,
  measured: Measured,
): MetricProposal | MetricFailure {
  const { resource, containerResource } = metric;
  const source = resource ?? containerResource;
  if (!source) return findFailure(metric, hpa.metadata.namespace ?? '')!;
  const { name, target } = source;
  const question = {
    ...measured,
    resource: name,
    ...(containerResource ? { container: containerResource.container } : {}),
    tolerance: toleranceOf(hpa),
  };
  try {
    const isValue = target.averageValue !== undefined;
    const found = isValue
      ? proposeByValue(question, milliValue(target.averageValue!))
      : proposeByUtilization(question, target.averageUtilization ?? 0);
    const kind = resource ? 'resource' : 'container resource';
    const text = isValue ? `${name} ${kind}` : `${name} ${kind} utilization (percentage of request)`;
    return { replicas: found.replicas, name: text, status: statusOf(metric, found) };
  } catch (error) {
    if (error instanceof NoProposal) return resourceFailure(metric, error.message);
    throw error;
  }
}

function statusOf({ resource, containerResource }: MetricSpec, { utilization, average }: Proposal): MetricStatus {
  const current = {
    ...(utilization === undefined ? {} : { averageUtilization: utilization }),
    averageValue: canonicalQuantity(`${average}m`),
  };
  if (resource) return { type: 'Resource', resource: { name: resource.name, current } };
  const { name, container } = containerResource!;
  return { type: 'ContainerResource', containerResource: { name, container, current } };
}

function toleranceOf({ spec: { behavior } }: HorizontalPodAutoscaler): { up: number; down: number } {
  const share = (text: string | undefined): number => (text === undefined ? TOLERANCE : milliValue(text) / 1_000);
  return { up: share(behavior?.scaleUp?.tolerance), down: share(behavior?.scaleDown?.tolerance) };
}
