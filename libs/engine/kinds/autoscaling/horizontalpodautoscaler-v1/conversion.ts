import type { HorizontalPodAutoscaler as V1 } from '../../../api/autoscaling_v1.js';
import type { HorizontalPodAutoscaler as V2, MetricSpec, MetricStatus } from '../../../api/autoscaling_v2.js';
import { badRequest } from '../../../machinery/meta/status.js';
import { metricFromV1, metricToV1, statusFromV1, statusToV1, type V1Metric } from './metrics.js';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const [METRICS, CURRENT, CONDITIONS, BEHAVIOR] = ['metrics', 'current-metrics', 'conditions', 'behavior'].map(
  (n) => PREFIX + n,
) as [string, string, string, string];

/** What v1 has no field for travels in annotations. Models pkg/apis/autoscaling/v1/conversion.go. */
export function fromStorage(object: V2): V1 {
  const { metadata, spec, status } = object;
  const metrics = spec.metrics ?? [];
  const cpu = metrics.find(isCPUUtilization);
  const others = metrics.filter((m) => m !== cpu);
  const annotations = {
    ...metadata.annotations,
    ...(others.length ? { [METRICS]: JSON.stringify(others.map(metricToV1)) } : {}),
    ...(status.currentMetrics?.length ? { [CURRENT]: JSON.stringify(status.currentMetrics.map(statusToV1)) } : {}),
    ...(status.conditions?.length ? { [CONDITIONS]: JSON.stringify(status.conditions) } : {}),
    ...(spec.behavior
      ? { [BEHAVIOR]: JSON.stringify({ ScaleUp: spec.behavior.scaleUp, ScaleDown: spec.behavior.scaleDown }) }
      : {}),
  };
  const target = cpu?.resource?.target.averageUtilization;
  const current = status.currentMetrics?.find((m) => m.type === 'Resource' && m.resource?.name === 'cpu')?.resource
    ?.current.averageUtilization;
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'HorizontalPodAutoscaler',
    metadata: Object.keys(annotations).length ? { ...metadata, annotations } : metadata,
    spec: {
      ...(spec.minReplicas === undefined ? {} : { minReplicas: spec.minReplicas }),
      maxReplicas: spec.maxReplicas,
      scaleTargetRef: spec.scaleTargetRef,
      ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }),
    },
    status: {
      ...pick(status, ['observedGeneration', 'lastScaleTime']),
      currentReplicas: status.currentReplicas ?? 0,
      desiredReplicas: status.desiredReplicas ?? 0,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  };
}

export function toStorage(object: V1): V2 {
  const { metadata, spec, status } = object;
  const target = spec.targetCPUUtilizationPercentage;
  const cpu: MetricSpec[] =
    target === undefined
      ? []
      : [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: target } } }];
  const metrics = [...cpu, ...parse<V1Metric[]>(metadata.annotations, METRICS, []).map(metricFromV1)];
  const behavior = parse<{ ScaleUp?: object; ScaleDown?: object } | undefined>(
    metadata.annotations,
    BEHAVIOR,
    undefined,
  );
  const current = parse<V1Metric[]>(metadata.annotations, CURRENT, []).map(statusFromV1);
  const conditions = parse<V2['status']['conditions']>(metadata.annotations, CONDITIONS, undefined);
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: dropConvertedAnnotations(metadata),
    spec: {
      scaleTargetRef: spec.scaleTargetRef,
      ...(spec.minReplicas === undefined ? {} : { minReplicas: spec.minReplicas }),
      maxReplicas: spec.maxReplicas,
      ...(metrics.length ? { metrics } : {}),
      ...(behavior
        ? {
            behavior: {
              ...(behavior.ScaleUp ? { scaleUp: behavior.ScaleUp } : {}),
              ...(behavior.ScaleDown ? { scaleDown: behavior.ScaleDown } : {}),
            },
          }
        : {}),
    },
    status: {
      ...pick(status ?? {}, ['observedGeneration', 'lastScaleTime', 'currentReplicas']),
      desiredReplicas: status?.desiredReplicas ?? 0,
      ...(current.length ? { currentMetrics: current } : currentCPU(status)),
      ...(conditions ? { conditions } : {}),
    },
  };
}

const isCPUUtilization = (m: MetricSpec): boolean =>
  m.type === 'Resource' && m.resource?.name === 'cpu' && m.resource.target.averageUtilization !== undefined;

function currentCPU(status: V1['status'] | undefined): { currentMetrics?: MetricStatus[] } {
  const percent = status?.currentCPUUtilizationPercentage;
  return percent === undefined
    ? {}
    : { currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: percent } } }] };
}

function dropConvertedAnnotations(metadata: V1['metadata']): V1['metadata'] {
  if (!metadata.annotations || ![METRICS, CURRENT, CONDITIONS, BEHAVIOR].some((a) => a in metadata.annotations!))
    return metadata;
  const { [METRICS]: _m, [CURRENT]: _c, [CONDITIONS]: _o, [BEHAVIOR]: _b, ...annotations } = metadata.annotations;
  const { annotations: _all, ...rest } = metadata;
  return Object.keys(annotations).length ? { ...rest, annotations } : rest;
}

/** Throws ApiError 400 when the annotation is no JSON. */
function parse<T>(annotations: Readonly<Record<string, string>> | undefined, name: string, none: T): T {
  const text = annotations?.[name];
  if (text === undefined) return none;
  try {
    const value = JSON.parse(text) as unknown;
    if (Array.isArray(none) ? Array.isArray(value) : typeof value === 'object' && value !== null) return value as T;
  } catch {
    // Answered below, as text of the wrong shape is.
  }
  throw badRequest(`annotation ${name} cannot be converted: not the expected JSON`);
}

function pick<T extends object, K extends keyof T>(object: T, fields: readonly K[]): Partial<Pick<T, K>> {
  const out: Partial<Pick<T, K>> = {};
  for (const field of fields) if (object[field] !== undefined) out[field] = object[field];
  return out;
}
