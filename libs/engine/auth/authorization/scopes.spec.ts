import { describe, expect, test } from '@jest/globals';
import { makeAccess, type Access } from '../../machinery/requests/auth.js';
import { AuthState } from '../testing.js';
import { authorize, isSuperuser } from './authorizer.js';
import { authorizeByScopes, isScoped, SCOPES_KEY } from './scopes.js';

const state = new AuthState({ now: 0 });
state.addRole('reader', '', 'get,list core pods');
state.bind('read', 'shop', 'ClusterRole/reader', { kind: 'User', name: 'jane' });

const scoped = (name: string, groups: string[], scopes: string[]) => ({
  name,
  groups,
  extra: { [SCOPES_KEY]: scopes },
});
const reader = scoped('root', ['system:masters'], ['read']);
const pods = (verb: string, subresource = ''): Access => makeAccess(verb, { resource: 'pods', subresource });
const review = (resource: string, group: string): Access => makeAccess('create', { resource, group });
const DENIED = { allowed: false, reason: 'scopes [read] prevent this action' };

describe('a superuser whose scope is read', () => {
  test.each<[string, Access]>([
    ['gets', pods('get')],
    ['lists', pods('list')],
    ['watches', pods('watch')],
    ['reads logs', pods('get', 'log')],
    ['reads Secrets', makeAccess('get', { resource: 'secrets' })],
    ['reads a URL', makeAccess('get', { path: '/metrics' })],
    ['asks what it may do', review('selfsubjectaccessreviews', 'authorization.k8s.io')],
    ['asks for its rules', review('selfsubjectrulesreviews', 'authorization.k8s.io')],
    ['asks who it is', review('selfsubjectreviews', 'authentication.k8s.io')],
    ['traces a packet', review('traces', 'terrarium.dev')],
    ['asks for flows', review('flowqueries', 'terrarium.dev')],
  ])('%s', (_, access) => {
    expect(authorizeByScopes(reader, access)).toBeUndefined();
    expect(authorize(reader, access, state)).toEqual({ allowed: true });
  });

  test.each<[string, Access]>([
    ['create', pods('create')],
    ['update', pods('update')],
    ['patch', pods('patch')],
    ['delete', pods('delete')],
    ['delete a collection', pods('deletecollection')],
    ['evict', pods('create', 'eviction')],
    ['run a command by a WebSocket, whose method is GET', pods('get', 'exec')],
    ['run a command by SPDY', pods('create', 'exec')],
    ['attach', pods('get', 'attach')],
    ['forward a port', pods('get', 'portforward')],
    ['reach a server of the cluster', makeAccess('get', { resource: 'services', subresource: 'proxy' })],
    ['impersonate', makeAccess('impersonate', { resource: 'users', name: 'jane' })],
    ['make a token', makeAccess('create', { resource: 'serviceaccounts', subresource: 'token' })],
    ['review another user', review('subjectaccessreviews', 'authorization.k8s.io')],
    ['review a namesake of another group', review('selfsubjectaccessreviews', 'example.com')],
    ['write to a URL', makeAccess('post', { path: '/metrics' })],
    ['use an unknown method', makeAccess('', { path: '/metrics' })],
  ])('cannot %s', (_, access) => expect(authorize(reader, access, state)).toEqual(DENIED));
});

test('a scope gives nothing that the roles do not give', () => {
  const jane = scoped('jane', [], ['read']);
  const inShop = (verb: string): Access => makeAccess(verb, { resource: 'pods', namespace: 'shop' });
  expect(authorize(jane, inShop('get'), state).allowed).toBe(true);
  expect(authorize(jane, inShop('watch'), state)).toEqual({ allowed: false });
  expect(authorize(jane, inShop('create'), state)).toEqual(DENIED);
});

test('scopes that are not known allow nothing', () => {
  expect(authorize(scoped('root', ['system:masters'], []), pods('get'), state)).toEqual({
    allowed: false,
    reason: 'scopes [] prevent this action',
  });
});

test.each([
  [{ name: 'root', groups: ['system:masters'] }, false, true],
  [{ name: 'root', groups: ['system:masters'], extra: { other: ['read'] } }, false, true],
  [reader, true, false],
])('%j is scoped: %s, a superuser: %s', (user, isLimited, isSuper) => {
  expect([isScoped(user), isSuperuser(user)]).toEqual([isLimited, isSuper]);
});
