import type { CSIDriver, CSIDriverSpec, TokenRequest } from '../../../api/storage_v1.js';
import { duplicate, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { each, optionalOneOf, unchanged } from '../../checks.js';
import { ageColumn, column, nameColumn, NONE, text } from '../../columns.js';
import { validateDriverName } from '../../drivers.js';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;
const MIN_UPDATE_PERIOD_SECONDS = 10;
const MODES = ['Ephemeral', 'Persistent'];

/** Models pkg/registry/storage/csidriver. */
export const kind = defineKind<CSIDriver>({
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIDriver',
  plural: 'csidrivers',
  singular: 'csidriver',
  scope: 'Cluster',
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
  validate: (driver) => [...validateDriverName(Path.of('metadata', 'name'), driver.metadata.name), ...validateSpec(driver.spec, Path.of('spec'))],
  validateUpdate: (next, old) =>
    (['attachRequired', 'volumeLifecycleModes'] as const).flatMap((field) => unchanged(Path.of('spec', field), next.spec[field], old.spec[field])),
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
    ...optionalOneOf(path.child('fsGroupPolicy'), spec.fsGroupPolicy, ['ReadWriteOnceWithFSType', 'File', 'None']),
    ...validateTokenRequests(spec.tokenRequests ?? [], path.child('tokenRequests')),
    ...each(spec.volumeLifecycleModes, path.child('volumeLifecycleModes'), (mode, at) => (MODES.includes(mode) ? [] : [notSupported(at, mode, MODES)])),
  ];
  const period = spec.nodeAllocatableUpdatePeriodSeconds;
  if (period !== undefined && period < MIN_UPDATE_PERIOD_SECONDS) {
    errors.push(invalidValue(path.child('nodeAllocatableUpdatePeriodSeconds'), period, `must be greater than or equal to ${MIN_UPDATE_PERIOD_SECONDS} seconds`));
  }
  return errors;
}

function validateTokenRequests(requests: readonly TokenRequest[], path: Path): FieldError[] {
  const seen = new Set<string>();
  return each(requests, path, ({ audience, expirationSeconds }, at) => {
    const errors: FieldError[] = audience === undefined ? [required(at.child('audience'))] : [];
    if (seen.has(audience)) errors.push(duplicate(at.child('audience'), audience));
    seen.add(audience);
    if (expirationSeconds === undefined) return errors;
    const where = at.child('expirationSeconds');
    if (expirationSeconds < MIN_TOKEN_SECONDS) errors.push(invalidValue(where, expirationSeconds, 'may not specify a duration less than 10 minutes'));
    if (expirationSeconds > MAX_TOKEN_SECONDS) errors.push(invalidValue(where, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
    return errors;
  });
}
