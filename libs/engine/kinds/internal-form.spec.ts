import { describe, expect, test } from '@jest/globals';
import { diffInternalForms, toInternalForm } from './internal-form.js';

describe('toInternalForm', () => {
  test.each<[string, unknown, unknown]>([
    ['s', undefined, ''],
    ['i', undefined, 0],
    ['b', undefined, false],
    ['Quantity', undefined, '0'],
    ['*s', undefined, null],
    ['*s', 'a', 'a'],
    ['[]s', undefined, null],
    ['{}s', { b: '2', a: '1' }, { a: '1', b: '2' }],
    ['Taint', { key: 'a', effect: 'NoSchedule' }, { Key: 'a', Value: '', Effect: 'NoSchedule', TimeAdded: null }],
    ['NodeSelector', {}, { NodeSelectorTerms: null }],
    ['LabelSelector', { matchLabels: { a: 'b' } }, { matchLabels: { a: 'b' } }],
    ['*SeccompProfile', { type: 'Unconfined' }, { Type: 'Unconfined', LocalhostProfile: null }],
  ])('%s of %j', (type, value, expected) => expect(toInternalForm(type, value)).toEqual(expected));

  test("the host's namespaces of a pod stand in its security context", () =>
    expect(toInternalForm('PodSpec', { hostNetwork: true })).toMatchObject({
      SecurityContext: { HostNetwork: true, HostPID: false, HostUsers: null },
    }));
  test('a pod without any has no security context', () =>
    expect(toInternalForm('PodSpec', {})).toMatchObject({ SecurityContext: null }));
});

test('a diff has the lines that differ, and escapes what HTML would read', () =>
  expect(
    diffInternalForms('Taint', { key: 'a', value: 'x' }, { key: 'a', value: '<y>' })
      .split('\n')
      .filter((line) => /^[-+]/.test(line)),
  ).toEqual(['- "Value": "x",', '+ "Value": "\\u003cy\\u003e",']));
