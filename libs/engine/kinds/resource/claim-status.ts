/** What a claim's status may say. Models pkg/apis/resource/validation validateResourceClaimStatusUpdate. */
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
} from '../../api/resource_v1.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  Path,
  required,
  tooLong,
  tooMany,
  type FieldError,
} from '../../machinery/meta/field.js';
import {
  immutable,
  invalidEach,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
} from '../../machinery/meta/validation.js';
import { validateEach, validateRequiredEnum } from '../field-validation.js';
import { validateConditions } from '../conditions.js';
import { validateNodeSelector } from '../core/pod/kind.js';
import { validateCSIDriverName } from '../csi-driver-name.js';
import { atMost, requestNames, validateName, validateNames, validateOpaque, validateParameters } from './claims.js';

const MAX_RESERVED = 256;
const MAX_POOL = 253;
const MAX_RESULTS = 32;
const MAX_CONFIGS = 64;
const MAX_CONDITIONS = 8;
const MAX_IPS = 16;
const MAX_INTERFACE = 256;
const MAX_HARDWARE = 128;
const SOURCES = ['FromClaim', 'FromClass'];
const ADDRESS = /^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-fA-F]*:[0-9a-fA-F:.]*)\/[0-9]{1,3}$/;

export function validateClaimStatus({ spec, status, metadata }: ResourceClaim, old: ResourceClaim): FieldError[] {
  const path = Path.of('status');
  const { allocation, devices, reservedFor = [] } = status;
  const known = new Set((allocation?.devices?.results ?? []).map(deviceText));
  const errors = [
    ...validateSet(reservedFor, MAX_RESERVED, path.child('reservedFor'), validateConsumer, ({ uid }) => uid ?? ''),
    ...validateSet(
      devices,
      Infinity,
      path.child('devices'),
      (device, at) => validateDevice(device, known, at),
      deviceId,
    ),
  ];
  if (reservedFor.length > 0)
    errors.push(
      ...validateReservation(
        reservedFor,
        old.status?.reservedFor ?? [],
        allocation,
        metadata.deletionTimestamp !== undefined,
        path.child('reservedFor'),
      ),
    );
  if (!allocation) return errors;
  const at = path.child('allocation');
  const before = old.status?.allocation;
  return [
    ...errors,
    ...(before
      ? immutable(at, allocation, deepEqual(allocation, before))
      : validateAllocation(allocation, requestNames(spec.devices ?? {}), at)),
  ];
}

/** Entries may leave while the claim is to go, but none may join. */
function validateReservation(
  now: readonly ResourceClaimConsumerReference[],
  before: readonly ResourceClaimConsumerReference[],
  allocation: AllocationResult | undefined,
  deleted: boolean,
  path: Path,
): FieldError[] {
  if (!allocation) return [forbiddenField(path, 'may not be specified when `allocated` is not set')];
  const joins = deleted && now.some((consumer) => !before.some((other) => deepEqual(consumer, other)));
  return joins
    ? [
        forbiddenField(
          path,
          'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
        ),
      ]
    : [];
}

function validateSet<T>(
  items: readonly T[] | undefined,
  most: number,
  path: Path,
  check: (item: T, path: Path) => FieldError[],
  keyOf: (item: T) => unknown,
): FieldError[] {
  const many = atMost(items, most, path);
  if (many.length > 0) return many;
  const seen = new Set<string>();
  const repeated = validateEach(items, path, (item, at) => {
    const key = keyOf(item);
    const text = JSON.stringify(key);
    if (seen.has(text)) return [duplicate(at, key)];
    seen.add(text);
    return [];
  });
  return [...validateEach(items, path, check), ...repeated];
}

const validateConsumer = (consumer: ResourceClaimConsumerReference, path: Path): FieldError[] =>
  (['resource', 'name', 'uid'] as const).flatMap((field) => (consumer[field] ? [] : [required(path.child(field))]));

type Device = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device' | 'shareID'>;
const deviceId = ({ driver = '', pool = '', device = '', shareID = '' }: Device): object => ({
  Driver: driver,
  Pool: pool,
  Device: device,
  ShareID: shareID,
});
const deviceText = (device: Device): string => JSON.stringify(deviceId(device));

function validateDevice(status: AllocatedDeviceStatus, known: ReadonlySet<string>, path: Path): FieldError[] {
  const { conditions, data, networkData } = status;
  return [
    ...validatePlace(status, path),
    ...(known.has(deviceText(status))
      ? []
      : [invalidValue(path, deviceId(status), 'must be an allocated device in the claim')]),
    ...((conditions?.length ?? 0) > MAX_CONDITIONS
      ? [tooMany(path.child('conditions'), conditions!.length, MAX_CONDITIONS)]
      : []),
    ...validateConditions(conditions, path.child('conditions')),
    ...(data === undefined || data === null ? [] : validateParameters(data, path.child('data'))),
    ...(networkData ? validateNetwork(networkData, path.child('networkData')) : []),
  ];
}

/** Which device it is. */
const validatePlace = ({ driver, pool, device }: Device, path: Path): FieldError[] => [
  ...validateCSIDriverName(path.child('driver'), driver),
  ...validatePool(pool, path.child('pool')),
  ...invalidEach(path.child('device'), device ?? '', isDNS1123Label(device ?? '')),
];

function validatePool(name: string | undefined, path: Path): FieldError[] {
  if (!name) return [required(path)];
  const errors = name.length > MAX_POOL ? [tooLong(path, MAX_POOL)] : [];
  return [...errors, ...name.split('/').flatMap((part) => invalidEach(path, part, isDNS1123Subdomain(part)))];
}

const validateNetwork = (
  { interfaceName = '', hardwareAddress = '', ips }: NetworkDeviceData,
  path: Path,
): FieldError[] => [
  ...(interfaceName.length > MAX_INTERFACE ? [tooLong(path.child('interfaceName'), MAX_INTERFACE)] : []),
  ...(hardwareAddress.length > MAX_HARDWARE ? [tooLong(path.child('hardwareAddress'), MAX_HARDWARE)] : []),
  ...validateSet(ips, MAX_IPS, path.child('ips'), validateAddress, (ip) => ip),
];

const validateAddress = (address: string, path: Path): FieldError[] =>
  ADDRESS.test(address ?? '')
    ? []
    : [invalidValue(path, address ?? '', 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')];

function validateAllocation(
  { devices, nodeSelector }: AllocationResult,
  names: ReadonlySet<string>,
  path: Path,
): FieldError[] {
  const [results, configs] = [path.child('devices', 'results'), path.child('devices', 'config')];
  const errors = [
    ...atMost(devices?.results, MAX_RESULTS, results),
    ...validateEach(devices?.results, results, (result, at) => validateResult(result, names, at)),
    ...atMost(devices?.config, MAX_CONFIGS, configs),
    ...validateEach(devices?.config, configs, (config, at) => validateConfig(config, names, at)),
  ];
  if (nodeSelector) validateNodeSelector(nodeSelector.nodeSelectorTerms, path.child('nodeSelector'), errors);
  return errors;
}

const validateResult = (
  result: DeviceRequestAllocationResult,
  names: ReadonlySet<string>,
  path: Path,
): FieldError[] => [
  ...validateName(result.request ?? '', names, path.child('request')),
  ...validatePlace(result, path),
  ...(['bindingConditions', 'bindingFailureConditions'] as const).flatMap((field) =>
    validateEach(result[field], path.child(field), (name, at) => invalidEach(at, name, isQualifiedName(name))),
  ),
];

const validateConfig = (
  config: DeviceAllocationConfiguration,
  names: ReadonlySet<string>,
  path: Path,
): FieldError[] => [
  ...validateRequiredEnum(path.child('source'), config.source, SOURCES),
  ...validateNames(config.requests, names, path.child('requests')),
  ...validateOpaque(config.opaque, path),
];
