import { describe, expect, test } from '@jest/globals';
import { errorsOf, make, row, updateErrors } from '../../testing.js';
import { kind as IngressClasses } from './kind.js';

describe('an IngressClass', () => {
  test.each<[object, string[]]>([
    [{}, ['spec.controller: Required value']],
    [
      { controller: 'nginx' },
      ['spec.controller: Invalid value: "nginx": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      { controller: 'a.io/b', parameters: { kind: 'K', name: 'n', scope: 'Namespace' } },
      ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
    ],
    [
      { controller: 'a.io/b', parameters: { kind: 'K', name: 'n', namespace: 'x' } },
      ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
    ],
    [{ controller: 'k8s.io/ingress-nginx' }, []],
  ])('of %j', (spec, errors) => expect(errorsOf(IngressClasses, { spec })).toEqual(errors));

  test('cannot change its controller', () =>
    expect(
      updateErrors(IngressClasses, { spec: { controller: 'a.io/b' } }, { spec: { controller: 'a.io/c' } }),
    ).toEqual(['spec.controller: Invalid value: "a.io/c": field is immutable']));

  test('prints its parameters', () =>
    expect(
      row(
        IngressClasses,
        make(IngressClasses, {
          spec: { controller: 'a.io/b', parameters: { apiGroup: 'k.io', kind: 'Params', name: 'p' } },
        }),
      )['Parameters'],
    ).toBe('Params.k.io/p'));
});
