import { describe, expect, test } from '@jest/globals';
import { Deployments, Namespaces, Pods, ReplicaSets, RoleBindings, Roles } from '../../engine/kinds/index.js';
import { ClusterBed } from '../beds/cluster-bed.js';
import { askTimeline, askWhy } from './ask.js';
import { podSpec, workload, WORLDS } from './worlds.js';

describe('why', () => {
  test.each(Object.entries(WORLDS))('%s', (_name, { build, ask, reason, says, also = [], from }) => {
    const bed = new ClusterBed('instant', 2);
    build(bed);
    const answer = askWhy(bed, ask);
    expect(answer.reason).toBe(reason);
    for (const part of says) expect(answer.message).toContain(part);
    const rest = JSON.stringify(answer.findings.map(({ message, details }) => [message, details]));
    for (const part of also) expect(rest).toContain(JSON.stringify(part).slice(1, -1));
    if (from !== undefined) expect(answer.chain[0]?.text).toContain(from);
    expect(bed.errors.filter((error) => !error.includes('exceeded quota'))).toEqual([]);
  });
});

test('the chain goes from the user’s write to a pod’s status', () => {
  const bed = new ClusterBed('instant', 2);
  bed.create(Deployments, 'web', workload(1));
  bed.at(20);
  const [set] = bed.client.list(ReplicaSets, 'default');
  const [one] = bed.client.list(Pods, 'default');
  const { chain } = askWhy(bed, { resource: 'pod', name: one!.metadata.name });
  expect(chain.slice(0, 3).map(({ text }) => text)).toEqual([
    'kubernetes-admin created deployment/default/web',
    `deployment-controller created replicaset/default/${set!.metadata.name}`,
    `replicaset-controller created pod/default/${one!.metadata.name}`,
  ]);
  expect(chain.at(-1)!.revision).toBe(Number(one!.metadata.resourceVersion));
  for (const [i, { cause }] of chain.entries()) if (cause) expect(cause).toBe(chain[i - 1]!.revision);
});

describe('a request', () => {
  const jane = { name: 'jane', groups: ['system:authenticated'] };
  const newBed = (): ClusterBed => {
    const bed = new ClusterBed('instant', 1);
    bed.create(Roles, 'reader', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] });
    bed.create(RoleBindings, 'reader', {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'jane' }],
    });
    return bed.at(2);
  };
  const request = { user: 'jane', verb: 'delete', resource: 'pods', namespace: 'default' };

  test('that a role does not grant', () => {
    const answer = askWhy(newBed(), { request });
    expect(answer.reason).toBe('Forbidden');
    expect(answer.message).toContain('{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}');
    expect(answer.findings[0]!.details).toEqual(['there is {APIGroups:[""], Resources:["pods"], Verbs:["get"]}']);
  });

  test('that a role grants', () => {
    const answer = askWhy(newBed(), { request: { ...request, verb: 'get' } });
    expect([answer.reason, answer.findings[0]!.details]).toEqual([
      'Allowed',
      ['RBAC: allowed by RoleBinding "reader/default" of Role "reader" to User "jane"'],
    ]);
  });

  test('that admission refuses, and which stores nothing', () => {
    const bed = newBed();
    const namespace = bed.get(Namespaces, 'default');
    const strict = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const { metadata } = namespace;
    bed.client.update(Namespaces, {
      ...namespace,
      metadata: { ...metadata, labels: { ...metadata.labels, ...strict } },
    });
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, ...podSpec({}) };
    const answer = askWhy(bed, { request: { verb: 'create', resource: 'pods', namespace: 'default', object } });
    expect(answer.reason).toBe('PodSecurity');
    expect(answer.message).toContain('violates PodSecurity "restricted:latest"');
    expect(bed.client.list(Pods, 'default')).toEqual([]);
  });

  test('that changes what cannot be changed', () => {
    const bed = newBed();
    bed.create(Deployments, 'web', workload(1));
    const found = bed.at(10).get(Deployments, 'web');
    const selector = { matchLabels: { app: 'other' } };
    const template = { ...found.spec.template, metadata: { labels: { app: 'other' } } };
    const object = { ...found, spec: { ...found.spec, selector, template } };
    const request = {
      verb: 'update',
      group: 'apps',
      resource: 'deployments',
      namespace: 'default',
      name: 'web',
      object,
    };
    const answer = askWhy(bed, { request });
    expect([answer.reason, answer.message]).toEqual(['Immutable', expect.stringContaining('field is immutable')]);
    expect(bed.get(Deployments, 'web').spec.selector).toEqual(found.spec.selector);
  });

  test('who may not impersonate asks for himself only, and for what he may get', () => {
    const bed = newBed();
    const rules = [{ apiGroups: ['terrarium.dev'], resources: ['whys'], verbs: ['create'] }];
    expect(() => askWhy(bed, { request: { verb: 'get', resource: 'pods' } }, jane)).toThrow(
      'cannot create resource "whys"',
    );
    bindCluster(bed, 'asker', rules, 'jane');
    expect(() => askWhy(bed, { request: { ...request, user: 'ann' } }, jane)).toThrow('needs the verb impersonate');
    expect(askWhy(bed, { request: { verb: 'get', resource: 'pods', namespace: 'default' } }, jane).reason).toBe(
      'Allowed',
    );
    expect(() => askWhy(bed, { resource: 'secrets', name: 'a' }, jane)).toThrow('you may not get secrets "a"');
  });
});

describe('the timeline', () => {
  const bed = new ClusterBed('instant', 2);
  bed.create(Deployments, 'web', workload(1));
  bed.at(20);

  test.each<[object, string]>([
    [{ ofUsers: true }, 'kubernetes-admin created deployment/default/web'],
    [{ actor: 'deployment-controller', verbs: ['create'], resource: 'rs' }, 'deployment-controller created replicaset'],
    [{ resource: 'deployments', name: 'web', verbs: ['create'] }, 'kubernetes-admin created deployment/default/web'],
  ])('%j', (spec, text) => {
    const { entries } = askTimeline(bed, spec);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.at(-1)!.text).toContain(text);
  });

  test('comes in pages, without gap or repetition', () => {
    const whole = askTimeline(bed, { limit: 500 }).entries.map(({ revision }) => revision);
    const pages: number[] = [];
    let before: number | undefined;
    do {
      const page = askTimeline(bed, { limit: 7, ...(before === undefined ? {} : { before }) });
      pages.push(...page.entries.map(({ revision }) => revision));
      before = page.before;
    } while (before !== undefined);
    expect(pages).toEqual(whole);
    expect(whole.length).toBeGreaterThan(10);
  });

  test('ends at times and revisions', () => {
    const { entries } = askTimeline(bed, { limit: 500 });
    const middle = entries[10]!;
    const later = askTimeline(bed, { after: middle.revision, limit: 500 }).entries;
    expect(later.map(({ revision }) => revision)).toEqual(entries.slice(0, 10).map(({ revision }) => revision));
    const until = askTimeline(bed, { before: middle.revision, limit: 1 }).entries;
    expect(until[0]!.revision).toBe(middle.revision - 1);
    expect(askTimeline(bed, { since: '2030-01-01T00:00:00Z' })).toEqual({ entries: [], ends: '' });
  });
});

function bindCluster(bed: ClusterBed, name: string, rules: object[], user: string): void {
  const kinds = bed.cluster.registry;
  const group = 'rbac.authorization.k8s.io';
  const [role, binding] = ['clusterroles', 'clusterrolebindings'].map((plural) => kinds.resource(group, 'v1', plural)!);
  bed.create(role!, name, { rules });
  bed.create(binding!, name, {
    roleRef: { apiGroup: group, kind: 'ClusterRole', name },
    subjects: [{ apiGroup: group, kind: 'User', name: user }],
  });
}
