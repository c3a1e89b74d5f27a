import {
  faultTypeNames,
  MODES,
  NAME_LISTS,
  readSpan,
  validateValues,
  type FaultType,
  type NameList,
  type Selection,
} from '../../../faults/index.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  tooMany,
  typeInvalid,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { parseTimestamp } from '../../../machinery/time/time.js';
import { unknownFields } from '../unknown-fields.js';
import type { FaultSpec } from './spec.js';

const FIELDS = ['type', 'target', 'start', 'duration', 'seed', 'parameters', 'ended'];
const SELECTION = ['nodes', 'nodeSelector', 'namespaces', 'podSelector', 'pods'] as const;
const OF_PODS: readonly string[] = ['namespaces', 'podSelector', 'pods'];
const MAX_NAMES = 100;
const MAX_NAME = 512;
const MAX_SEED = 2 ** 31;
const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

export function validateFault(
  spec: FaultSpec,
  type: FaultType | undefined,
  path: Path = Path.of('spec'),
): FieldError[] {
  if (!type) return [notSupported(path.child('type'), spec.type ?? '', faultTypeNames)];
  const { start, duration, seed, parameters = {}, ended } = spec;
  const errors = unknownFields(spec, FIELDS, path);
  if (start !== undefined && !isStart(start))
    errors.push(invalidValue(path.child('start'), start, 'must be a duration such as "30s", or a time as RFC 3339'));
  if (duration !== undefined && !(readSpan(duration)! > 0))
    errors.push(invalidValue(path.child('duration'), duration, 'must be a duration greater than 0, such as "5m"'));
  if (seed !== undefined && (!Number.isInteger(seed) || Math.abs(seed) > MAX_SEED))
    errors.push(invalidValue(path.child('seed'), seed, 'must be an integer of 32 bits'));
  if (ended !== undefined && typeof ended !== 'boolean')
    errors.push(invalidValue(path.child('ended'), ended, 'must be true or false'));
  if (!isMap(parameters)) errors.push(typeInvalid(path.child('parameters'), parameters, 'must be a map'));
  else errors.push(...validateValues(type.parameters ?? {}, parameters, path.child('parameters')));
  return [...errors, ...validateTarget(spec, type, path.child('target'))];
}

const isStart = (text: unknown): boolean =>
  typeof text === 'string' &&
  text.length <= 40 &&
  ((readSpan(text) ?? -1) >= 0 || (/^\d{4}-/.test(text) && !Number.isNaN(parseTimestamp(text))));

/** Once it has begun, a fault can only be ended sooner or later. */
export function validateFaultUpdate(spec: FaultSpec, old: FaultSpec): FieldError[] {
  const rest = ({ duration: _duration, ended: _ended, ...kept }: FaultSpec): unknown => kept;
  if (!deepEqual(rest(spec), rest(old)))
    return [forbiddenField(Path.of('spec'), 'of a fault only duration and ended change: make another one')];
  return old.ended && !spec.ended
    ? [forbiddenField(Path.of('spec', 'ended'), 'a fault that was ended does not begin again')]
    : [];
}

function validateKnown(names: unknown, { knows }: FaultType, list: NameList, path: Path): FieldError[] {
  const known = knows?.[list];
  if (!known || !Array.isArray(names)) return [];
  return names.flatMap((name: unknown, i) =>
    typeof name === 'string' && !known.isKnown(name) ? [notSupported(path.index(i), name, known.names)] : [],
  );
}

function validateTarget({ target = {} }: FaultSpec, type: FaultType, path: Path): FieldError[] {
  if (!isMap(target as unknown)) return [typeInvalid(path, target, 'must be a map')];
  const own = type.selects === 'nodes' ? ['nodes', 'nodeSelector'] : type.selects === 'pods' ? [...SELECTION] : [];
  const lists = type.lists ?? [];
  const peer = type.hasPeer ? ['to'] : [];
  const modes = own.length > 0 ? ['mode', 'value'] : [];
  const errors = unknownFields(target, [...own, ...modes, ...lists, ...peer], path);
  errors.push(...validateSelection(target, path), ...validateMode(target, path));
  for (const name of NAME_LISTS) errors.push(...validateNames(target[name], path.child(name)));
  for (const name of lists) errors.push(...validateKnown(target[name], type, name, path.child(name)));
  for (const name of type.needs ?? [])
    if (!target[name]?.length) errors.push(required(path.child(name), `${type.name} needs it`));
  if (own.length > 0 && !type.isOptional && !SELECTION.some((name) => target[name] !== undefined))
    errors.push(required(path, `one of ${own.join(', ')}`));
  const { to } = target;
  if (to !== undefined && !isMap(to as unknown)) errors.push(typeInvalid(path.child('to'), to, 'must be a map'));
  else if (to)
    errors.push(...unknownFields(to, SELECTION, path.child('to')), ...validateSelection(to, path.child('to')));
  return errors;
}

function validateSelection(selection: Selection, path: Path): FieldError[] {
  const errors = (['nodes', 'namespaces', 'pods'] as const).flatMap((name) =>
    validateNames(selection[name], path.child(name)),
  );
  const { nodeSelector, podSelector } = selection;
  if (nodeSelector !== undefined && !isTextMap(nodeSelector))
    errors.push(typeInvalid(path.child('nodeSelector'), nodeSelector, 'must be a map of strings'));
  if (podSelector !== undefined && !isSelector(podSelector))
    errors.push(typeInvalid(path.child('podSelector'), podSelector, 'must have matchLabels or matchExpressions'));
  const mixes = selection.nodeSelector !== undefined && OF_PODS.some((name) => Object.hasOwn(selection, name));
  if (mixes) errors.push(forbiddenField(path.child('nodeSelector'), 'pods are chosen by the names of nodes'));
  return errors;
}

function validateMode(
  { mode, value }: { readonly mode?: unknown; readonly value?: unknown },
  path: Path,
): FieldError[] {
  if (mode !== undefined && !MODES.some((one) => one === mode)) return [notSupported(path.child('mode'), mode, MODES)];
  const isNumbered = mode === 'fixed' || mode === 'percent';
  const most = mode === 'percent' ? 100 : 10_000;
  if (!isNumbered) return value === undefined ? [] : [forbiddenField(path.child('value'), 'only of fixed and percent')];
  return typeof value === 'number' && value > 0 && value <= most
    ? []
    : [invalidValue(path.child('value'), value, `must be greater than 0 and at most ${most}`)];
}

function validateNames(names: unknown, path: Path): FieldError[] {
  if (names === undefined) return [];
  const isList = Array.isArray(names) && names.every((one) => typeof one === 'string' && one.length <= MAX_NAME);
  if (!isList) return [typeInvalid(path, names, 'must be a list of names')];
  const { length } = names as string[];
  return length > MAX_NAMES ? [tooMany(path, length, MAX_NAMES)] : [];
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextMap = (value: unknown): boolean =>
  isMap(value) && Object.values(value).every((one) => typeof one === 'string');
const isExpression = (value: unknown): boolean =>
  isMap(value) && typeof value['key'] === 'string' && OPERATORS.includes(String(value['operator']));

function isSelector(value: unknown): boolean {
  if (!isMap(value)) return false;
  const { matchLabels = {}, matchExpressions = [], ...rest } = value;
  return (
    Object.keys(rest).length === 0 &&
    isTextMap(matchLabels) &&
    Array.isArray(matchExpressions) &&
    matchExpressions.length <= MAX_NAMES &&
    matchExpressions.every(isExpression)
  );
}
