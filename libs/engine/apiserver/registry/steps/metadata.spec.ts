import { expect, test } from '@jest/globals';
import { deploymentConfiguration, DEPLOYMENTS, TestServer } from '../../testing.js';

test("an update of a Deployment's annotations begins a generation", () => {
  const server = new TestServer();
  server.apply(`${DEPLOYMENTS}/web`, 'one', deploymentConfiguration({ replicas: 2 }));
  expect(server.patch(`${DEPLOYMENTS}/web`, { metadata: { annotations: { a: 'b' } } }).body.metadata.generation).toBe(
    2,
  );
  expect(server.patch(`${DEPLOYMENTS}/web`, { metadata: { labels: { a: 'b' } } }).body.metadata.generation).toBe(2);
});
