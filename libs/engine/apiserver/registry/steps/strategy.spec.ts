import { expect, test } from '@jest/globals';
import { deploymentConfiguration, DEPLOYMENTS, fieldsByManager, TestServer } from '../../testing.js';

const leaf = {};

test("an update of a Deployment's status keeps the labels, and nobody owns them", () => {
  const server = new TestServer();
  server.apply(`${DEPLOYMENTS}/web`, 'one', deploymentConfiguration({ replicas: 2 }));
  const { body } = server.apply(`${DEPLOYMENTS}/web/status`, 'two', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', labels: { a: 'b' } },
    status: { replicas: 1 },
  });
  expect(body.metadata.labels).toBeUndefined();
  expect(fieldsByManager(body)['two/Apply/status']).toEqual({ 'f:status': { 'f:replicas': leaf } });
});
