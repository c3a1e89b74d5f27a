import type { CounterSet, Device, ResourceSlice, ResourceSliceSpec } from '../../../api/resource_v1.js';
import { invalidValue, Path, required, tooLong, type FieldError } from '../../../machinery/meta/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { timestamp, type Millis } from '../../../machinery/time/time.js';
import { invalidEach, isDNS1123Label, isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { validateEach, validateRequiredText, validateImmutableField } from '../../field-validation.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { validateCSIDriverName } from '../../csi-driver-name.js';
import { atMost } from '../claims.js';
import { validateCounters, validateDevice } from './device.js';
import { validateUnique } from './bounded-list.js';
import { validateNodeSelection } from './node-selection.js';

const MAX_DEVICES = 128;
const MAX_ADVANCED_DEVICES = 64;
const MAX_COUNTER_SETS = 8;
const MAX_POOL_NAME = 253;

/** Models pkg/registry/resource/resourceslice. */
export const kind = defineKind<ResourceSlice>({
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceSlice',
  plural: 'resourceslices',
  singular: 'resourceslice',
  scope: 'Cluster',
  returnsDeleted: true,
  definition: 'io.k8s.api.resource.v1.ResourceSlice',
  generation: true,
  unsupportedField: (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  fieldSelectors: { 'spec.nodeName': (s) => s.spec.nodeName ?? '', 'spec.driver': (s) => s.spec.driver },
  columns: [
    nameColumn,
    text('Node', (s) => s.spec.nodeName ?? ''),
    text('Driver', (s) => s.spec.driver),
    text('Pool', (s) => s.spec.pool?.name ?? ''),
    ageColumn,
  ],
  prepareForCreate: (draft, { now }) => stampTaints(draft, now),
  prepareForUpdate: (draft, _, { now }) => stampTaints(draft, now),
  warnings: ({ spec: { driver } }) =>
    driver === driver.toLowerCase()
      ? []
      : [`spec.driver: driver names should be lowercase; "${driver}" contains uppercase characters`],
  validate: ({ spec }) => validateSpec(spec, Path.of('spec')),
  validateUpdate: (next, old) => [
    ...validateImmutableField(Path.of('spec', 'driver'), next.spec.driver, old.spec.driver),
    ...validateImmutableField(Path.of('spec', 'pool', 'name'), next.spec.pool?.name, old.spec.pool?.name),
    ...validateImmutableField(Path.of('spec', 'nodeName'), next.spec.nodeName, old.spec.nodeName),
  ],
});

/** When a taint came is the server's to say. */
function stampTaints({ spec }: ResourceSlice, now: Millis): void {
  if (!spec.devices?.some(({ taints }) => taints?.some((t) => t.timeAdded === undefined))) return;
  spec.devices = spec.devices.map((device) =>
    device.taints
      ? { ...device, taints: device.taints.map((t) => ({ ...t, timeAdded: t.timeAdded ?? timestamp(now) })) }
      : device,
  );
}

/** Models pkg/apis/resource/validation ValidateResourceSlice. */
function validateSpec(spec: ResourceSliceSpec, path: Path): FieldError[] {
  const { devices, sharedCounters } = spec;
  const errors = [
    ...validateCSIDriverName(path.child('driver'), spec.driver),
    ...validatePool(spec, path.child('pool')),
    ...validateNodeSelection(spec, path),
  ];
  if (devices && sharedCounters)
    errors.push(invalidValue(path, '', 'only one of `sharedCounters` or `devices` is allowed'));
  return [
    ...errors,
    ...validateDevices(spec, path.child('devices')),
    ...validateCounterSets(sharedCounters, path.child('sharedCounters')),
  ];
}

function validatePool({ pool }: ResourceSliceSpec, path: Path): FieldError[] {
  const at = path.child('name');
  const { name = '', resourceSliceCount: count = 0, generation = 0 } = pool ?? {};
  const errors = name.length > MAX_POOL_NAME ? [tooLong(at, MAX_POOL_NAME)] : [];
  if (!name) errors.push(required(at));
  else errors.push(...name.split('/').flatMap((part) => invalidEach(at, part, isDNS1123Subdomain(part))));
  if (count <= 0) errors.push(invalidValue(path.child('resourceSliceCount'), count, 'must be greater than zero'));
  return generation < 0
    ? [...errors, invalidValue(path.child('generation'), generation, 'must be greater than or equal to zero')]
    : errors;
}

const isAdvanced = ({ taints, consumesCounters, attributes }: Device): boolean =>
  Boolean(taints?.length || consumesCounters?.length) ||
  Object.values(attributes ?? {}).some((a) => a.bools ?? a.ints ?? a.strings ?? a.versions);

function validateDevices({ devices, perDeviceNodeSelection }: ResourceSliceSpec, path: Path): FieldError[] {
  const many = atMost(devices, devices?.some(isAdvanced) ? MAX_ADVANCED_DEVICES : MAX_DEVICES, path);
  if (many.length > 0) return many;
  return [
    ...validateEach(devices, path, (device, at) => validateDevice(device, perDeviceNodeSelection === true, at)),
    ...validateUnique(devices, path, ({ name = '' }) => name),
  ];
}

function validateCounterSets(sets: readonly CounterSet[] | undefined, path: Path): FieldError[] {
  const many = atMost(sets, MAX_COUNTER_SETS, path);
  if (many.length > 0) return many;
  return [
    ...validateEach(sets, path, ({ name, counters }, at) => [
      ...validateRequiredText(at.child('name'), name, isDNS1123Label),
      ...validateCounters(counters, at.child('counters')),
    ]),
    ...validateUnique(sets, path, ({ name = '' }) => name),
  ];
}
