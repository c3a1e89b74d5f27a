/** Models ValidateDaemonSet of pkg/apis/apps/validation. */
import type { DaemonSet, DaemonSetSpec } from '../../../api/apps_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { immutable, notNegative } from '../../../machinery/meta/validation.js';
import { toInternalForm } from '../../internal-form.js';
import { validateAlwaysRestarted, validatePodTemplate, validateSelectedTemplate } from '../../core/pod/kind.js';
import {
  validateNotMoreThan100Percent,
  getIntOrPercentValue,
  validatePositiveIntOrPercent,
} from '../../int-or-percent.js';

const path = Path.of('spec');

export function validateDaemonSet({ spec }: DaemonSet): FieldError[] {
  const template = path.child('template');
  const errors = [
    ...validateSelectedTemplate(spec.selector, spec.template, path, 'daemonset', () => [
      ...validatePodTemplate(spec.template, template),
      ...validateAlwaysRestarted(spec.template, template, 'DaemonSet'),
    ]),
  ];
  return [
    ...errors,
    ...notNegative(path.child('minReadySeconds'), spec.minReadySeconds),
    ...validateStrategy(spec),
    ...notNegative(path.child('revisionHistoryLimit'), spec.revisionHistoryLimit),
  ];
}

function validateStrategy({ updateStrategy }: DaemonSetSpec): FieldError[] {
  const at = path.child('updateStrategy');
  if (updateStrategy?.type === 'OnDelete') return [];
  if (updateStrategy?.type !== 'RollingUpdate')
    return [notSupported(at.child('type'), updateStrategy?.type ?? '', ['RollingUpdate', 'OnDelete'])];
  const rolling = at.child('rollingUpdate');
  if (!updateStrategy.rollingUpdate) return [required(rolling)];
  const { maxUnavailable = 0, maxSurge = 0 } = updateStrategy.rollingUpdate;
  const [unavailable, surge] = [getIntOrPercentValue(maxUnavailable), getIntOrPercentValue(maxSurge)];
  const errors = [
    ...validatePositiveIntOrPercent(maxUnavailable, rolling.child('maxUnavailable')),
    ...validateNotMoreThan100Percent(maxUnavailable, rolling.child('maxUnavailable')),
    ...validatePositiveIntOrPercent(maxSurge, rolling.child('maxSurge')),
    ...validateNotMoreThan100Percent(maxSurge, rolling.child('maxSurge')),
  ];
  if (unavailable > 0 && surge > 0)
    errors.push(invalidValue(rolling.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is non-zero'));
  if (unavailable === 0 && surge === 0)
    errors.push(required(rolling.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
  return errors;
}

export const validateDaemonSetUpdate = (next: DaemonSet, old: DaemonSet): FieldError[] =>
  immutable(
    path.child('selector'),
    toInternalForm('*LabelSelector', next.spec.selector),
    deepEqual(next.spec.selector, old.spec.selector),
  );
