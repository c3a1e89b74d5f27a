import { describe, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, deployment, DEPLOYMENTS, TestServer } from '../testing.js';

describe('delete', () => {
  test('answers what is gone with a Status', () => {
    const server = new TestServer();
    const { body } = server.post(DEPLOYMENTS, deployment('web'));
    expect(server.call('DELETE', `${DEPLOYMENTS}/web`).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'web', group: 'apps', kind: 'deployments', uid: body.metadata.uid },
    });
    expect(server.get(`${DEPLOYMENTS}/web`).status).toBe(404);
  });
  test('answers for some kinds with the object that is gone', () => {
    const server = new TestServer();
    server.post('/api/v1/namespaces/default/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
    expect(server.call('DELETE', '/api/v1/namespaces/default/serviceaccounts/robot').body).toMatchObject({
      kind: 'ServiceAccount',
      metadata: { name: 'robot' },
    });
  });

  test('answers what stays for now with the object', () => {
    const server = new TestServer();
    server.post(DEPLOYMENTS, deployment('web'));
    const { body } = server.call('DELETE', `${DEPLOYMENTS}/web?propagationPolicy=Foreground`);
    expect(body.metadata).toMatchObject({
      deletionTimestamp: '2026-01-02T03:04:05Z',
      finalizers: ['foregroundDeletion'],
    });
  });
  test.each<[string, unknown, number, string | RegExp]>([
    ['', { preconditions: { uid: 'x' } }, 409, /the UID in the precondition \(x\) does not match the UID in record/],
    [
      '?propagationPolicy=',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      '',
      { gracePeriodSeconds: 'a' },
      400,
      'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    ],
    [
      '?propagationPolicy=Sideways',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      '',
      { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Orphan', orphanDependents: true },
      422,
      /orphanDependents and deletionPropagation cannot be both set/,
    ],
  ])('%s %j is refused', (query, body, code, message) => {
    const server = new TestServer();
    server.post(CONFIG_MAPS, configMap('a'));
    const answer = server.call('DELETE', `${CONFIG_MAPS}/a${query}`, body).body;
    expect(answer.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect(answer.code).toBe(code);
  });
  test('of a collection follows its selectors', () => {
    const server = new TestServer();
    for (const [name, app] of [
      ['a', 'web'],
      ['b', 'web'],
      ['c', 'db'],
    ] as const)
      server.post(CONFIG_MAPS, configMap(name, { app }));
    expect(server.call('DELETE', `${CONFIG_MAPS}?labelSelector=app%3Dweb&dryRun=All`).body.items).toHaveLength(2);
    expect(server.get(CONFIG_MAPS).body.items).toHaveLength(3);
    expect(server.call('DELETE', `${CONFIG_MAPS}?labelSelector=app%3Dweb`).body.kind).toBe('ConfigMapList');
    expect(server.get(CONFIG_MAPS).body.items.map((i: any) => i.metadata.name)).toEqual(['c']);
  });
});
