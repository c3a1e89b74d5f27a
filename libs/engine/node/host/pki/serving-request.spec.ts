import { expect, test } from '@jest/globals';
import type { CertificateSigningRequest } from '../../../api/certificates_v1.js';
import type { Reader } from '../../../machinery/reader.js';
import { nodeOfServingRequest, servingPair } from './serving-request.js';

test.each([
  ['kubernetes.io/kubelet-serving', 'system:node:worker-1', 'worker-1'],
  ['kubernetes.io/kubelet-serving', 'jane', undefined],
  ['kubernetes.io/kube-apiserver-client', 'system:node:worker-1', undefined],
])('%s of %s is of the node %s', (signerName, username, node) =>
  expect(nodeOfServingRequest({ spec: { signerName, username } } as CertificateSigningRequest)).toBe(node),
);

test.each([
  [undefined, undefined],
  [{ request: 'csr-a', run: '1', key: 'AQ==' }, undefined],
  [
    { request: 'csr-a', run: '1', key: `${'AQEB'.repeat(10)}AQE=`, certificate: 'CERTIFICATE\n' },
    /^CERTIFICATE\n-----BEGIN EC PRIVATE KEY-----\n/,
  ],
])('the file of %j', (serving, content) => {
  const pair = servingPair({ get: () => ({ serving }) } as unknown as Reader, 'n');
  if (content === undefined) expect(pair).toBeUndefined();
  else expect(pair).toMatch(content);
});
