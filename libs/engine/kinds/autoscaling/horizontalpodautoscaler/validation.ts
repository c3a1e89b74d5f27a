import type {
  ContainerResourceMetricSource,
  CrossVersionObjectReference,
  ExternalMetricSource,
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from '../../../api/autoscaling_v2.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { quantityFault, milliValue } from '../../../machinery/quantity/quantity.js';
import {
  invalidEach,
  isDNS1123Label,
  isPathSegmentName,
  NOT_NEGATIVE,
  notNegative,
} from '../../../machinery/meta/validation.js';
import { validateContainerResourceName } from '../../core/resource-names.js';
import { validateEach, validateOptionalEnum, validateRequiredText } from '../../field-validation.js';
import { own } from '../../../machinery/meta/object.js';

const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;
const METRIC_TYPES: Readonly<Record<string, 'object' | 'external' | 'pods' | 'resource' | 'containerResource'>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
};
const SOURCES = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;

/** Models pkg/apis/autoscaling/validation ValidateHorizontalPodAutoscaler. */
export function validateAutoscaler(
  { spec }: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler | undefined,
): FieldError[] {
  const path = Path.of('spec');
  const { minReplicas, maxReplicas = 0 } = spec;
  const errors: FieldError[] = [];
  const lowest = old?.spec.minReplicas === 0 ? 0 : 1;
  if (minReplicas !== undefined && minReplicas < lowest)
    errors.push(invalidValue(path.child('minReplicas'), minReplicas, `must be greater than or equal to ${lowest}`));
  if (maxReplicas === 0) errors.push(required(path.child('maxReplicas'), 'must be set and greater than 0'));
  if (maxReplicas < 0)
    errors.push(invalidValue(path.child('maxReplicas'), maxReplicas, 'must be greater than or equal to 1'));
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    errors.push(invalidValue(path.child('maxReplicas'), maxReplicas, 'must be greater than or equal to `minReplicas`'));
  }
  return [
    ...errors,
    ...validateReference(
      spec.scaleTargetRef,
      path.child('scaleTargetRef'),
      targetRule(spec.scaleTargetRef, old?.spec.scaleTargetRef),
    ),
    ...validateEach(spec.metrics, path.child('metrics'), validateMetric),
    ...(minReplicas === 0 && !spec.metrics?.some((m) => m.type === 'Object' || m.type === 'External')
      ? [
          forbiddenField(
            path.child('metrics'),
            'must specify at least one Object or External metric to support scaling to zero replicas',
          ),
        ]
      : []),
    ...validateRules(spec.behavior?.scaleUp, path.child('behavior', 'scaleUp')),
    ...validateRules(spec.behavior?.scaleDown, path.child('behavior', 'scaleDown')),
  ];
}

export const validateAutoscalerStatus = ({ status }: HorizontalPodAutoscaler): FieldError[] => [
  ...notNegative(Path.of('status', 'currentReplicas'), status.currentReplicas),
  ...notNegative(Path.of('status', 'desiredReplicas'), status.desiredReplicas),
];

/** What an apiVersion must be: not asked when nothing changes; only ReplicationControllers are without a group. */
type VersionRule = 'any' | 'emptyGroup' | 'group';

function targetRule(
  ref: CrossVersionObjectReference | undefined,
  old: CrossVersionObjectReference | undefined,
): VersionRule {
  if (old && old.apiVersion === ref?.apiVersion && old.kind === ref?.kind) return 'any';
  return ref?.kind === 'ReplicationController' ? 'emptyGroup' : 'group';
}

const validateReference = (
  ref: CrossVersionObjectReference | undefined,
  path: Path,
  rule: VersionRule,
): FieldError[] => [
  ...validateRequiredText(path.child('kind'), ref?.kind, isPathSegmentName),
  ...validateRequiredText(path.child('name'), ref?.name, isPathSegmentName),
  ...validateVersion(ref?.apiVersion ?? '', path.child('apiVersion'), rule),
];

function validateVersion(apiVersion: string, path: Path, rule: VersionRule): FieldError[] {
  if (rule === 'any') return [];
  const slashes = apiVersion.split('/').length - 1;
  if (slashes > 1) return [invalidValue(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  return rule === 'group' && (slashes === 0 || apiVersion.startsWith('/'))
    ? [invalidValue(path, apiVersion, 'apiVersion must specify API group')]
    : [];
}

function validateRules(rules: HPAScalingRules | undefined, path: Path): FieldError[] {
  if (!rules) return [];
  const errors: FieldError[] = [];
  const window = rules.stabilizationWindowSeconds;
  const at = path.child('stabilizationWindowSeconds');
  if (window !== undefined && window < 0)
    errors.push(invalidValue(at, window, 'must be greater than or equal to zero'));
  if (window !== undefined && window > MAX_WINDOW_SECONDS)
    errors.push(invalidValue(at, window, `must be less than or equal to ${MAX_WINDOW_SECONDS}`));
  errors.push(...validateOptionalEnum(path.child('selectPolicy'), rules.selectPolicy, ['Disabled', 'Max', 'Min']));
  if (!rules.policies?.length) return [...errors, required(path.child('policies'), 'must specify at least one Policy')];
  const tolerance =
    rules.tolerance !== undefined && milliValue(rules.tolerance) < 0
      ? [invalidValue(path.child('tolerance'), rules.tolerance, NOT_NEGATIVE)]
      : [];
  return [
    ...errors,
    ...validateEach(rules.policies, path.child('policies'), (policy, i) => [
      ...(['Pods', 'Percent'].includes(policy.type)
        ? []
        : [notSupported(i.child('type'), policy.type, ['Percent', 'Pods'])]),
      ...(policy.value > 0 ? [] : [invalidValue(i.child('value'), policy.value, 'must be greater than zero')]),
      ...(policy.periodSeconds > 0
        ? []
        : [invalidValue(i.child('periodSeconds'), policy.periodSeconds, 'must be greater than zero')]),
      ...(policy.periodSeconds > MAX_PERIOD_SECONDS
        ? [
            invalidValue(
              i.child('periodSeconds'),
              policy.periodSeconds,
              `must be less than or equal to ${MAX_PERIOD_SECONDS}`,
            ),
          ]
        : []),
    ]),
    ...tolerance,
  ];
}

function validateMetric(metric: MetricSpec, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  if (!metric.type) errors.push(required(path.child('type'), 'must specify a metric source type'));
  const expected = own(METRIC_TYPES, metric.type);
  const unknown = expected ? [] : [notSupported(path.child('type'), metric.type ?? '', Object.keys(METRIC_TYPES))];
  errors.push(...unknown);
  const present = SOURCES.filter((source) => metric[source] !== undefined);
  if (present[0]) errors.push(...validateSource(metric, present[0], path.child(present[0])));
  if (expected && !present.includes(expected))
    errors.push(required(path.child(expected), 'must populate information for the given metric source'));
  errors.push(...unknown);
  if (present.length === 1) return errors;
  return [
    ...errors,
    ...present
      .filter((s) => s !== expected)
      .map((s) => forbiddenField(path.child(s), 'must populate the given metric source only')),
  ];
}

function validateSource(metric: MetricSpec, source: (typeof SOURCES)[number], path: Path): FieldError[] {
  const { containerResource, external, object, pods, resource } = metric;
  switch (source) {
    case 'object':
      return object ? validateObjectSource(object, path) : [];
    case 'external':
      return external ? validateExternalSource(external, path) : [];
    case 'pods':
      return pods ? validatePodsSource(pods, path) : [];
    case 'containerResource':
      return containerResource ? validateContainerSource(containerResource, path) : [];
    default:
      return resource ? validateResourceSource(resource, path) : [];
  }
}

const validateObjectSource = ({ describedObject, metric, target }: ObjectMetricSource, path: Path): FieldError[] => [
  ...validateReference(describedObject, path.child('describedObject'), 'emptyGroup'),
  ...validateIdentifier(metric, path.child('metric')),
  ...validateTarget(target, path.child('target')),
  ...(lacksBoth(target?.value, target?.averageValue)
    ? [required(path.child('target', 'averageValue'), 'must set either a target value or averageValue')]
    : []),
];

function validateExternalSource({ metric, target }: ExternalMetricSource, path: Path): FieldError[] {
  const errors = [...validateIdentifier(metric, path.child('metric')), ...validateTarget(target, path.child('target'))];
  const [value, average] = [path.child('target', 'value'), path.child('target', 'averageValue')];
  if (lacksBoth(target?.value, target?.averageValue))
    errors.push(required(average, 'must set either a target value for metric or a per-pod target'));
  if (target?.value !== undefined && target.averageValue !== undefined)
    errors.push(forbiddenField(value, 'may not set both a target value for metric and a per-pod target'));
  return errors;
}

const validatePodsSource = ({ metric, target }: PodsMetricSource, path: Path): FieldError[] => [
  ...validateIdentifier(metric, path.child('metric')),
  ...validateTarget(target, path.child('target')),
  ...(target?.averageValue !== undefined
    ? []
    : [required(path.child('target', 'averageValue'), 'must specify a positive target averageValue')]),
];

const validateContainerSource = (
  { name, container, target }: ContainerResourceMetricSource,
  path: Path,
): FieldError[] => [
  ...(name
    ? validateContainerResourceName(name, path.child('name'))
    : [required(path.child('name'), 'must specify a resource name')]),
  ...(container
    ? invalidEach(path.child('container'), container, isDNS1123Label(container))
    : [required(path.child('container'), 'must specify a container')]),
  ...validateResourceTarget(target, path.child('target')),
];

const validateResourceSource = ({ name, target }: ResourceMetricSource, path: Path): FieldError[] => [
  ...requiredName(path.child('name'), name, 'must specify a resource name'),
  ...validateResourceTarget(target, path.child('target')),
];

const lacksBoth = (a: string | undefined, b: string | undefined): boolean => a === undefined && b === undefined;
const requiredName = (path: Path, name: string | undefined, why: string): FieldError[] =>
  name ? [] : [required(path, why)];

function validateIdentifier(metric: MetricIdentifier | undefined, path: Path): FieldError[] {
  const name = metric?.name;
  return [
    ...(name
      ? isPathSegmentName(name).map((m) => invalidValue(path.child('name'), name, m))
      : [required(path.child('name'), 'must specify a metric name')]),
  ];
}

function validateResourceTarget(target: MetricTarget | undefined, path: Path): FieldError[] {
  const errors = validateTarget(target, path);
  const { averageUtilization, averageValue } = target ?? {};
  if (averageUtilization === undefined && averageValue === undefined) {
    errors.push(
      required(path.child('averageUtilization'), 'must set either a target raw value or a target utilization'),
    );
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    errors.push(
      forbiddenField(path.child('averageValue'), 'may not set both a target raw value and a target utilization'),
    );
  }
  return errors;
}

function validateTarget(target: MetricTarget | undefined, path: Path): FieldError[] {
  const errors: FieldError[] = [];
  const type = target?.type;
  if (!type) errors.push(required(path.child('type'), 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type ?? '')) {
    errors.push(invalidValue(path.child('type'), type ?? '', 'must be either Utilization, Value, or AverageValue'));
  }
  for (const field of ['value', 'averageValue'] as const) {
    const quantity = target?.[field];
    if (quantity === undefined) continue;
    const fault = quantityFault(quantity);
    if (fault !== undefined) errors.push(invalidValue(path.child(field), quantity, fault));
    else if (milliValue(quantity) <= 0) errors.push(invalidValue(path.child(field), quantity, 'must be positive'));
  }
  const utilization = target?.averageUtilization;
  if (utilization !== undefined && utilization < 1)
    errors.push(invalidValue(path.child('averageUtilization'), utilization, 'must be greater than 0'));
  return errors;
}
