import { describe, expect, test } from '@jest/globals';
import { kinds } from '../../kinds/index.js';
import { defineKind, type Kind } from '../../machinery/kind.js';
import { Registry } from '../../runtime/registry.js';
import { compareVersions, servedGroups } from './served-groups.js';

const custom = (group: string, version: string, plural: string): Kind =>
  defineKind({ group, version, kind: plural, plural, singular: plural, scope: 'Cluster', definition: 'custom' });

describe('compareVersions', () => {
  test.each([
    [
      ['v1', 'v2'],
      ['v2', 'v1'],
    ],
    [
      ['v1alpha1', 'v1', 'v1beta1', 'v1beta2'],
      ['v1', 'v1beta2', 'v1beta1', 'v1alpha1'],
    ],
    [
      ['foo', 'v10', 'v2'],
      ['v10', 'v2', 'foo'],
    ],
    // The example of the documentation of CustomResourceDefinition's versions.
    [
      ['foo10', 'v11alpha2', 'v10', 'foo1', 'v3beta1', 'v12alpha1', 'v11beta2', 'v2', 'v10beta3', 'v1'],
      ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10'],
    ],
  ])('%j is ordered %j', (given, expected) => expect([...given].sort(compareVersions)).toEqual(expected));
});

describe('servedGroups', () => {
  const registry = new Registry([
    ...kinds,
    custom('z.example.com', 'v1', 'zebras'),
    custom('a.example.com', 'v1beta1', 'things'),
    custom('a.example.com', 'v1', 'things'),
    custom('a.example.com', 'v1', 'apples'),
  ]);
  const groups = servedGroups(registry);

  test('are in the order of their priorities, the custom ones by name', () => {
    const names = groups.map(({ group }) => group);
    expect(names.slice(0, 4)).toEqual(['', 'apiregistration.k8s.io', 'apps', 'events.k8s.io']);
    expect(names.slice(-3)).toEqual(['a.example.com', 'terrarium.dev', 'z.example.com']);
  });

  test('have the preferred version first, and their kinds by plural', () =>
    expect(
      groups
        .find(({ group }) => group === 'a.example.com')
        ?.versions.map(({ version, kinds }) => `${version}: ${kinds.map((kind) => kind.plural).join(' ')}`),
    ).toEqual(['v1: apples things', 'v1beta1: things']));

  test('have no internal kinds', () => {
    const internal = kinds.filter((kind) => kind.internal);
    expect(internal.length).toBeGreaterThan(0);
    const served = groups.flatMap(({ versions }) => versions.flatMap((v) => v.kinds));
    for (const kind of internal) expect(served).not.toContain(kind);
  });
});
