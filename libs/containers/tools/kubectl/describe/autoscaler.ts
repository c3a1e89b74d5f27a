import { printGo } from '../output/columns.js';
import type { ApiObject, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details, longTime } from './parts/details.js';
import { describeEvents } from './parts/events.js';

type Target = Readonly<Record<'type' | 'value' | 'averageValue' | 'averageUtilization', string | number | undefined>>;
/** One of spec.metrics or status.currentMetrics: its part stands below the name of its type. */
type Metric = Readonly<Record<string, unknown>> & { readonly type: string };
interface Source {
  readonly name?: string;
  readonly container?: string;
  readonly metric?: { readonly name: string };
  readonly describedObject?: { readonly kind: string; readonly name: string };
  readonly target?: Target;
  readonly current?: Target;
}
interface Rules {
  readonly stabilizationWindowSeconds?: number;
  readonly selectPolicy?: string;
  readonly policies?: readonly { readonly type: string; readonly value: number; readonly periodSeconds: number }[];
}
interface Spec {
  readonly scaleTargetRef: { readonly kind: string; readonly name: string };
  readonly metrics?: readonly Metric[];
  readonly minReplicas?: number;
  readonly maxReplicas: number;
  readonly behavior?: { readonly scaleUp?: Rules; readonly scaleDown?: Rules };
}
interface Status {
  readonly currentMetrics?: readonly Metric[] | null;
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly conditions?: readonly Readonly<Record<'type' | 'status' | 'reason' | 'message', string | undefined>>[];
}

/** Models k8s.io/kubectl/pkg/describe describeHorizontalPodAutoscalerV2. */
export function describeAutoscaler(session: Session, details: Details, object: ApiObject): void {
  const { metadata = {} } = object;
  const [spec, status] = [object['spec'] as Spec, (object['status'] ?? {}) as Status];
  const { kind, name } = spec.scaleTargetRef;
  details.field(0, 'Name', metadata.name ?? '');
  details.field(0, 'Namespace', metadata.namespace ?? '');
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
  details.field(0, 'CreationTimestamp', longTime(metadata.creationTimestamp));
  details.field(0, 'Reference', `${kind}/${name}`);
  details.field(0, 'Metrics', '( current / target )');
  spec.metrics?.forEach((metric, at) => describeMetric(details, metric, status.currentMetrics?.[at]));
  details.field(0, 'Min replicas', spec.minReplicas ?? '<unset>');
  details.field(0, 'Max replicas', spec.maxReplicas);
  if (spec.behavior) {
    details.line(0, 'Behavior:');
    describeRules(details, 'Scale Up', spec.behavior.scaleUp);
    describeRules(details, 'Scale Down', spec.behavior.scaleDown);
  }
  details.field(0, `${kind} pods`, `${status.currentReplicas ?? 0} current / ${status.desiredReplicas ?? 0} desired`);
  if (status.conditions && status.conditions.length > 0) {
    details.line(0, 'Conditions:');
    details.line(1, 'Type\tStatus\tReason\tMessage');
    details.line(1, '----\t------\t------\t-------');
    for (const one of status.conditions)
      details.line(1, [one.type, one.status, one.reason ?? '', one.message ?? ''].join('\t'));
  }
  describeEvents(session, details, object);
}

const sourceOf = (metric: Metric | undefined, type: string): Source | undefined =>
  metric?.[type[0]!.toLowerCase() + type.slice(1)] as Source | undefined;

function describeMetric(details: Details, metric: Metric, measured: Metric | undefined): void {
  const { type } = metric;
  const source = sourceOf(metric, type) ?? {};
  const current = sourceOf(measured, type)?.current;
  const { target, metric: { name = '' } = {} } = source;
  const pair = (field: 'value' | 'averageValue'): string =>
    `${printGo(current?.[field] ?? (current && type !== 'External' ? '0' : '<unknown>'))} / ${printGo(target?.[field] ?? '0')}`;
  switch (type) {
    case 'External':
      return target?.averageValue !== undefined
        ? details.line(1, `"${name}" (target average value):\t${pair('averageValue')}`)
        : details.line(1, `"${name}" (target value):\t${pair('value')}`);
    case 'Pods':
      return details.line(1, `"${name}" on pods:\t${pair('averageValue')}`);
    case 'Object': {
      const { kind = '', name: described = '' } = source.describedObject ?? {};
      const isAverage = target?.type === 'AverageValue';
      const how = isAverage ? '(target average value)' : '(target value)';
      return details.line(
        1,
        `"${name}" on ${kind}/${described} ${how}:\t${pair(isAverage ? 'averageValue' : 'value')}`,
      );
    }
    case 'Resource':
      return describeResource(details, `resource ${source.name ?? ''} on pods`, target, current);
    case 'ContainerResource': {
      const where = `resource ${source.name ?? ''} of container "${source.container ?? ''}" on pods`;
      return describeResource(details, where, target, current);
    }
    default:
      return details.line(1, `<unknown metric type "${type}">`);
  }
}

function describeResource(details: Details, what: string, target?: Target, current?: Target): void {
  if (target?.averageValue !== undefined)
    return details.line(1, `${what}:\t${printGo(current?.averageValue ?? '<unknown>')} / ${target.averageValue}`);
  const share = current?.averageUtilization;
  const now = share === undefined ? '<unknown>' : `${share}% (${printGo(current?.averageValue ?? '0')})`;
  const wanted = target?.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  // Upstream begins the rest of the line as if it were a new one.
  details.line(1, `${what}  (as a percentage of request):\t${now} / ${wanted}`);
}

function describeRules(details: Details, title: string, rules: Rules | undefined): void {
  if (!rules) return;
  details.line(1, `${title}:`);
  const { stabilizationWindowSeconds: window, policies = [] } = rules;
  if (window !== undefined) details.line(2, `Stabilization Window: ${window} seconds`);
  if (policies.length === 0) return;
  details.line(2, `Select Policy: ${rules.selectPolicy ?? 'Max'}`);
  details.line(2, 'Policies:');
  for (const { type, value, periodSeconds } of policies)
    details.line(3, `- Type: ${type}\tValue: ${value}\tPeriod: ${periodSeconds} seconds`);
}
