import { describe, expect, test } from '@jest/globals';
import { kind as Policies } from '../../kinds/admissionregistration/mutatingadmissionpolicy/kind.js';
import { kind as Hooks } from '../../kinds/admissionregistration/validatingwebhookconfiguration/kind.js';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { kind as Nodes } from '../../kinds/core/node/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import type { Kind } from '../../machinery/kind.js';
import { createRequest, objectOf, type RequestFields } from '../testing.js';
import { isExempt, matchesResources, matchVersion } from './match.js';

const DEFAULT = objectOf(Namespaces, { metadata: { name: 'default', labels: { env: 'dev' } } });
const CONFIGMAP = objectOf(ConfigMaps, { metadata: { name: 'c', labels: { app: 'c' } } });
const ANY = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };

test.each<[string, object | undefined, boolean]>([
  ['everything', undefined, true],
  ['another namespace', { namespaceSelector: { matchLabels: { env: 'prod' } } }, false],
  ['the same namespace', { namespaceSelector: { matchLabels: { env: 'dev' } } }, true],
  ['all namespaces', { namespaceSelector: {} }, true],
  ['other objects', { objectSelector: { matchLabels: { app: 'x' } } }, false],
  ['the same objects', { objectSelector: { matchLabels: { app: 'c' } } }, true],
  ['all names but one', { excludeResourceRules: [{ ...ANY, resourceNames: ['c'] }] }, false],
  ['all names but another', { excludeResourceRules: [{ ...ANY, resourceNames: ['d'] }] }, true],
  ['cluster-scoped objects', { resourceRules: [{ ...ANY, scope: 'Cluster' }] }, false],
  ['namespaced objects', { resourceRules: [{ ...ANY, scope: 'Namespaced' }] }, true],
  ['one of two rules', { resourceRules: [{ ...ANY, resources: ['pods'] }, ANY] }, true],
])('a match of %s', (_, match, matches) =>
  expect(matchesResources(match, createRequest(ConfigMaps, { object: CONFIGMAP }, [DEFAULT]))).toBe(matches),
);

describe('selectors', () => {
  const prod = objectOf(Namespaces, { metadata: { name: 'prod', labels: { env: 'prod' } } });
  const selector = { namespaceSelector: { matchLabels: { env: 'prod' } } };
  test('of namespaces match a Namespace by its own labels', () =>
    expect(matchesResources(selector, createRequest(Namespaces, { object: prod }))).toBe(true));
  test('of namespaces match every cluster-scoped object', () =>
    expect(matchesResources(selector, createRequest(Nodes, { object: objectOf(Nodes) }))).toBe(true));
  test('of objects match the old object, too', () =>
    expect(
      matchesResources(
        { objectSelector: { matchLabels: { app: 'c' } } },
        createRequest(ConfigMaps, { object: objectOf(ConfigMaps), old: CONFIGMAP }),
      ),
    ).toBe(true));
});

describe('a rule', () => {
  test.each<[string, object, RequestFields, boolean]>([
    ['of the operation', { operations: ['CREATE'] }, {}, true],
    ['of another operation', { operations: ['UPDATE', 'DELETE'] }, {}, false],
    ['of another group', { apiGroups: ['apps'] }, {}, false],
    ['of another version', { apiVersions: ['v2'] }, {}, false],
    ['of the resource', { resources: ['pods'] }, {}, true],
    ['of another resource', { resources: ['configmaps'] }, {}, false],
    ['of the resource, for a subresource', { resources: ['pods'] }, { subresource: 'status' }, false],
    ['of the subresource', { resources: ['pods/status'] }, { subresource: 'status' }, true],
    ['of all subresources', { resources: ['pods/*'] }, { subresource: 'status' }, true],
    ['of all subresources, for the resource', { resources: ['pods/*'] }, {}, true],
    ['of one subresource of all resources', { resources: ['*/status'] }, { subresource: 'status' }, true],
    ['of everything', { resources: ['*/*'] }, { subresource: 'status' }, true],
    ['of all resources, for a subresource', { resources: ['*'] }, { subresource: 'status' }, false],
  ])('%s', (_, rule, fields, matches) =>
    expect(
      matchVersion([{ ...ANY, ...rule }], 'Exact', createRequest(Pods, { object: objectOf(Pods), ...fields })),
    ).toBe(matches ? Pods : undefined),
  );
});

describe('a request in one of two versions', () => {
  const v2 = { ...ConfigMaps, version: 'v2' };
  const request = createRequest(ConfigMaps, { object: CONFIGMAP, versions: [ConfigMaps, v2] });
  test.each<[string, string | undefined, Kind | undefined]>([
    ['v1', 'Exact', ConfigMaps],
    ['v1', 'Equivalent', ConfigMaps],
    ['v2', 'Exact', undefined],
    ['v2', 'Equivalent', v2],
    ['v2', undefined, v2],
    ['v3', 'Equivalent', undefined],
  ])('matches a rule of %s with the policy %s', (version, policy, kind) =>
    expect(matchVersion([{ ...ANY, apiVersions: [version] }], policy, request)).toBe(kind),
  );
});

test.each<[string, Kind, boolean]>([
  ['policies', Policies, true],
  ['webhooks', Hooks, true],
  ['internal kinds', { ...ConfigMaps, internal: true }, true],
  ['other kinds', ConfigMaps, false],
])('%s are exempt: %s', (_, kind, exempt) => expect(isExempt(kind)).toBe(exempt));
