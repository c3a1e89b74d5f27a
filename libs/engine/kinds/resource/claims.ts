import type { DeviceClaim, DeviceClaimConfiguration, DeviceConstraint, DeviceRequest, DeviceSelector, DeviceSubRequest, ExactDeviceRequest, OpaqueDeviceConfiguration, ResourceClaimSpec } from '../../api/resource_v1.js';
import { duplicate, invalidValue, notSupported, required, tooMany, type FieldError, type Path } from '../../machinery/field.js';
import { isDNS1123Label, isDNS1123Subdomain, isQualifiedName } from '../../machinery/validation.js';
import { each, requiredText } from '../checks.js';
import { validateDriverName } from '../drivers.js';

const MAX_REQUESTS = 32;
const MAX_SELECTORS = 32;
const MAX_CONSTRAINTS = 32;
const MAX_CONFIGS = 32;
const MAX_ALTERNATIVES = 8;
const MODES = ['All', 'ExactCount'];

/** Models pkg/apis/resource/v1/defaults.go. */
export function defaultClaim(spec: ResourceClaimSpec): ResourceClaimSpec {
  const requests = spec?.devices?.requests;
  if (!requests) return spec;
  return { ...spec, devices: { ...spec.devices, requests: requests.map(defaultRequest) } };
}

function defaultRequest(request: DeviceRequest): DeviceRequest {
  return {
    ...request,
    ...(request.exactly ? { exactly: defaultCount(request.exactly) } : {}),
    ...(request.firstAvailable ? { firstAvailable: request.firstAvailable.map(defaultCount) } : {}),
  };
}

function defaultCount<T extends ExactDeviceRequest | DeviceSubRequest>(request: T): T {
  const allocationMode = request.allocationMode || 'ExactCount';
  const tolerations = request.tolerations?.map((t) => (t.operator ? t : { ...t, operator: 'Equal' }));
  return {
    ...request,
    allocationMode,
    ...(allocationMode === 'ExactCount' && !request.count ? { count: 1 } : {}),
    ...(tolerations ? { tolerations } : {}),
  };
}

/** The main rules of pkg/apis/resource/validation ValidateResourceClaim; CEL expressions are not compiled. */
export const validateClaim = (spec: ResourceClaimSpec | undefined, path: Path): FieldError[] => validateDevices(spec?.devices ?? {}, path.child('devices'));

function validateDevices(devices: DeviceClaim, path: Path): FieldError[] {
  const names = requestNames(devices);
  return [
    ...atMost(devices.requests, MAX_REQUESTS, path.child('requests')),
    ...uniqueNames(devices.requests, path.child('requests')),
    ...each(devices.requests, path.child('requests'), validateRequest),
    ...atMost(devices.constraints, MAX_CONSTRAINTS, path.child('constraints')),
    ...each(devices.constraints, path.child('constraints'), (c, at) => validateConstraint(c, names, at)),
    ...atMost(devices.config, MAX_CONFIGS, path.child('config')),
    ...each(devices.config, path.child('config'), (c, at) => validateConfig(c, names, at)),
  ];
}

const requestNames = ({ requests }: DeviceClaim): ReadonlySet<string> =>
  new Set((requests ?? []).flatMap((r) => [r.name, ...(r.firstAvailable ?? []).map((sub) => `${r.name}/${sub.name}`)]));

const atMost = (items: readonly unknown[] | undefined, most: number, path: Path): FieldError[] =>
  (items?.length ?? 0) > most ? [tooMany(path, items!.length, most)] : [];

function uniqueNames(items: readonly { name: string }[] | undefined, path: Path): FieldError[] {
  const seen = new Set<string>();
  return each(items, path, ({ name }, at) => {
    const repeated = seen.has(name) ? [duplicate(at.child('name'), name)] : [];
    seen.add(name);
    return repeated;
  });
}

function validateRequest(request: DeviceRequest, path: Path): FieldError[] {
  const errors = requiredText(path.child('name'), request.name, isDNS1123Label);
  const { exactly, firstAvailable } = request;
  if (exactly && firstAvailable?.length) return [...errors, invalidValue(path, '{`exactly`, `firstAvailable`}', 'exactly one of `exactly`, `firstAvailable` is required, but multiple fields are set')];
  if (exactly) return [...errors, ...validateCount(exactly, path.child('exactly'))];
  if (!firstAvailable?.length) return [...errors, required(path, 'exactly one of `exactly` or `firstAvailable` is required')];
  const at = path.child('firstAvailable');
  return [
    ...errors,
    ...atMost(firstAvailable, MAX_ALTERNATIVES, at),
    ...uniqueNames(firstAvailable, at),
    ...each(firstAvailable, at, (sub, i) => [...requiredText(i.child('name'), sub.name, isDNS1123Label), ...validateCount(sub, i)]),
  ];
}

function validateCount(request: ExactDeviceRequest | DeviceSubRequest, path: Path): FieldError[] {
  const errors = [...requiredText(path.child('deviceClassName'), request.deviceClassName, isDNS1123Subdomain), ...validateSelectors(request.selectors, path.child('selectors'))];
  const { allocationMode: mode = '', count = 0 } = request;
  if (!MODES.includes(mode)) errors.push(notSupported(path.child('allocationMode'), mode, MODES));
  if (mode === 'All' && count !== 0) errors.push(invalidValue(path.child('count'), count, "must not be specified when allocationMode is 'All'"));
  if (mode === 'ExactCount' && count <= 0) errors.push(invalidValue(path.child('count'), count, 'must be greater than zero'));
  return errors;
}

/** Also of DeviceClasses. */
export const validateSelectors = (selectors: readonly DeviceSelector[] | undefined, path: Path): FieldError[] => [
  ...atMost(selectors, MAX_SELECTORS, path),
  ...each(selectors, path, ({ cel }, at) => {
    if (!cel) return [required(at.child('cel'))];
    return cel.expression ? [] : [required(at.child('cel', 'expression'))];
  }),
];

const validateNames = (requests: readonly string[] | undefined, known: ReadonlySet<string>, path: Path): FieldError[] =>
  each(requests, path, (name, at) => (known.has(name) ? [] : [invalidValue(at, name, 'must be the name of a request in the claim or the name of a request and a subrequest separated by \'/\'')]));

function validateConstraint(constraint: DeviceConstraint, known: ReadonlySet<string>, path: Path): FieldError[] {
  const errors = validateNames(constraint.requests, known, path.child('requests'));
  const { matchAttribute, distinctAttribute } = constraint;
  if (matchAttribute === undefined && distinctAttribute === undefined) return [...errors, required(path, 'exactly one of `matchAttribute` or `distinctAttribute` is required')];
  const [field, name] = matchAttribute === undefined ? ['distinctAttribute', distinctAttribute!] : ['matchAttribute', matchAttribute];
  const at = path.child(field);
  if (!name.includes('/')) return [...errors, invalidValue(at, name, 'must include a domain')];
  return [...errors, ...isQualifiedName(name).map((m) => invalidValue(at, name, m))];
}

const validateConfig = (config: DeviceClaimConfiguration, known: ReadonlySet<string>, path: Path): FieldError[] => [
  ...validateNames(config.requests, known, path.child('requests')),
  ...validateOpaque(config.opaque, path),
];

export function validateOpaque(opaque: OpaqueDeviceConfiguration | undefined, path: Path): FieldError[] {
  if (!opaque) return [required(path.child('opaque'))];
  const at = path.child('opaque');
  return [...validateDriverName(at.child('driver'), opaque.driver), ...(opaque.parameters === undefined ? [required(at.child('parameters'))] : [])];
}
