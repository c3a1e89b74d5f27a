/** Models ValidateStatefulSet of pkg/apis/apps/validation. */
import type { StatefulSet, StatefulSetSpec } from '../../../api/apps_v1.js';
import { deepEqual } from '../../../machinery/equal.js';
import { forbiddenField, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { notNegative, validateAnnotations, validateLabels } from '../../../machinery/validation.js';
import { validateAlwaysRestarted, validateSelectedTemplate } from '../../core/pod/kind.js';
import { portion, notOver100Percent, validatePortion } from '../portion.js';

const path = Path.of('spec');
const POD_MANAGEMENT = ['OrderedReady', 'Parallel'];
const RETENTION = ['Retain', 'Delete'];
const MUTABLE: readonly (keyof StatefulSetSpec)[] = [
  'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy', 'minReadySeconds',
];

export function validateStatefulSet({ spec }: StatefulSet): FieldError[] {
  const template = path.child('template');
  const errors: FieldError[] = [];
  if (!spec.podManagementPolicy) errors.push(required(path.child('podManagementPolicy')));
  else if (!POD_MANAGEMENT.includes(spec.podManagementPolicy)) {
    errors.push(invalidValue(path.child('podManagementPolicy'), spec.podManagementPolicy, `must be '${POD_MANAGEMENT[0]}' or '${POD_MANAGEMENT[1]}'`));
  }
  errors.push(...validateStrategy(spec), ...validateRetention(spec));
  errors.push(...notNegative(path.child('replicas'), spec.replicas), ...notNegative(path.child('minReadySeconds'), spec.minReadySeconds));
  if (spec.ordinals) errors.push(...notNegative(path.child('ordinals', 'start'), spec.ordinals.start));
  return [
    ...errors,
    ...validateSelectedTemplate(spec.selector, spec.template, path, 'statefulset'),
    // As upstream, the rest of the template is checked when a pod is made from it: its claims' volumes are not in it yet.
    ...validateLabels(spec.template.metadata?.labels, template.child('labels')),
    ...validateAnnotations(spec.template.metadata?.annotations, template.child('annotations')),
    ...validateAlwaysRestarted(spec.template, template, 'StatefulSet'),
  ];
}

function validateStrategy({ updateStrategy }: StatefulSetSpec): FieldError[] {
  const at = path.child('updateStrategy');
  const rolling = at.child('rollingUpdate');
  switch (updateStrategy?.type) {
    case undefined:
    case '':
      return [required(at)];
    case 'OnDelete':
      return updateStrategy.rollingUpdate ? [invalidValue(rolling, updateStrategy.rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")] : [];
    case 'RollingUpdate': {
      const { partition, maxUnavailable } = updateStrategy.rollingUpdate ?? {};
      const errors = notNegative(rolling.child('partition'), partition);
      if (maxUnavailable === undefined) return errors;
      const max = rolling.child('maxUnavailable');
      if (portion(maxUnavailable) === 0) errors.push(invalidValue(max, maxUnavailable, 'cannot be 0'));
      return [...errors, ...validatePortion(maxUnavailable, max), ...notOver100Percent(maxUnavailable, max)];
    }
    default:
      return [invalidValue(at, updateStrategy, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function validateRetention({ persistentVolumeClaimRetentionPolicy: policy }: StatefulSetSpec): FieldError[] {
  const at = path.child('persistentVolumeClaimRetentionPolicy');
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) =>
    RETENTION.includes(policy?.[field] ?? 'Retain') ? [] : [notSupported(at.child(field), policy?.[field], RETENTION)]);
}

export function validateStatefulSetUpdate(next: StatefulSet, old: StatefulSet): FieldError[] {
  const kept = (spec: StatefulSetSpec): unknown => ({ ...spec, ...Object.fromEntries(MUTABLE.map((f) => [f, undefined])) });
  if (deepEqual(kept(next.spec), kept(old.spec))) return [];
  return [forbiddenField(path, "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden")];
}
