import { makeAccess } from '../../machinery/auth.js';
import { describe, expect, test } from '@jest/globals';
import type { PolicyRule, Subject } from '../../api/rbac_v1.js';
import type { User } from '../../machinery/client.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { State } from '../../runtime/state.js';
import { compactRules, ruleAllows, findUncoveredRules } from '../rbac/matching.js';
import { parseRules } from '../rbac/policy-text.js';
import { authorize, rulesFor } from './authorizer.js';

const rule = (text: string): PolicyRule => parseRules(text)[0]!;
const asked = (text: string) => {
  const [verb = '', group = '', path = '', name = ''] = text.split(' ');
  const [resource = '', subresource = ''] = path.split('/');
  return group.startsWith('/')
    ? makeAccess(verb, { path: group })
    : makeAccess(verb, { group: group === 'core' ? '' : group, resource, subresource, name });
};

describe('a rule', () => {
  test.each<[string, string, boolean]>([
    ['get core pods', 'get core pods web', true],
    ['get core pods', 'list core pods', false],
    ['get core pods', 'get apps pods', false],
    ['get core pods', 'get core pods/log web', false],
    ['get core pods/log', 'get core pods/log web', true],
    ['get core pods/log', 'get core pods', false],
    ['get * */scale', 'get apps deployments/scale web', true],
    ['get * */scale', 'get apps deployments', false],
    ['* * *', 'impersonate core users jane', true],
    ['* * *', 'get /metrics', false],
    ['get core configmaps first', 'get core configmaps first', true],
    ['get core configmaps first', 'get core configmaps second', false],
    ['list core configmaps first', 'list core configmaps', false],
    ['get /healthz', 'get /healthz', true],
    ['get /healthz', 'get /healthz/etcd', false],
    ['get /apis/*', 'get /apis/apps/v1', true],
    ['get /apis/*', 'get /apis', false],
    ['* *', 'post /anything', true],
  ])('%s: %s? %s', (text, question, allowed) => expect(ruleAllows(rule(text), asked(question))).toBe(allowed));
});

describe('holding', () => {
  test.each<[string, string, string[]]>([
    ['get,list core pods', 'get core pods', []],
    ['get core pods', 'get,list core pods', ['{APIGroups:[""], Resources:["pods"], Verbs:["list"]}']],
    ['* * *', 'get core secrets one', []],
    ['get core secrets one', 'get core secrets', ['{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}']],
    [
      'get core secrets one',
      'get core secrets one,two',
      ['{APIGroups:[""], Resources:["secrets"], ResourceNames:["two"], Verbs:["get"]}'],
    ],
    ['get * */scale', 'get apps deployments/scale', []],
    ['get core pods', 'get core pods/log', ['{APIGroups:[""], Resources:["pods/log"], Verbs:["get"]}']],
    ['get /api/*', 'get /api/v1,/metrics', ['{NonResourceURLs:["/metrics"], Verbs:["get"]}']],
    [
      'get core pods',
      'get,list,watch core,apps nodes',
      [
        '{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list" "watch"]}',
        '{APIGroups:["apps"], Resources:["nodes"], Verbs:["get" "list" "watch"]}',
      ],
    ],
  ])('%s, granting %s lacks %j', (owned, wanted, lacking) =>
    expect(compactRules(findUncoveredRules([rule(owned)], [rule(wanted)]))).toEqual(lacking),
  );
});

describe('who may', () => {
  const state = new State({ now: 0 });
  const put = (resource: string, name: string, namespace: string, fields: object): void => {
    state.put(
      `${resource}.rbac.authorization.k8s.io`,
      { apiVersion: '', kind: '', metadata: { name, ...(namespace ? { namespace } : {}) }, ...fields } as KubeObject,
      'test',
      0,
    );
  };
  const bind = (
    resource: string,
    name: string,
    namespace: string,
    kind: string,
    role: string,
    subject: Subject,
  ): void => put(resource, name, namespace, { roleRef: { kind, name: role }, subjects: [subject] });
  put('clusterroles', 'reader', '', { rules: parseRules('get,list core pods\nget /metrics') });
  put('roles', 'writer', 'shop', { rules: parseRules('create core pods') });
  bind('clusterrolebindings', 'all', '', 'ClusterRole', 'reader', { kind: 'Group', name: 'auditors' });
  bind('rolebindings', 'read', 'shop', 'ClusterRole', 'reader', { kind: 'User', name: 'jane' });
  bind('rolebindings', 'write', 'shop', 'Role', 'writer', { kind: 'ServiceAccount', name: 'bot' });
  bind('rolebindings', 'lost', 'shop', 'Role', 'nobody', { kind: 'User', name: 'bob' });
  const user = (name: string, ...groups: string[]): User => ({ name, groups });
  const pods = (verb: string, namespace: string) => makeAccess(verb, { resource: 'pods', namespace });

  test.each<[string, User, ReturnType<typeof makeAccess>, object]>([
    ['superusers may', user('root', 'system:masters'), pods('delete', 'shop'), { allowed: true }],
    [
      'a group, everywhere',
      user('x', 'auditors'),
      pods('list', ''),
      {
        allowed: true,
        reason: 'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to Group "auditors"',
      },
    ],
    [
      'a URL',
      user('x', 'auditors'),
      makeAccess('get', { path: '/metrics' }),
      {
        allowed: true,
        reason: 'RBAC: allowed by ClusterRoleBinding "all" of ClusterRole "reader" to Group "auditors"',
      },
    ],
    [
      'a cluster role in one namespace',
      user('jane'),
      pods('list', 'shop'),
      { allowed: true, reason: 'RBAC: allowed by RoleBinding "read/shop" of ClusterRole "reader" to User "jane"' },
    ],
    ['and not in another', user('jane'), pods('list', 'other'), { allowed: false }],
    ['nor everywhere', user('jane'), pods('list', ''), { allowed: false }],
    [
      'an account of the same namespace',
      user('system:serviceaccount:shop:bot'),
      pods('create', 'shop'),
      {
        allowed: true,
        reason: 'RBAC: allowed by RoleBinding "write/shop" of Role "writer" to ServiceAccount "bot/shop"',
      },
    ],
    ['and not its namesake', user('system:serviceaccount:other:bot'), pods('create', 'shop'), { allowed: false }],
    [
      'a role that is gone',
      user('bob'),
      pods('list', 'shop'),
      { allowed: false, reason: 'RBAC: role.rbac.authorization.k8s.io "nobody" not found' },
    ],
  ])('%s', (_, who, access, decision) => expect(authorize(who, access, state)).toEqual(decision));

  test('rules are told with what could not be found out', () =>
    expect(rulesFor(user('bob', 'auditors'), 'shop', state)).toEqual({
      resourceRules: [{ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] }],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "nobody" not found',
    }));
});

describe('a node', () => {
  const state = new State({ now: 0 });
  const pod = (name: string, nodeName: string, spec: object): KubeObject =>
    ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'shop' },
      spec: { nodeName, containers: [], ...spec },
    }) as unknown as KubeObject;
  state.put(
    'pods',
    pod('a', 'one', { serviceAccountName: 'bot', volumes: [{ name: 's', secret: { secretName: 'mine' } }] }),
    'test',
    0,
  );
  state.put('pods', pod('b', 'two', { volumes: [{ name: 's', secret: { secretName: 'other' } }] }), 'test', 0);
  const node: User = { name: 'system:node:one', groups: ['system:nodes'] };
  const unrelated = "no relationship found between node 'one' and this object";
  test.each<[string, Parameters<typeof makeAccess>, string | true]>([
    ['reads its pods', ['get', { resource: 'pods', namespace: 'shop', name: 'a' }], true],
    ['and not others', ['get', { resource: 'pods', namespace: 'shop', name: 'b' }], unrelated],
    ['lists its pods', ['list', { resource: 'pods', fieldSelector: 'spec.nodeName=one' }], true],
    ['and not all', ['list', { resource: 'pods' }], 'can only list/watch pods with spec.nodeName field selector'],
    ['reads secrets of its pods', ['get', { resource: 'secrets', namespace: 'shop', name: 'mine' }], true],
    ['and not of others', ['get', { resource: 'secrets', namespace: 'shop', name: 'other' }], unrelated],
    [
      'asks for tokens of its pods',
      ['create', { resource: 'serviceaccounts', subresource: 'token', namespace: 'shop', name: 'bot' }],
      true,
    ],
    ['reads itself', ['get', { resource: 'nodes', name: 'one' }], true],
    [
      'and not others',
      ['get', { resource: 'nodes', name: 'two' }],
      "node 'one' cannot read 'two', only its own Node object",
    ],
    ['keeps its own CSINode', ['patch', { group: 'storage.k8s.io', resource: 'csinodes', name: 'one' }], true],
    [
      'and not others',
      ['patch', { group: 'storage.k8s.io', resource: 'csinodes', name: 'two' }],
      'can only access CSINode with the same name as the requesting node',
    ],
    [
      'lists no CSINodes',
      ['list', { group: 'storage.k8s.io', resource: 'csinodes' }],
      'can only get, create, update, patch, or delete a CSINode',
    ],
    [
      'lists its slices',
      ['list', { group: 'resource.k8s.io', resource: 'resourceslices', fieldSelector: 'spec.nodeName=one' }],
      true,
    ],
    [
      'and not all',
      ['list', { group: 'resource.k8s.io', resource: 'resourceslices' }],
      'can only list/watch/deletecollection resourceslices with nodeName field selector',
    ],
    [
      'gets no attachment of others',
      ['get', { group: 'storage.k8s.io', resource: 'volumeattachments', name: 'x' }],
      unrelated,
    ],
    ['reads no object without a name', ['get', { resource: 'secrets', namespace: 'shop' }], 'No Object name found'],
    [
      'reads none of all namespaces',
      ['list', { resource: 'configmaps' }],
      'can only read namespaced object of this type',
    ],
    ['asks for nothing of nobody', ['get', { resource: 'constructor' }], ''],
    [
      'renews its lease',
      ['update', { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', name: 'one' }],
      true,
    ],
    [
      'and not others',
      ['update', { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', name: 'two' }],
      'can only access node lease with the same name as the requesting node',
    ],
  ])('%s', (_, access, expected) => {
    const { allowed, reason } = authorize(node, makeAccess(...access), state);
    expect(allowed || (reason ?? '')).toBe(expected);
  });
});
