import { describe, expect, test } from '@jest/globals';
import { actionOfRest, allows, includes, SCOPES, type Action, type Scope } from './scope.js';

const ACTIONS: readonly Action[] = ['read', 'write', 'administer', 'operate'];

test.each<[Scope, Action[]]>([
  ['read', ['read']],
  ['use', ['read', 'write']],
  ['manage', ['read', 'write', 'administer']],
  ['operate', ['operate']],
])('the scope %s allows %j and nothing else', (scope, actions) => {
  expect(ACTIONS.filter((action) => allows(scope, action))).toEqual(actions);
});

test.each<[Scope, Scope[]]>([
  ['read', ['read']],
  ['use', ['read', 'use']],
  ['manage', ['read', 'use', 'manage']],
  ['operate', []],
])('%s may give away %j', (by, given) => expect(SCOPES.filter((scope) => includes(by, scope))).toEqual(given));

describe('the action of a REST request', () => {
  test.each<[string, string, Action]>([
    ['GET', '/v1/clusters', 'read'],
    ['HEAD', '/v1/clusters/c1', 'read'],
    ['GET', '/v1/usage', 'read'],
    ['POST', '/v1/clusters', 'write'],
    ['DELETE', '/v1/clusters/c1', 'write'],
    ['POST', '/v1/clusters/c1/tokens', 'write'],
    ['GET', '/v1/keys', 'administer'],
    ['POST', '/v1/users/u1/disable', 'administer'],
    ['GET', '/v1/operator/tenants', 'operate'],
    ['POST', '/v1/operator', 'operate'],
    ['POST', '/v1/operators', 'write'],
    ['POST', '/v1/keyset', 'write'],
  ])('%s %s: %s', (method, path, action) => expect(actionOfRest(method, path)).toBe(action));
});
