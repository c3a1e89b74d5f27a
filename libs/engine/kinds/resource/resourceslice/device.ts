/** Models validateDevice of pkg/apis/resource/validation. */
import type { Counter, Device, DeviceAttribute, DeviceTaint } from '../../../api/resource_v1.js';
import {
  forbiddenField,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '../../../machinery/meta/field.js';
import { quantityValue } from '../../../machinery/quantity/quantity.js';
import { invalidEach, isDNS1123Label, isLabelValue, isQualifiedName } from '../../../machinery/meta/validation.js';
import { validateEach, validateRequiredText } from '../../field-validation.js';
import { asInternal, type Struct } from '../../internal.js';
import { atMost, validateQualifiedName } from '../claims.js';
import { validateRequestPolicy } from './capacity.js';
import { validateList, validateUnique } from './bounded-list.js';
import { validateDeviceNodeSelection } from './node-selection.js';

const MAX_ENTRIES = 32;
const MAX_VALUES = 48;
const MAX_VALUE = 64;
const MAX_TAINTS = 16;
const MAX_CONSUMED = 2;
const MAX_COUNTERS = 32;
const MAX_CONDITIONS = 4;
const EFFECTS = ['NoExecute', 'NoSchedule', 'None'];
const NATIVE = /^(?:[^/]+|([^/]+\.)?kubernetes\.io\/.*)$/;
const NUMBER = '(0|[1-9]\\d*)';
const LABEL = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const BUILD = '[0-9a-zA-Z-]+';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${LABEL}(\\.${LABEL})*)?(\\+${BUILD}(\\.${BUILD})*)?$`);
const LISTS = ['bools', 'ints', 'strings', 'versions'] as const;
const ATTRIBUTE: Struct = {
  BoolValue: null,
  IntValue: null,
  StringValue: null,
  VersionValue: null,
  BoolValues: null,
  IntValues: null,
  StringValues: null,
  VersionValues: null,
};
const is = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

export function validateDevice(device: Device, perDevice: boolean, path: Path): FieldError[] {
  const { name = '', attributes = {}, capacity = {} } = device;
  const errors = invalidEach(path.child('name'), name, isDNS1123Label(name));
  const entries = Object.keys(attributes).length + Object.keys(capacity).length;
  if (entries > MAX_ENTRIES)
    errors.push(
      invalidValue(path, entries, `the total number of attributes and capacities must not exceed ${MAX_ENTRIES}`),
    );
  const values = Object.values(attributes).reduce((n, attribute) => n + countOf(attribute), 0);
  if (values > MAX_VALUES)
    errors.push(invalidValue(path, values, `the total number of attribute values must not exceed ${MAX_VALUES}`));
  return [
    ...errors,
    ...eachOf(attributes, path.child('attributes'), validateQualifiedName, validateAttribute),
    ...eachOf(capacity, path.child('capacity'), validateQualifiedName, ({ value, requestPolicy }, at) => {
      if (!requestPolicy) return [];
      const policy = at.child('requestPolicy');
      return device.allowMultipleAllocations
        ? validateRequestPolicy(value, requestPolicy, policy)
        : [forbiddenField(policy, 'allowMultipleAllocations must be true')];
    }),
    ...validateList(device.taints, MAX_TAINTS, path.child('taints'), validateTaint),
    ...validateConsumed(device, path.child('consumesCounters')),
    ...validateDeviceNodeSelection(device, perDevice, path),
    ...validateConditions(device, path),
    ...validateMappings(device, path.child('nodeAllocatableResourceMappings')),
  ];
}

function eachOf<T>(
  map: Readonly<Record<string, T>>,
  path: Path,
  checkKey: (key: string, path: Path) => FieldError[],
  check: (item: T, path: Path) => FieldError[],
): FieldError[] {
  return Object.entries(map).flatMap(([key, item]) => [...checkKey(key, path), ...check(item, path.key(key))]);
}

const countOf = (attribute: DeviceAttribute): number =>
  LISTS.reduce((n, field) => n + (attribute?.[field]?.length ?? 0), 0) || 1;

function validateAttribute(attribute: DeviceAttribute, path: Path): FieldError[] {
  const { bool, int, string, version } = attribute;
  const errors: FieldError[] = [];
  if (is(string)) errors.push(...validateText(string, path.child('string')));
  if (is(version)) errors.push(...validateVersion(version, path.child('version')));
  for (const field of LISTS) {
    const values = attribute[field];
    if (is(values) && values.length === 0)
      errors.push(invalidValue(path.child(field), values, 'must not be empty if specified'));
    if (field === 'strings') errors.push(...validateEach(attribute.strings, path.child(field), validateText));
    if (field === 'versions') errors.push(...validateEach(attribute.versions, path.child(field), validateVersion));
  }
  const given = [bool, int, string, version, ...LISTS.map((field) => attribute[field])].filter(is).length;
  if (given === 1) return errors;
  return [
    ...errors,
    invalidValue(path, given === 0 ? '' : internalAttribute(attribute), 'exactly one value must be specified'),
  ];
}

const internalAttribute = ({ bool, int, string, version, bools, ints, strings, versions }: DeviceAttribute): object =>
  asInternal(ATTRIBUTE, {
    boolValue: bool,
    intValue: int,
    stringValue: string,
    versionValue: version,
    boolValues: bools,
    intValues: ints,
    stringValues: strings,
    versionValues: versions,
  });

const validateText = (text: string, path: Path): FieldError[] =>
  text.length > MAX_VALUE ? [tooLong(path, MAX_VALUE)] : [];

const validateVersion = (version: string, path: Path): FieldError[] => [
  ...(VERSION.test(version)
    ? []
    : [invalidValue(path, version, 'must be a string compatible with semver.org spec 2.0.0')]),
  ...validateText(version, path),
];

export function validateTaint({ key = '', value, effect = '' }: DeviceTaint, path: Path): FieldError[] {
  const errors = invalidEach(path.child('key'), key, isQualifiedName(key));
  if (value) errors.push(...invalidEach(path.child('value'), value, isLabelValue(value)));
  if (!effect) errors.push(required(path.child('effect')));
  else if (!EFFECTS.includes(effect)) errors.push(notSupported(path.child('effect'), effect, EFFECTS));
  return errors;
}

function validateConsumed({ consumesCounters }: Device, path: Path): FieldError[] {
  const many = atMost(consumesCounters, MAX_CONSUMED, path);
  if (many.length > 0) return many;
  return [
    ...validateEach(consumesCounters, path, ({ counterSet, counters }, at) => [
      ...validateRequiredText(at.child('counterSet'), counterSet, isDNS1123Label),
      ...validateCounters(counters, at.child('counters')),
    ]),
    ...validateUnique(consumesCounters, path, ({ counterSet = '' }) => counterSet),
  ];
}

export function validateCounters(counters: Readonly<Record<string, Counter>> | undefined, path: Path): FieldError[] {
  const names = Object.keys(counters ?? {});
  if (names.length === 0) return [required(path)];
  const many = atMost(names, MAX_COUNTERS, path);
  return many.length > 0 ? many : names.flatMap((name) => invalidEach(path, name, isDNS1123Label(name)));
}

function validateConditions(device: Device, path: Path): FieldError[] {
  const { bindingConditions: bound = [], bindingFailureConditions: failed = [] } = device;
  const [at, failedAt] = [path.child('bindingConditions'), path.child('bindingFailureConditions')];
  const isName = (name: string, where: Path): FieldError[] => invalidEach(where, name, isQualifiedName(name));
  const errors = [
    ...validateList(bound, MAX_CONDITIONS, at, isName),
    ...validateList(failed, MAX_CONDITIONS, failedAt, isName),
    ...validateUnique(bound, at, String),
    ...validateUnique(failed, failedAt, String),
  ];
  errors.push(
    ...validateEach(failed, failedAt, (name, where) =>
      bound.includes(name)
        ? [invalidValue(where, name, 'bindingFailureConditions must not overlap with bindingConditions')]
        : [],
    ),
  );
  if (bound.length === 0 && failed.length > 0)
    errors.push(
      invalidValue(at, device.bindingConditions, 'bindingConditions are required to use bindingFailureConditions'),
    );
  if (failed.length === 0 && bound.length > 0)
    errors.push(
      invalidValue(
        failedAt,
        device.bindingFailureConditions,
        'bindingFailureConditions are required to use bindingConditions',
      ),
    );
  return errors;
}

function validateMappings({ nodeAllocatableResourceMappings = {}, capacity = {} }: Device, path: Path): FieldError[] {
  return Object.entries(nodeAllocatableResourceMappings).flatMap(
    ([resource, { allocationMultiplier: by, capacityKey: key }]) => {
      const at = path.key(resource);
      const errors = NATIVE.test(resource)
        ? []
        : [invalidValue(at, resource, 'must be a node allocatable resource name')];
      if (!is(by) && !is(key))
        return [...errors, invalidValue(at, '', 'at least one of allocationMultiplier or capacityKey must be set')];
      if (is(by) && quantityValue(by) <= 0)
        errors.push(invalidValue(at.child('allocationMultiplier'), by, 'must be positive'));
      if (key === '') errors.push(invalidValue(at.child('capacityKey'), '', 'capacityKey must not be an empty string'));
      else if (is(key) && !Object.hasOwn(capacity, key)) errors.push(notFoundValue(at.child('capacityKey'), key));
      return errors;
    },
  );
}
