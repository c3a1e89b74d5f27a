import type { CSIDriver, CSIDriverSpec, TokenRequest } from '../../../api/storage_v1.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { duplicate, invalidValue, notSupported, Path, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { validateEach, validateOptionalEnum, validateImmutableField } from '../../field-validation.js';
import { ageColumn, column, nameColumn, NONE, text } from '../../columns.js';
import { validateCSIDriverName } from '../../csi-driver-name.js';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;
const MIN_UPDATE_PERIOD_SECONDS = 10;
const MODES = ['Persistent', 'Ephemeral'];
const TOKENS_EXPOSED =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

/** Models pkg/registry/storage/csidriver. */
export const kind = defineKind<CSIDriver>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  singular: 'csidriver',
  scope: 'Cluster',
  returnsDeleted: true,
  needsVersion: true,
  definition: 'io.k8s.api.storage.v1.CSIDriver',
  columns: [
    nameColumn,
    column('AttachRequired', 'boolean', (d) => d.spec.attachRequired ?? true),
    column('PodInfoOnMount', 'boolean', (d) => d.spec.podInfoOnMount ?? false),
    column('StorageCapacity', 'boolean', (d) => d.spec.storageCapacity ?? false),
    text('TokenRequests', (d) => d.spec.tokenRequests?.map((t) => t.audience).join(',') ?? '<unset>'),
    column('RequiresRepublish', 'boolean', (d) => d.spec.requiresRepublish ?? false),
    text('Modes', (d) => d.spec.volumeLifecycleModes?.join(',') || NONE),
    ageColumn,
  ],
  defaults(draft) {
    const given = draft.spec;
    draft.spec = { ...DEFAULTS, ...given };
    if (!given.volumeLifecycleModes?.length) draft.spec.volumeLifecycleModes = ['Persistent'];
  },
  prepareForUpdate(draft, old) {
    if (!deepEqual(draft.spec, old.spec)) draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
  validate: (driver) => [
    ...validateCSIDriverName(Path.of('metadata', 'name'), driver.metadata.name),
    ...validateSpec(driver.spec, Path.of('spec')),
  ],
  validateUpdate: (next, old) => [
    ...validateImmutableField(Path.of('spec', 'attachedRequired'), next.spec.attachRequired, old.spec.attachRequired),
    ...validateImmutableField(
      Path.of('spec', 'volumeLifecycleModes'),
      next.spec.volumeLifecycleModes,
      old.spec.volumeLifecycleModes,
    ),
  ],
  warnings: ({ spec }, old) =>
    spec.tokenRequests?.length &&
    spec.serviceAccountTokenInSecrets === undefined &&
    !deepEqual(spec.tokenRequests, old?.spec.tokenRequests)
      ? [TOKENS_EXPOSED]
      : [],
});

/** Models pkg/apis/storage/v1 SetDefaults_CSIDriver. */
const DEFAULTS: CSIDriverSpec = {
  attachRequired: true,
  fsGroupPolicy: 'ReadWriteOnceWithFSType',
  podInfoOnMount: false,
  requiresRepublish: false,
  seLinuxMount: false,
  storageCapacity: false,
};

function validateSpec(spec: CSIDriverSpec, path: Path): FieldError[] {
  const errors = [
    ...validateOptionalEnum(path.child('fsGroupPolicy'), spec.fsGroupPolicy, [
      'File',
      'None',
      'ReadWriteOnceWithFSType',
    ]),
    ...validateTokenRequests(spec.tokenRequests ?? [], path.child('tokenRequests')),
    ...validateEach(spec.volumeLifecycleModes, path.child('volumeLifecycleModes'), (mode) =>
      MODES.includes(mode) ? [] : [notSupported(path.child('volumeLifecycleModes'), mode, MODES)],
    ),
  ];
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < MIN_UPDATE_PERIOD_SECONDS) {
    errors.push(
      invalidValue(
        path.child('nodeAllocatableUpdatePeriodSeconds'),
        period,
        `must be greater than or equal to ${MIN_UPDATE_PERIOD_SECONDS} seconds`,
      ),
    );
  }
  if (spec.serviceAccountTokenInSecrets && !spec.tokenRequests?.length) {
    errors.push(
      invalidValue(
        path.child('serviceAccountTokenInSecrets'),
        true,
        'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
      ),
    );
  }
  return errors;
}

function validateTokenRequests(requests: readonly TokenRequest[], path: Path): FieldError[] {
  const seen = new Set<string>();
  return validateEach(requests, path, ({ audience, expirationSeconds }, at) => {
    const errors: FieldError[] = [];
    if (seen.has(audience)) return [duplicate(at.child('audience'), audience)];
    seen.add(audience);
    if (expirationSeconds === undefined) return errors;
    const where = at.child('expirationSeconds');
    if (expirationSeconds < MIN_TOKEN_SECONDS)
      errors.push(invalidValue(where, expirationSeconds, 'may not specify a duration less than 10 minutes'));
    if (expirationSeconds > MAX_TOKEN_SECONDS)
      errors.push(invalidValue(where, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
    return errors;
  });
}
