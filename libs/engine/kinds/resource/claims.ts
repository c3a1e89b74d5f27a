import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceConstraint,
  DeviceRequest,
  DeviceSelector,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
  OpaqueDeviceConfiguration,
  ResourceClaimSpec,
} from '../../api/resource_v1.js';
import {
  ANY,
  BOOL,
  Environment,
  mapOf,
  mayBe,
  STRING,
  typeText,
  type Compiled,
  type ObjectType,
} from '../../machinery/cel/index.js';
import {
  duplicate,
  invalidValue,
  notSupported,
  required,
  tooLong,
  tooMany,
  type FieldError,
  type Path,
} from '../../machinery/meta/field.js';
import {
  invalidEach,
  isCIdentifier,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
} from '../../machinery/meta/validation.js';
import { validateEach, validateOptionalEnum, validateRequiredEnum, validateRequiredText } from '../field-validation.js';
import { validateCSIDriverName } from '../csi-driver-name.js';
import { pointer, type Struct } from '../internal.js';

const MAX_REQUESTS = 32;
const MAX_SELECTORS = 32;
const MAX_CONSTRAINTS = 32;
const MAX_CONFIGS = 32;
const MAX_ALTERNATIVES = 8;
const MAX_EXPRESSION = 10 * 1024;
const MAX_ID = 32;
const MODES = ['All', 'ExactCount'];
const OPERATORS = ['Equal', 'Exists'];
const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];

/** What selectors see. Models dynamic-resource-allocation/cel newCompiler. */
const DEVICE: ObjectType = {
  kind: 'object',
  name: 'kubernetes.DRADevice',
  fields: new Map(
    Object.entries({
      driver: STRING,
      attributes: mapOf(STRING, mapOf(STRING, ANY)),
      capacity: mapOf(STRING, mapOf(STRING, { kind: 'opaque', name: 'kubernetes.Quantity' })),
      allowMultipleAllocations: BOOL,
    }).map(([property, type]) => [property, { type, property }]),
  ),
};
const selectorTerms = new Environment({ variables: { device: DEVICE } });
/** A selector of devices, once it was accepted. */
export const compileSelector = (expression: string): Compiled => selectorTerms.compile(expression);

const asked: Struct = {
  DeviceClassName: '',
  Selectors: [{ CEL: pointer({ Expression: '' }) }],
  AllocationMode: '',
  Count: 0,
  AdminAccess: null,
  Tolerations: [{ Key: '', Operator: '', Value: '', Effect: '', TolerationSeconds: null }],
  Capacity: pointer({ Requests: null }),
};
const { AdminAccess: _, ...alternative } = asked;
/** How messages print a spec. */
export const CLAIM_SPEC: Struct = {
  Devices: {
    Requests: [{ Name: '', Exactly: pointer(asked), FirstAvailable: [{ Name: '', ...alternative }] }],
    Constraints: [{ Requests: null, MatchAttribute: null, DistinctAttribute: null }],
    Config: [{ Requests: null, Opaque: pointer({ Driver: '', Parameters: null }) }],
  },
};

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

/** The main rules of pkg/apis/resource/validation ValidateResourceClaim. */
export const validateClaim = (spec: ResourceClaimSpec | undefined, path: Path): FieldError[] =>
  validateDevices(spec?.devices ?? {}, path.child('devices'));

function validateDevices(devices: DeviceClaim, path: Path): FieldError[] {
  const names = requestNames(devices);
  return [
    ...atMost(devices.requests, MAX_REQUESTS, path.child('requests')),
    ...uniqueNames(devices.requests, path.child('requests')),
    ...validateEach(devices.requests, path.child('requests'), validateRequest),
    ...atMost(devices.constraints, MAX_CONSTRAINTS, path.child('constraints')),
    ...validateEach(devices.constraints, path.child('constraints'), (c, at) => validateConstraint(c, names, at)),
    ...atMost(devices.config, MAX_CONFIGS, path.child('config')),
    ...validateEach(devices.config, path.child('config'), (c, at) => validateConfig(c, names, at)),
  ];
}

export const requestNames = ({ requests }: DeviceClaim): ReadonlySet<string> =>
  new Set((requests ?? []).flatMap((r) => [r.name, ...(r.firstAvailable ?? []).map((sub) => `${r.name}/${sub.name}`)]));

export const atMost = (items: readonly unknown[] | undefined, most: number, path: Path): FieldError[] =>
  (items?.length ?? 0) > most ? [tooMany(path, items!.length, most)] : [];

function uniqueNames(items: readonly { name: string }[] | undefined, path: Path): FieldError[] {
  const seen = new Set<string>();
  return validateEach(items, path, ({ name }, at) => {
    const repeated = seen.has(name) ? [duplicate(at.child('name'), name)] : [];
    seen.add(name);
    return repeated;
  });
}

function validateRequest(request: DeviceRequest, path: Path): FieldError[] {
  const errors = invalidEach(path.child('name'), request.name ?? '', isDNS1123Label(request.name ?? ''));
  const { exactly, firstAvailable } = request;
  if (exactly && firstAvailable?.length)
    return [
      ...errors,
      invalidValue(
        path,
        '{`exactly`, `firstAvailable`}',
        'exactly one of `exactly`, `firstAvailable` is required, but multiple fields are set',
      ),
    ];
  if (exactly) return [...errors, ...validateCount(exactly, path.child('exactly'))];
  if (!firstAvailable?.length)
    return [...errors, required(path, 'exactly one of `exactly` or `firstAvailable` is required')];
  const at = path.child('firstAvailable');
  return [
    ...errors,
    ...atMost(firstAvailable, MAX_ALTERNATIVES, at),
    ...uniqueNames(firstAvailable, at),
    ...validateEach(firstAvailable, at, (sub, i) => [
      ...invalidEach(i.child('name'), sub.name ?? '', isDNS1123Label(sub.name ?? '')),
      ...validateCount(sub, i),
    ]),
  ];
}

function validateCount(request: ExactDeviceRequest | DeviceSubRequest, path: Path): FieldError[] {
  const errors = [
    ...validateRequiredText(path.child('deviceClassName'), request.deviceClassName, isDNS1123Subdomain),
    ...validateSelectors(request.selectors, path.child('selectors')),
  ];
  const { allocationMode: mode = '', count = 0 } = request;
  if (!MODES.includes(mode)) errors.push(notSupported(path.child('allocationMode'), mode, MODES));
  if (mode === 'All' && count !== 0)
    errors.push(invalidValue(path.child('count'), count, "must not be specified when allocationMode is 'All'"));
  if (mode === 'ExactCount' && count <= 0)
    errors.push(invalidValue(path.child('count'), count, 'must be greater than zero'));
  return [...errors, ...validateEach(request.tolerations, path.child('tolerations'), validateToleration)];
}

function validateToleration({ key, operator, value = '', effect }: DeviceToleration, path: Path): FieldError[] {
  const errors = key ? invalidEach(path.child('key'), key, isQualifiedName(key)) : [];
  if (operator === 'Exists' && value)
    errors.push(invalidValue(path.child('value'), value, 'must be empty for operator `Exists`'));
  if (operator === 'Equal') errors.push(...invalidEach(path.child('value'), value, isLabelValue(value)));
  return [
    ...errors,
    ...validateRequiredEnum(path.child('operator'), operator, OPERATORS),
    ...validateOptionalEnum(path.child('effect'), effect || undefined, EFFECTS),
  ];
}

/** Also of DeviceClasses. */
export const validateSelectors = (selectors: readonly DeviceSelector[] | undefined, path: Path): FieldError[] => [
  ...atMost(selectors, MAX_SELECTORS, path),
  ...validateEach(selectors, path, ({ cel }, at) => {
    if (!cel) return [required(at.child('cel'))];
    return validateExpression(cel.expression ?? '', at.child('cel', 'expression'));
  }),
];

function validateExpression(expression: string, path: Path): FieldError[] {
  if (expression.length > MAX_EXPRESSION) return [tooLong(path, MAX_EXPRESSION)];
  const { program, error } = selectorTerms.compile(expression);
  if (!program) return [invalidValue(path, expression, `compilation failed: ${error}`)];
  return mayBe(program.type, 'bool')
    ? []
    : [invalidValue(path, expression, `must evaluate to bool or the unknown type, not ${typeText(program.type)}`)];
}

export const validateNames = (
  requests: readonly string[] | undefined,
  known: ReadonlySet<string>,
  path: Path,
): FieldError[] => validateEach(requests, path, (name, at) => validateName(name, known, at));

export function validateName(name: string, known: ReadonlySet<string>, path: Path): FieldError[] {
  const unknown = invalidValue(
    path,
    name,
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  );
  const segments = name.split('/');
  return segments.length > 2
    ? [unknown]
    : [
        ...segments.flatMap((segment) => invalidEach(path, segment, isDNS1123Label(segment))),
        ...(known.has(name) ? [] : [unknown]),
      ];
}

function validateConstraint(constraint: DeviceConstraint, known: ReadonlySet<string>, path: Path): FieldError[] {
  const errors = validateNames(constraint.requests, known, path.child('requests'));
  const { matchAttribute, distinctAttribute } = constraint;
  if (matchAttribute === undefined && distinctAttribute === undefined)
    return [
      ...errors,
      required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'),
    ];
  const [field, name] =
    matchAttribute === undefined ? ['distinctAttribute', distinctAttribute!] : ['matchAttribute', matchAttribute];
  return [...errors, ...validateFullName(name, path.child(field))];
}

const validateFullName = (name: string, path: Path): FieldError[] => [
  ...validateQualifiedName(name, path),
  ...(name.includes('/')
    ? []
    : [invalidValue(path, name, 'a fully qualified name must be a domain and a name separated by a slash')]),
];

/** An identifier, or one of a domain; as upstream, nothing is said of more parts. */
export function validateQualifiedName(name: string, path: Path): FieldError[] {
  const parts = name.split('/');
  if (parts.length === 1) return validateIdentifier(name, path);
  if (parts.length > 2) return [];
  const [domain, id] = parts as [string, string];
  return [
    ...(domain ? validateCSIDriverName(path, domain) : [invalidValue(path, '', 'the domain must not be empty')]),
    ...(id ? validateIdentifier(id, path) : [invalidValue(path, '', 'the name must not be empty')]),
  ];
}

const validateIdentifier = (id: string, path: Path): FieldError[] => [
  ...(id.length > MAX_ID ? [tooLong(path, MAX_ID)] : []),
  ...invalidEach(path, id, isCIdentifier(id)),
];

const validateConfig = (config: DeviceClaimConfiguration, known: ReadonlySet<string>, path: Path): FieldError[] => [
  ...validateNames(config.requests, known, path.child('requests')),
  ...validateOpaque(config.opaque, path),
];

export function validateOpaque(opaque: OpaqueDeviceConfiguration | undefined, path: Path): FieldError[] {
  if (!opaque) return [required(path.child('opaque'))];
  const at = path.child('opaque');
  return [
    ...validateCSIDriverName(at.child('driver'), opaque.driver),
    ...validateParameters(opaque.parameters, at.child('parameters')),
  ];
}

export function validateParameters(parameters: unknown, path: Path): FieldError[] {
  if (parameters === undefined || parameters === null) return [required(path)];
  return typeof parameters === 'object' && !Array.isArray(parameters)
    ? []
    : [invalidValue(path, '<value omitted>', 'must be a valid JSON object')];
}
