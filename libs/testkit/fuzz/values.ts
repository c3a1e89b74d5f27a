import { definition, type Field, type FieldType } from '../../engine/schema/index.js';
import type { Dice } from './dice.js';

export type Json = unknown;
export type Fields = Record<string, Json>;

const MAX_DEPTH = 9;

export const NAMES = ['a', 'b', 'web', 'x-1', 'c', 'd', 'e', 'f', 'app'];
const EXPRESSIONS = [
  'true',
  'self',
  'object.spec.replicas <= 5',
  'self.a == 1',
  'size(self) > 1',
  'self.all(x, x > 1)',
  '1/0',
  'object.metadata.name.matches("(a+)+$")',
  "''.join([1])",
  '[1,2,3].map(x, x*x)',
  'has(self.a)',
  '"a" in self',
  'self.a.b.c.d',
  'oldSelf',
  'dyn(1) + "a"',
  '9223372036854775807 + 1',
  'timestamp("x")',
  'duration("1h")',
  'quantity("1Ki").isGreaterThan(quantity("1"))',
  'variables.x',
  'authorizer.group("").resource("pods").check("get").allowed()',
  'Object{spec: Object.spec{replicas: 3}}',
  '[JSONPatch{op: "add", path: "/metadata/labels/a", value: "b"}]',
  '((((((((((',
  'x.',
  "'\\u'",
  'a?b:c',
  '{1:2}[3]',
  '[[[[[1]]]]]',
  'range(100000000)',
  'self.exists_one(k, k == "")',
  'optional.of(1).value()',
  'self.?a.orValue(1)',
  'format.dns1123Label().validate("A")',
  'b"\\xff"',
  '-',
  '"%s".format([1])',
  'url("http://a").getHost()',
  'ip("::1").family()',
  'cidr("10.0.0.0/8").containsIP("10.1.1.1")',
  'sets.contains([1],[1])',
  '"a".repeat(9)',
  'self.map(x, self.map(y, self.map(z, x)))',
];
const PATTERNS = [
  '^a+$',
  '(a+)+$',
  '(a|a)*b',
  '[',
  '\\1',
  '(?=x)',
  'a{1000}{1000}',
  '\\p{Greek}',
  '(?i)x',
  '.*.*.*.*.*=.*',
  '[[:alpha:]]',
  '\\Q',
  '(?P<n>a)',
  '\u0000',
  '*',
];
const NASTY = [
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\u0000',
  '\ud800',
  '\ufeff',
  'ÄÖ',
  '😀',
  '../..',
  'a/b',
  '%s%n',
  '-1',
  '0',
  '1e999',
  '9223372036854775808',
  'NaN',
  'null',
  'true',
  '*',
  'A',
  'a.b.c',
  '1.2.3.4',
  '::1',
  '10.0.0.0/8',
  '2024-01-01T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '1Gi',
  '-1Ki',
  '1e3',
  '100%',
  '-5%',
  '1h',
  'x'.repeat(64),
  'x'.repeat(300),
  'a=b',
  'a in (b)',
  '{"a":1}',
  '\n',
  '$(A)',
  '{{.}}',
  '* * * * *',
  '@every 0s',
  '0 0 31 2 *',
  'TZ=x * * * * *',
];
const NUMBERS = [
  0,
  1,
  -1,
  2,
  5,
  80,
  443,
  65_535,
  65_536,
  1.5,
  1e21,
  -0,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_649,
  2 ** 53,
  4_294_967_296,
  1e308,
  30,
  100,
];

/** Texts that fields of this name usually hold: they reach deeper than noise. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  name: NAMES,
  namespace: ['default', 'default', 'default', 'kube-system', 'x'],
  image: ['nginx:1.27', 'busybox', 'redis:7', 'x@y', ''],
  apiVersion: ['v1', 'apps/v1', 'batch/v1', 'x/y/z'],
  kind: ['Pod', 'Deployment', 'ConfigMap', 'Node', 'List'],
  protocol: ['TCP', 'UDP', 'SCTP'],
  restartPolicy: ['Always', 'Never', 'OnFailure'],
  schedule: ['* * * * *', '*/5 0 1 1 *', '61 * * * *'],
  operator: ['In', 'Exists', 'NotIn', 'Equal', 'Gt'],
  key: ['app', 'a/b', ''],
  value: ['web', ''],
  mountPath: ['/a', '/b', 'c'],
  path: ['/', '/a', '..', 'spec.x'],
  storageClassName: ['standard', ''],
  type: [
    'ClusterIP',
    'RollingUpdate',
    'Recreate',
    'Opaque',
    'Ready',
    'Utilization',
    'object',
    'string',
    'array',
    'integer',
  ],
  effect: ['NoSchedule', 'NoExecute'],
  topologyKey: ['kubernetes.io/hostname', 'a'],
  whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
  expression: EXPRESSIONS,
  rule: EXPRESSIONS,
  messageExpression: EXPRESSIONS,
  valueExpression: EXPRESSIONS,
  pattern: PATTERNS,
  verbs: ['get', '*', 'use'],
  apiGroups: ['', '*', 'apps'],
  resources: ['pods', '*', 'pods/log'],
  group: ['x.io', 'apps', ''],
  plural: ['things', 'pods'],
  singular: ['thing'],
  scope: ['Namespaced', 'Cluster'],
  clusterIP: ['', 'None', '10.96.0.77'],
  cidr: ['10.0.0.0/8', 'x'],
  host: ['a.example', '*.a'],
  pathType: ['Prefix', 'Exact'],
  operation: ['Apply', 'Update'],
  manager: NAMES,
  fieldsType: ['FieldsV1'],
  timeZone: ['Europe/Berlin', 'Mars'],
  jsonPath: ['.spec.x', '.a[0]', '['],
  policyTypes: ['Ingress'],
  uid: ['x', ''],
  resourceVersion: ['', '1', 'x'],
};

/** A text of the kind that is usual under this name, or one that nobody means. */
export function text(dice: Dice, name: string): string {
  const usual = Object.hasOwn(USUAL, name) ? USUAL[name] : undefined;
  if (dice.isWrong) return dice.pick(NASTY);
  return dice.pick(usual ?? NAMES);
}

/** Any JSON value, of no particular meaning. */
export function anything(dice: Dice, depth = 0): Json {
  switch (dice.roll(depth > 3 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return dice.chance(50);
    case 2:
      return dice.pick(NUMBERS);
    case 3:
    case 4:
      return dice.pick(NASTY);
    case 5:
      return Array.from({ length: dice.roll(3) }, () => anything(dice, depth + 1));
    case 6:
      return nested(dice);
    default:
      return Object.fromEntries(
        Array.from({ length: dice.roll(3) }, () => [dice.pick(NASTY), anything(dice, depth + 1)]),
      );
  }
}

function nested(dice: Dice): Json {
  let value: Json = 1;
  const depth = dice.chance(90) ? dice.roll(20) : dice.roll(1_200);
  const key = dice.pick(['a', 'spec', 'properties', 'items', '0']);
  for (let i = 0; i < depth; i++) value = dice.chance(50) ? [value] : { [key]: value };
  return value;
}

/** An object of a definition, as its facts allow; now and then not. */
export function objectOf(dice: Dice, name: string, depth = 0): Json {
  const known = definition(name);
  if (!known?.fields) return openValue(dice, name, known?.type);
  const out: Fields = {};
  const often = depth === 0 ? 85 : depth < 3 ? dice.density : dice.density / 2;
  for (const [key, field] of Object.entries(known.fields)) {
    if (key === 'status' && depth === 0 && dice.chance(70)) continue;
    if (field.required ? !dice.isWrong : dice.chance(often)) out[key] = valueOf(dice, key, field, depth);
  }
  return out;
}

function openValue(dice: Dice, name: string, type = ''): Json {
  if (name.endsWith('.Quantity'))
    return dice.isWrong ? dice.pick(['x', '-1', '1e99', 5]) : dice.pick(['1', '100m', '1Gi', '2']);
  if (name.endsWith('.IntOrString'))
    return dice.isWrong ? dice.pick(['', -1, 70_000, '200%']) : dice.pick([80, '25%', 1]);
  if (name.endsWith('Time'))
    return dice.isWrong
      ? dice.pick(['x', '', 7])
      : name.endsWith('MicroTime')
        ? '2026-01-01T00:00:00.000001Z'
        : '2026-01-01T00:00:00Z';
  return type.startsWith('string') ? text(dice, '') : anything(dice, 1);
}

function valueOf(dice: Dice, key: string, field: Field, depth: number): Json {
  if (dice.isWrong) return anything(dice);
  if (key === 'labels' || key === 'matchLabels' || (key === 'selector' && typeof field.type !== 'string'))
    return !dice.isWrong ? { app: 'x' } : { [dice.pick(NASTY)]: dice.pick(NASTY) };
  if (field.enum && !dice.isWrong) return dice.pick(field.enum);
  return typed(dice, key, field.type, depth);
}

function typed(dice: Dice, key: string, type: FieldType, depth: number): Json {
  if (typeof type !== 'string') {
    if (depth > MAX_DEPTH) return '*' in type ? {} : [];
    if ('*' in type)
      return Object.fromEntries(
        Array.from({ length: dice.roll(3) }, () => [text(dice, 'key'), typed(dice, key, type['*'], depth + 1)]),
      );
    return Array.from({ length: dice.isWrong ? dice.roll(40) : dice.chance(85) ? 1 : 2 }, () =>
      typed(dice, key, (type as readonly [FieldType])[0], depth + 1),
    );
  }
  if (type.startsWith('io.k8s.')) return depth > MAX_DEPTH ? {} : objectOf(dice, type, depth + 1);
  if (type.startsWith('string'))
    return type.includes('byte') ? (dice.isWrong ? 'x' : dice.pick(['YQ==', '', 'YWJj'])) : text(dice, key);
  if (type.startsWith('integer') || type.startsWith('number')) return dice.isWrong ? dice.pick(NUMBERS) : dice.roll(6);
  if (type.startsWith('boolean')) return dice.chance(50);
  return anything(dice, 1);
}

/** The value with one thing changed, somewhere. The input is not touched. */
export function mutated(dice: Dice, value: Json): Json {
  if (typeof value !== 'object' || value === null || dice.chance(3))
    return dice.chance(70) ? anything(dice) : [value, value];
  if (Array.isArray(value)) return mutatedList(dice, value);
  const fields: Fields = { ...value };
  const keys = Object.keys(fields);
  const key = keys.length ? dice.pick(keys) : 'a';
  switch (dice.roll(12)) {
    case 0:
      delete fields[key];
      break;
    case 1:
      fields[dice.pick(NASTY)] = fields[key];
      break;
    case 2:
      fields[key] = typeof fields[key] === 'string' ? text(dice, key) : anything(dice);
      break;
    case 3:
      fields[key] = null;
      break;
    default:
      fields[key] = mutated(dice, fields[key]);
  }
  return fields;
}

function mutatedList(dice: Dice, list: readonly Json[]): Json {
  const at = dice.roll(list.length);
  switch (dice.roll(8)) {
    case 0:
      return [];
    case 1:
      return [...list, ...list];
    case 2:
      return list.filter((_, i) => i !== at);
    case 3:
      return [...list, anything(dice)];
    default:
      return list.length ? list.map((item, i) => (i === at ? mutated(dice, item) : item)) : [anything(dice)];
  }
}

/** A path into the value, as JSON patch writes it; it may lead nowhere. */
export function pointer(dice: Dice, value: Json): string {
  let path = '';
  for (let at = value, i = 0; i < 6 && typeof at === 'object' && at !== null && dice.chance(80); i++) {
    const key = dice.pick(Object.keys(at));
    if (key === undefined) return `${path}/-`;
    path += `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    at = (at as Fields)[key];
  }
  return dice.chance(5) ? `${path}/${dice.pick(NASTY)}` : path;
}

/** Bytes with a few of them changed, cut, repeated. */
export function noisy(dice: Dice, bytes: Uint8Array): Uint8Array {
  const out = Uint8Array.from(bytes);
  for (let i = dice.roll(4); i >= 0 && out.length > 0; i--) out[dice.roll(out.length)] = dice.roll(256);
  return dice.chance(30) ? out.subarray(0, dice.roll(out.length)) : out;
}

export const nasty = (dice: Dice): string => dice.pick(NASTY);
export const expression = (dice: Dice): string => dice.pick(EXPRESSIONS);
export const pattern = (dice: Dice): string => dice.pick(PATTERNS);
