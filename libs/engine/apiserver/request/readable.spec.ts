import { beforeEach, expect, test } from '@jest/globals';
import { NodeRuntimes } from '../../kinds/index.js';
import type { EncryptionEpoch } from '../../kinds/terrarium/noderuntime/api-server-configuration.js';
import { TestServer } from '../testing.js';

const SECRETS = '/api/v1/namespaces/default/secrets';
const KEYS = [{ resources: ['secrets'], providers: [{ type: 'aescbc' as const, keys: [{ name: 'k', digest: 'd' }] }] }];
let server: TestServer;

beforeEach(() => {
  server = new TestServer();
  encrypt([{ from: 1, resources: KEYS }]);
  server.post(SECRETS, { metadata: { name: 's' } });
});

function encrypt(encryption: EncryptionEpoch[]): void {
  const { state } = server;
  const runtime = {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'NodeRuntime',
    metadata: { name: 'cp' },
    apiServer: { encryption },
  };
  state.put(state.resourceOf(NodeRuntimes), runtime, 'test', 0);
}

test('what was written by a key is read by it', () => expect(server.get(`${SECRETS}/s`).status).toBe(200));

test('what no key reads any more is an internal error, and others are not touched', () => {
  encrypt([
    { from: 1, resources: KEYS },
    { from: server.state.revision + 1, resources: [] },
  ]);
  expect(server.get(`${SECRETS}/s`)).toMatchObject({
    status: 500,
    body: { message: 'Internal error occurred: identity transformer tried to read encrypted data' },
  });
  expect(server.get(SECRETS).body.message).toContain('unable to transform key "/registry/secrets/default/s": identity');
  expect(server.get('/api/v1/namespaces/default/configmaps').status).toBe(200);
  expect(server.get('/api/v1/namespaces/kube-system/secrets').status).toBe(200);
});
