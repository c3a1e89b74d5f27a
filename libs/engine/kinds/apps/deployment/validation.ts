/** Models ValidateDeployment of pkg/apis/apps/validation. */
import type { Deployment } from '../../../api/apps_v1.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { immutable, notNegative } from '../../../machinery/meta/validation.js';
import { toInternalForm } from '../../internal-form.js';
import { validateAlwaysRestarted, validatePodTemplate, validateSelectedTemplate } from '../../core/pod/kind.js';
import { validateStatusCounts } from '../../status-counts.js';
import {
  validateNotMoreThan100Percent,
  getIntOrPercentValue,
  validatePositiveIntOrPercent,
} from '../../int-or-percent.js';

const path = Path.of('spec');

export function validateDeployment({ spec }: Deployment): FieldError[] {
  const template = path.child('template');
  const errors = [
    ...notNegative(path.child('replicas'), spec.replicas),
    ...validateSelectedTemplate(spec.selector, spec.template, path, 'deployment', () => [
      ...validatePodTemplate(spec.template, template),
      ...validateAlwaysRestarted(spec.template, template, 'ReplicaSet'),
    ]),
    ...validateStrategy(spec),
    ...notNegative(path.child('minReadySeconds'), spec.minReadySeconds),
    ...notNegative(path.child('revisionHistoryLimit'), spec.revisionHistoryLimit),
  ];
  const deadline = spec.progressDeadlineSeconds;
  if (deadline !== undefined) {
    errors.push(...notNegative(path.child('progressDeadlineSeconds'), deadline));
    if (deadline <= (spec.minReadySeconds ?? 0))
      errors.push(
        invalidValue(path.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds'),
      );
  }
  return errors;
}

function validateStrategy({ strategy }: Deployment['spec']): FieldError[] {
  const at = path.child('strategy');
  if (strategy?.type === 'Recreate') {
    return strategy.rollingUpdate
      ? [forbiddenField(at.child('rollingUpdate'), "may not be specified when strategy `type` is 'Recreate'")]
      : [];
  }
  if (strategy?.type !== 'RollingUpdate')
    return [notSupported(at, toInternalForm('DeploymentStrategy', strategy), ['Recreate', 'RollingUpdate'])];
  const rolling = at.child('rollingUpdate');
  if (!strategy.rollingUpdate) return [required(rolling, 'this should be defaulted and never be nil')];
  const { maxUnavailable = 0, maxSurge = 0 } = strategy.rollingUpdate;
  const errors = [
    ...validatePositiveIntOrPercent(maxUnavailable, rolling.child('maxUnavailable')),
    ...validatePositiveIntOrPercent(maxSurge, rolling.child('maxSurge')),
  ];
  if (getIntOrPercentValue(maxUnavailable) === 0 && getIntOrPercentValue(maxSurge) === 0)
    errors.push(invalidValue(rolling.child('maxUnavailable'), maxUnavailable, 'may not be 0 when `maxSurge` is 0'));
  return [...errors, ...validateNotMoreThan100Percent(maxUnavailable, rolling.child('maxUnavailable'))];
}

export const validateDeploymentUpdate = (next: Deployment, old: Deployment): FieldError[] =>
  immutable(
    path.child('selector'),
    toInternalForm('*LabelSelector', next.spec.selector),
    deepEqual(next.spec.selector, old.spec.selector),
  );

/** Models ValidateDeploymentStatus. */
export const validateDeploymentStatus = ({ status }: Deployment): FieldError[] =>
  validateStatusCounts(
    status,
    [
      'observedGeneration',
      'replicas',
      'updatedReplicas',
      'readyReplicas',
      'availableReplicas',
      'unavailableReplicas',
      'terminatingReplicas',
      'collisionCount',
    ],
    ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
    'readyReplicas',
  );
