import { describe, expect, test } from '@jest/globals';
import { configMap, TestServer } from '../../apiserver/testing.js';

describe('NamespaceLifecycle', () => {
  test('nothing is made in a namespace that goes', () => {
    const server = new TestServer();
    server.post('/api/v1/namespaces', { metadata: { name: 'going' } });
    expect(server.call('DELETE', '/api/v1/namespaces/going').body.status.phase).toBe('Terminating');
    const { body } = server.post('/api/v1/namespaces/going/configmaps', configMap('x'));
    expect(body).toMatchObject({
      code: 403,
      message:
        'configmaps "x" is forbidden: unable to create new content in namespace going because it is being terminated',
      details: {
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: 'namespace going is being terminated',
            field: 'metadata.namespace',
          },
        ],
      },
    });
  });
  test.each(['default', 'kube-system'])('%s stays', (name) => {
    expect(new TestServer().call('DELETE', `/api/v1/namespaces/${name}`).body.message).toBe(
      `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    );
  });
});
