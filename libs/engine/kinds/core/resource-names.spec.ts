import { describe, expect, test } from '@jest/globals';
import { Path, type FieldError } from '../../machinery/meta/field.js';
import {
  isExtendedResourceName,
  isNativeResource,
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
  validateResourceQuantityValue,
  validateResourceQuotaResourceName,
} from './resource-names.js';

const path = Path.of('a');
const messagesOf = (errors: readonly FieldError[], name: string): string[] =>
  errors.map((error) => error.message.replace(`a: Invalid value: ${JSON.stringify(name)}: `, ''));
const STANDARD = 'must be a standard resource type or fully qualified';
const CONTAINER = 'must be a standard resource for containers';
const EXTENDED = "doesn't follow extended resource name standard";
const QUOTA = 'must be a standard resource for quota';

test.each<[string, string[], string[], string[]]>([
  ['cpu', [], [], []],
  ['hugepages-2Mi', [], [], []],
  ['storage', [], [CONTAINER], [QUOTA]],
  ['limits.cpu', [], [CONTAINER], []],
  ['gpu', [STANDARD], [STANDARD, CONTAINER], [STANDARD, QUOTA]],
  ['example.com/gpu', [], [], []],
  ['requests.example.com/gpu', [], [EXTENDED], []],
  ['kubernetes.io/thing', [], [], []],
])('%s: any, of containers, in quotas', (name, any, containers, quotas) => {
  expect(messagesOf(validateResourceName(name, path), name)).toEqual(any);
  expect(messagesOf(validateContainerResourceName(name, path), name)).toEqual(containers);
  expect(messagesOf(validateResourceQuotaResourceName(name, path), name)).toEqual(quotas);
});

test.each([
  ['cpu', true, false, true],
  ['hugepages-2Mi', true, false, false],
  ['kubernetes.io/thing', true, false, true],
  ['example.com/gpu', false, true, false],
  ['requests.example.com/gpu', false, false, false],
])('%s: native %s, extended %s, may be promised twice %s', (name, native, extended, overcommit) =>
  expect([isNativeResource(name), isExtendedResourceName(name), isOvercommitAllowed(name)]).toEqual([
    native,
    extended,
    overcommit,
  ]),
);

describe('amounts', () => {
  test.each([
    ['cpu', '500m', []],
    ['cpu', '-1', ['must be greater than or equal to 0']],
    ['pods', '500m', ['must be an integer']],
    ['example.com/gpu', '1500m', ['must be an integer']],
    ['example.com/gpu', '2', []],
  ])('%s of %s', (name, amount, errors) =>
    expect(messagesOf(validateResourceQuantityValue(name, amount, path), amount)).toEqual(errors),
  );
});
