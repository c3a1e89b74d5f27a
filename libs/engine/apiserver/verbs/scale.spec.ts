import { describe, expect, test } from '@jest/globals';
import { deployment, DEPLOYMENTS, TestServer } from '../testing.js';

describe('scale', () => {
  test.each<[string, (s: TestServer) => { status: number; body: any }, number, object]>([
    [
      'put',
      (s) =>
        s.call('PUT', `${DEPLOYMENTS}/web/scale`, {
          metadata: { name: 'web', namespace: 'default' },
          spec: { replicas: 5 },
        }),
      200,
      { kind: 'Scale', spec: { replicas: 5 } },
    ],
    ['patch', (s) => s.patch(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: 6 } }), 200, { spec: { replicas: 6 } }],
    [
      'below zero',
      (s) => s.patch(`${DEPLOYMENTS}/web/scale`, { spec: { replicas: -1 } }),
      422,
      {
        message:
          'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
      },
    ],
  ])('%s', (_, act, status, body) => {
    const server = new TestServer();
    server.post(DEPLOYMENTS, deployment('web'));
    const answer = act(server);
    expect(answer.body).toMatchObject(body);
    expect(answer.status).toBe(status);
    if (status === 200)
      expect(server.object('deployments', { namespace: 'default', name: 'web' })).toMatchObject({
        spec: { replicas: answer.body.spec.replicas },
        metadata: { generation: 2 },
      });
  });
});

test('shows the scale of a deployment', () => {
  const server = new TestServer();
  server.post(DEPLOYMENTS, deployment('web', 3));
  expect(server.get(`${DEPLOYMENTS}/web/scale`).body).toMatchObject({
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 3 },
    status: { replicas: 0, selector: 'app=web' },
  });
});

test('a table of it has its own columns', () => {
  const server = new TestServer();
  server.post(DEPLOYMENTS, deployment('web', 3));
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const { body } = server.call('GET', `${DEPLOYMENTS}/web/scale`, undefined, { accept });
  const { columnDefinitions, rows } = body as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
  expect(columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Desired', 'Available', 'Age']);
  expect(rows.map(({ cells }) => cells.slice(0, 3))).toEqual([['web', 3, 0]]);
});
