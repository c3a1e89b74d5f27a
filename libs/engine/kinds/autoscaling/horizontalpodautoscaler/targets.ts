import type {
  HorizontalPodAutoscaler,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../api/autoscaling_v2.js';
import { NONE } from '../../columns.js';

const SHOWN = 2;
const UNKNOWN = '<unknown>';

/** 'cpu: 3%/80%, 12/100 (avg) + 1 more...'. Models printers' formatHPAMetrics. */
export function formatHPAMetrics({ spec, status }: HorizontalPodAutoscaler): string {
  const metrics = spec.metrics ?? [];
  if (!metrics.length) return NONE;
  const shown = metrics
    .slice(0, SHOWN)
    .map((metric, i) => metricText(metric, status.currentMetrics?.[i]))
    .join(', ');
  return metrics.length > SHOWN ? `${shown} + ${metrics.length - SHOWN} more...` : shown;
}

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, status?.external?.current);
    case 'Object':
      return valueText(metric.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? UNKNOWN}/${metric.pods?.target.averageValue ?? UNKNOWN}`;
    case 'Resource':
      return `${metric.resource?.name}: ${resourceText(metric.resource?.target, status?.resource?.current)}`;
    case 'ContainerResource':
      return `${metric.containerResource?.name}: ${resourceText(metric.containerResource?.target, status?.containerResource?.current)}`;
    default:
      return '<unknown type>';
  }
}

const valueText = (target: MetricTarget | undefined, current: MetricValueStatus | undefined): string =>
  target?.averageValue === undefined
    ? `${current?.value ?? UNKNOWN}/${target?.value ?? UNKNOWN}`
    : `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;

const percent = (n: number | undefined, none: string): string => (n === undefined ? none : `${n}%`);
const resourceText = (target: MetricTarget | undefined, current: MetricValueStatus | undefined): string =>
  target?.averageValue === undefined
    ? `${percent(current?.averageUtilization, UNKNOWN)}/${percent(target?.averageUtilization, '<auto>')}`
    : `${current?.averageValue ?? UNKNOWN}/${target.averageValue}`;
