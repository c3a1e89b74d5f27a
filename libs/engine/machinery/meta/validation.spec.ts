import { describe, expect, test } from '@jest/globals';
import { Path } from './field.js';
import {
  isConfigMapKey,
  isCIDR,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isEnvVarName,
  isIPv6,
  isIP,
  isLabelValue,
  isPortName,
  isPortNumber,
  isQualifiedName,
  validateLabels,
  validateLabelSelector,
} from './validation.js';

describe('names', () => {
  test.each([
    [isDNS1123Subdomain, 'a.b-c', []],
    [
      isDNS1123Subdomain,
      'My_First_Pod',
      [
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      ],
    ],
    [isDNS1123Label, 'a.b', ['must not contain dots']],
    [
      isDNS1123Label,
      'a.b!',
      [
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      ],
    ],
    [isDNS1123Label, 'a'.repeat(64), ['must be no more than 63 characters']],
    [isDNS1035Label, 'web', []],
    [isLabelValue, '', []],
    [isQualifiedName, 'example.com/name', []],
    [isQualifiedName, '/name', ['prefix part must be non-empty']],
    [isPortName, 'http', []],
    [isPortName, '80', ['must contain at least one letter (a-z)']],
    [isConfigMapKey, '..', ["must not be '..'"]],
    [isEnvVarName, 'my.var-1', []],
    [
      isEnvVarName,
      'A=B',
      ["a valid environment variable name must consist only of printable ASCII characters other than '='"],
    ],
    [isIP, '10.0.0.256', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
    [isCIDR, '10.0.0.0/24', []],
    [isCIDR, '10.0.0.0/33', ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']],
  ] as const)('%p %s', (rule, text, messages) => expect(rule(text)).toEqual(messages));

  test.each([
    ['::1', true],
    ['2001:db8::ffff', true],
    ['1:2:3:4:5:6:7:8', true],
    ['::ffff:10.0.0.1', true],
    [':::', false],
    ['1:2', false],
    ['10.0.0.1', false],
  ])('%s is IPv6: %s', (text, yes) => expect(isIPv6(text)).toBe(yes));

  test('a port lies between 1 and 65535', () => {
    expect(isPortNumber(80800)).toEqual(['must be between 1 and 65535, inclusive']);
    expect(isPortNumber(80)).toEqual([]);
  });
});

describe('labels and selectors', () => {
  test('name the path and the value', () => {
    expect(validateLabels({ 'a b': 'c' }, Path.of('metadata', 'labels'))[0]!.message).toMatch(
      /^metadata.labels: Invalid value: "a b": name part must consist of/,
    );
    expect(
      validateLabelSelector({ matchExpressions: [{ key: 'a', operator: 'In' }] }, Path.of('spec', 'selector')).map(
        (e) => e.message,
      ),
    ).toEqual([
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ]);
  });
});
