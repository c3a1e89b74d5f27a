import { expect, test } from '@jest/globals';
import { TestServer } from '../../apiserver/testing.js';

test('a claim gets the default storage class', () => {
  const server = new TestServer();
  server.post('/apis/storage.k8s.io/v1/storageclasses', {
    metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'x.y/z',
  });
  const claim = {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  expect(server.post('/api/v1/namespaces/default/persistentvolumeclaims', claim).body.spec.storageClassName).toBe(
    'fast',
  );
});
