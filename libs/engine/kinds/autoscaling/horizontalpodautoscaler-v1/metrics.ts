import type {
  CrossVersionObjectReference,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../api/autoscaling_v2.js';
import type { LabelSelector } from '../../../machinery/meta/object.js';

/** A metric as the annotations of autoscaling/v1 spell it, of spec and status alike. */
export interface V1Metric {
  type: string;
  resource?: V1Source;
  containerResource?: V1Source;
  pods?: V1Source;
  object?: V1Source;
  external?: V1Source;
}
interface V1Source {
  name?: string;
  container?: string;
  metricName?: string;
  selector?: LabelSelector;
  metricSelector?: LabelSelector;
  target?: CrossVersionObjectReference;
  targetValue?: string;
  averageValue?: string;
  targetAverageValue?: string;
  targetAverageUtilization?: number;
  currentValue?: string;
  currentAverageValue?: string;
  currentAverageUtilization?: number;
}

/** Drops absent fields, so that nothing undefined is stored. */
const compact = <T extends object>(o: T): T =>
  Object.fromEntries(Object.entries(o).filter(([, v]) => v !== undefined)) as T;

const resourceToV1 = (name: string, t: MetricTarget, container?: string): V1Source =>
  compact({ name, targetAverageUtilization: t.averageUtilization, targetAverageValue: t.averageValue, container });

export function metricToV1(m: MetricSpec): V1Metric {
  return compact<V1Metric>({
    type: m.type,
    resource: m.resource && resourceToV1(m.resource.name, m.resource.target),
    containerResource:
      m.containerResource &&
      resourceToV1(m.containerResource.name, m.containerResource.target, m.containerResource.container),
    pods:
      m.pods &&
      compact({
        metricName: m.pods.metric.name,
        targetAverageValue: m.pods.target.averageValue,
        selector: m.pods.metric.selector,
      }),
    object:
      m.object &&
      compact({
        target: m.object.describedObject,
        metricName: m.object.metric.name,
        targetValue: m.object.target.value,
        selector: m.object.metric.selector,
        averageValue: m.object.target.averageValue,
      }),
    external:
      m.external &&
      compact({
        metricName: m.external.metric.name,
        metricSelector: m.external.metric.selector,
        targetValue: m.external.target.value,
        targetAverageValue: m.external.target.averageValue,
      }),
  });
}

/** The target's type follows from what is given. */
function target(
  value: string | undefined,
  averageValue: string | undefined,
  averageUtilization?: number,
): MetricTarget {
  const type = averageUtilization !== undefined ? 'Utilization' : averageValue !== undefined ? 'AverageValue' : 'Value';
  return compact({ type, value, averageValue, averageUtilization });
}
const resourceTarget = (s: V1Source): MetricTarget =>
  target(undefined, s.targetAverageValue, s.targetAverageUtilization);
const identifier = (
  name: string | undefined,
  selector: LabelSelector | undefined,
): { name: string; selector?: LabelSelector } => compact({ name: name ?? '', selector });
const noObject: CrossVersionObjectReference = { kind: '', name: '' };

export function metricFromV1(m: V1Metric): MetricSpec {
  return compact<MetricSpec>({
    type: m.type,
    resource: m.resource && { name: m.resource.name ?? '', target: resourceTarget(m.resource) },
    containerResource: m.containerResource && {
      name: m.containerResource.name ?? '',
      container: m.containerResource.container ?? '',
      target: resourceTarget(m.containerResource),
    },
    pods: m.pods && {
      metric: identifier(m.pods.metricName, m.pods.selector),
      target: target(undefined, m.pods.targetAverageValue),
    },
    object: m.object && {
      describedObject: m.object.target ?? noObject,
      metric: identifier(m.object.metricName, m.object.selector),
      target: target(m.object.targetValue, m.object.averageValue),
    },
    external: m.external && {
      metric: identifier(m.external.metricName, m.external.metricSelector),
      target: target(m.external.targetValue, m.external.targetAverageValue),
    },
  });
}

const currentToV1 = (c: MetricValueStatus): V1Source => ({
  currentValue: c.value,
  currentAverageValue: c.averageValue,
  currentAverageUtilization: c.averageUtilization,
});
const current = (s: V1Source): MetricValueStatus =>
  compact({
    value: s.currentValue,
    averageValue: s.currentAverageValue,
    averageUtilization: s.currentAverageUtilization,
  });

export function statusToV1(m: MetricStatus): V1Metric {
  return compact<V1Metric>({
    type: m.type,
    resource: m.resource && compact({ name: m.resource.name, ...currentToV1(m.resource.current) }),
    containerResource:
      m.containerResource &&
      compact({
        name: m.containerResource.name,
        container: m.containerResource.container,
        ...currentToV1(m.containerResource.current),
      }),
    pods:
      m.pods &&
      compact({ metricName: m.pods.metric.name, selector: m.pods.metric.selector, ...currentToV1(m.pods.current) }),
    object:
      m.object &&
      compact({
        target: m.object.describedObject,
        metricName: m.object.metric.name,
        selector: m.object.metric.selector,
        ...currentToV1(m.object.current),
      }),
    external:
      m.external &&
      compact({
        metricName: m.external.metric.name,
        metricSelector: m.external.metric.selector,
        ...currentToV1(m.external.current),
      }),
  });
}

export function statusFromV1(m: V1Metric): MetricStatus {
  return compact<MetricStatus>({
    type: m.type,
    resource: m.resource && { name: m.resource.name ?? '', current: current(m.resource) },
    containerResource: m.containerResource && {
      name: m.containerResource.name ?? '',
      container: m.containerResource.container ?? '',
      current: current(m.containerResource),
    },
    pods: m.pods && { metric: identifier(m.pods.metricName, m.pods.selector), current: current(m.pods) },
    object: m.object && {
      describedObject: m.object.target ?? noObject,
      metric: identifier(m.object.metricName, m.object.selector),
      current: current(m.object),
    },
    external: m.external && {
      metric: identifier(m.external.metricName, m.external.metricSelector),
      current: current(m.external),
    },
  });
}
