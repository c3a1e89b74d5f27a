import type { Device, ResourceSlice, ResourceSliceSpec } from '../../../api/resource_v1.js';
import { duplicate, invalidValue, Path, required, tooMany, type FieldError } from '../../../machinery/field.js';
import { defineKind } from '../../../machinery/kind.js';
import { invalidEach, isDNS1123Label, isDNS1123Subdomain } from '../../../machinery/validation.js';
import { each, optionalText, requiredText, unchanged } from '../../checks.js';
import { ageColumn, nameColumn, text } from '../../columns.js';
import { validateDriverName } from '../../drivers.js';

const MAX_DEVICES = 128;
const MAX_POOL_NAME = 253;
const PLACES = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;

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
  validate: ({ spec }) => validateSpec(spec, Path.of('spec')),
  validateUpdate: (next, old) => [
    ...unchanged(Path.of('spec', 'driver'), next.spec.driver, old.spec.driver),
    ...unchanged(Path.of('spec', 'pool', 'name'), next.spec.pool?.name, old.spec.pool?.name),
    ...unchanged(Path.of('spec', 'nodeName'), next.spec.nodeName, old.spec.nodeName),
  ],
});

/** The main rules of pkg/apis/resource/validation ValidateResourceSlice. */
function validateSpec(spec: ResourceSliceSpec, path: Path): FieldError[] {
  const set = PLACES.filter((field) => spec[field] !== undefined && spec[field] !== false && spec[field] !== '');
  const errors = [...validateDriverName(path.child('driver'), spec.driver), ...validatePool(spec, path.child('pool')), ...optionalText(path.child('nodeName'), spec.nodeName, isDNS1123Subdomain)];
  if (set.length === 0) errors.push(required(path, 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'));
  if (set.length > 1) errors.push(invalidValue(path, `{${set.join(', ')}}`, 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required'));
  return [...errors, ...validateDevices(spec.devices ?? [], path.child('devices'))];
}

function validatePool({ pool }: ResourceSliceSpec, path: Path): FieldError[] {
  const name = path.child('name');
  const errors = requiredText(name, pool?.name, (text) => (text.length > MAX_POOL_NAME ? [`must be no more than ${MAX_POOL_NAME} characters`] : text.split('/').flatMap(isDNS1123Subdomain)));
  const count = pool?.resourceSliceCount ?? 0;
  if (count <= 0) errors.push(invalidValue(path.child('resourceSliceCount'), count, 'must be greater than zero'));
  const generation = pool?.generation ?? 0;
  return generation < 0 ? [...errors, invalidValue(path.child('generation'), generation, 'must be greater than or equal to zero')] : errors;
}

function validateDevices(devices: readonly Device[], path: Path): FieldError[] {
  if (devices.length > MAX_DEVICES) return [tooMany(path, devices.length, MAX_DEVICES)];
  const seen = new Set<string>();
  return each(devices, path, ({ name }, at) => {
    const repeated = seen.has(name) ? [duplicate(at.child('name'), name)] : [];
    seen.add(name);
    return [...invalidEach(at.child('name'), name ?? '', isDNS1123Label(name ?? '')), ...repeated];
  });
}
