/** Models ValidateStatefulSet of pkg/apis/apps/validation. */
import type { StatefulSet, StatefulSetSpec } from '../../../api/apps_v1.js';
import type { PodTemplateSpec } from '../../../api/core_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  type FieldError,
} from '../../../machinery/meta/field.js';
import {
  invalidEach,
  isDNS1123Label,
  notNegative,
  validateAnnotations,
  validateLabels,
} from '../../../machinery/meta/validation.js';
import { toInternalForm } from '../../internal-form.js';
import { validateClaimSpec } from '../../core/persistentvolumeclaim/kind.js';
import { validateAlwaysRestarted, validatePodTemplate, validateSelectedTemplate } from '../../core/pod/kind.js';
import {
  getIntOrPercentValue,
  validateNotMoreThan100Percent,
  validatePositiveIntOrPercent,
} from '../../int-or-percent.js';

const path = Path.of('spec');
const POD_MANAGEMENT = ['OrderedReady', 'Parallel'];
const RETENTION = ['Retain', 'Delete'];
const MUTABLE: readonly (keyof StatefulSetSpec)[] = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

export function validateStatefulSet(set: StatefulSet): FieldError[] {
  const { spec, metadata } = set;
  const isNew = metadata.resourceVersion === undefined;
  const errors: FieldError[] = [];
  if (!spec.podManagementPolicy) errors.push(required(path.child('podManagementPolicy')));
  else if (!POD_MANAGEMENT.includes(spec.podManagementPolicy)) {
    errors.push(
      invalidValue(
        path.child('podManagementPolicy'),
        spec.podManagementPolicy,
        `must be '${POD_MANAGEMENT[0]}' or '${POD_MANAGEMENT[1]}'`,
      ),
    );
  }
  errors.push(...validateStrategy(spec), ...validateRetention(spec));
  // Fields that cannot change are validated on create alone.
  if (isNew) errors.push(...validateClaims(spec));
  errors.push(
    ...notNegative(path.child('replicas'), spec.replicas),
    ...notNegative(path.child('minReadySeconds'), spec.minReadySeconds),
  );
  if (spec.ordinals) errors.push(...notNegative(path.child('ordinals', 'start'), spec.ordinals.start));
  if (isNew && spec.serviceName)
    errors.push(...invalidEach(path.child('serviceName'), spec.serviceName, isDNS1123Label(spec.serviceName)));
  const at = path.child('template');
  const { labels, annotations } = spec.template.metadata ?? {};
  // Upstream validates labels and annotations twice.
  const rest = (): FieldError[] => [
    ...validatePodTemplate(withClaims(spec), at),
    ...validateLabels(labels, at.child('labels')),
    ...validateAnnotations(annotations, at.child('annotations')),
  ];
  return [
    ...errors,
    ...validateSelectedTemplate(spec.selector, spec.template, path, 'statefulset', rest),
    ...validateAlwaysRestarted(spec.template, at, 'StatefulSet'),
  ];
}

/** The template as its pods are made: with the volumes of the claims, without the names that each pod gets. */
function withClaims({ template, volumeClaimTemplates: claims = [] }: StatefulSetSpec): PodTemplateSpec {
  const { hostname: _, subdomain: __, ...spec } = template.spec!;
  const names = new Set(claims.map((c) => c.metadata?.name ?? ''));
  const added = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  return {
    ...template,
    spec: {
      ...spec,
      volumes: claims.length ? [...added, ...(spec.volumes ?? []).filter((v) => !names.has(v.name))] : spec.volumes,
    },
  };
}

const validateClaims = ({ volumeClaimTemplates = [] }: StatefulSetSpec): FieldError[] =>
  volumeClaimTemplates.flatMap((claim, i) =>
    validateClaimSpec(claim.spec ?? {}, path.child('volumeClaimTemplates').index(i).child('spec')),
  );

function validateStrategy({ updateStrategy }: StatefulSetSpec): FieldError[] {
  const at = path.child('updateStrategy');
  const rolling = at.child('rollingUpdate');
  switch (updateStrategy?.type) {
    case undefined:
    case '':
      return [required(at)];
    case 'OnDelete':
      return updateStrategy.rollingUpdate
        ? [
            invalidValue(
              rolling,
              toInternalForm('RollingUpdateStatefulSetStrategy', updateStrategy.rollingUpdate),
              "only allowed for updateStrategy 'RollingUpdate'",
            ),
          ]
        : [];
    case 'RollingUpdate': {
      const { partition, maxUnavailable } = updateStrategy.rollingUpdate ?? {};
      const errors = notNegative(rolling.child('partition'), partition);
      if (maxUnavailable === undefined) return errors;
      const max = rolling.child('maxUnavailable');
      errors.push(...validatePositiveIntOrPercent(maxUnavailable, max));
      if (getIntOrPercentValue(maxUnavailable) === 0) errors.push(invalidValue(max, maxUnavailable, 'cannot be 0'));
      return [...errors, ...validateNotMoreThan100Percent(maxUnavailable, max)];
    }
    default:
      return [
        invalidValue(
          at,
          toInternalForm('StatefulSetUpdateStrategy', updateStrategy),
          "must be 'RollingUpdate' or 'OnDelete'",
        ),
      ];
  }
}

function validateRetention({ persistentVolumeClaimRetentionPolicy: policy }: StatefulSetSpec): FieldError[] {
  const at = path.child('persistentVolumeClaimRetentionPolicy');
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) =>
    RETENTION.includes(policy?.[field] ?? 'Retain') ? [] : [notSupported(at.child(field), policy?.[field], RETENTION)],
  );
}

export function validateStatefulSetUpdate(next: StatefulSet, old: StatefulSet): FieldError[] {
  const kept = (spec: StatefulSetSpec): unknown => ({
    ...spec,
    ...Object.fromEntries(MUTABLE.map((f) => [f, undefined])),
  });
  if (deepEqual(kept(next.spec), kept(old.spec))) return [];
  return [
    forbiddenField(
      path,
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ),
  ];
}
