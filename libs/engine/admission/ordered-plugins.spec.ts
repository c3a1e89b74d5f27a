import { describe, expect, test } from '@jest/globals';
import { AssertionError } from '../machinery/assert.js';
import type { AdmissionPlugin } from '../runtime/admission.js';
import { admissionPlugins } from './index.generated.js';
import { ALL_ORDERED_PLUGINS, orderedPlugins, orderPlugins } from './ordered-plugins.js';

const plugin = (name: string): AdmissionPlugin => ({ name });
const names = (plugins: readonly AdmissionPlugin[]): string[] => plugins.map(({ name }) => name);

test('every folder of plug-ins runs, in the order of the list', () => {
  expect(names(orderedPlugins)).toEqual(ALL_ORDERED_PLUGINS);
  expect(new Set(orderedPlugins)).toEqual(new Set(admissionPlugins));
});

test.each([
  ['the namespace is known to exist before anything is filled in', 'NamespaceLifecycle', 'LimitRanger'],
  ['webhooks see what the built-in plug-ins have filled in', 'DefaultIngressClass', 'MutatingAdmissionWebhook'],
  ['mutating policies run before mutating webhooks', 'MutatingAdmissionPolicy', 'MutatingAdmissionWebhook'],
  ['quota counts what nothing else refuses', 'ValidatingAdmissionWebhook', 'ResourceQuota'],
])('%s', (_, first, second) =>
  expect(ALL_ORDERED_PLUGINS.indexOf(first)).toBeLessThan(ALL_ORDERED_PLUGINS.indexOf(second)),
);

describe('orderPlugins', () => {
  test('follows the list, not the folders', () =>
    expect(names(orderPlugins([plugin('A'), plugin('B')], ['B', 'A']))).toEqual(['B', 'A']));

  test.each<[string, string[], string[], string]>([
    ['a folder that is not listed', ['A', 'B'], ['A'], 'admission plug-in B is missing in ALL_ORDERED_PLUGINS'],
    ['a listed name without a folder', ['A'], ['A', 'B'], 'ALL_ORDERED_PLUGINS names B, which 0 plug-ins have'],
    ['two folders of one name', ['A', 'A'], ['A'], 'ALL_ORDERED_PLUGINS names A, which 2 plug-ins have'],
    ['a name listed twice', ['A'], ['A', 'A'], 'ALL_ORDERED_PLUGINS names a plug-in twice'],
  ])('refuses %s', (_, given, listed, message) => {
    const order = (): unknown => orderPlugins(given.map(plugin), listed);
    expect(order).toThrow(AssertionError);
    expect(order).toThrow(message);
  });
});
