import { expect, test } from '@jest/globals';
import { deployment, DEPLOYMENTS, TestServer } from '../../testing.js';

const withDeployment = (): TestServer => {
  const server = new TestServer();
  server.post(DEPLOYMENTS, deployment('web'));
  return server;
};

test('a patch of the status leaves the spec alone', () => {
  const { status, body } = withDeployment().patch(`${DEPLOYMENTS}/web/status`, {
    spec: { replicas: 9 },
    status: { replicas: 2 },
  });
  expect([status, body.spec.replicas, body.status.replicas]).toEqual([200, 1, 2]);
});

test('a dry run answers and stores nothing', () => {
  const server = withDeployment();
  expect(server.patch(`${DEPLOYMENTS}/web?dryRun=All`, { spec: { replicas: 9 } }).body.spec.replicas).toBe(9);
  expect(server.get(`${DEPLOYMENTS}/web`).body.spec.replicas).toBe(1);
});

test.each([
  ['an object that does not exist', 'none', {}, 404, 'deployments.apps "none" not found'],
  [
    'another namespace',
    'web',
    { metadata: { namespace: 'other' } },
    400,
    'the namespace of the provided object does not match the namespace sent on the request',
  ],
])('a patch of %s is refused', (_, name, patch, code, message) =>
  expect(withDeployment().patch(`${DEPLOYMENTS}/${name}`, patch).body).toMatchObject({ code, message }),
);
