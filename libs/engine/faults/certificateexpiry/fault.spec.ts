import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('a kubelet is not let in, and its node is given up', () => {
  const bed = new FaultBed();
  bed.at(5).fault('CertificateExpiry', { target: { nodes: ['worker-1'] }, duration: '2m' });
  expect(bed.at(70).ready('worker-1')).toBe('Unknown');
  expect(bed.ready('worker-2')).toBe('True');
  expect(bed.at(140).ready('worker-1')).toBe('True');
});

test('nobody trusts the API server', () => {
  const bed = new FaultBed();
  bed.fault('CertificateExpiry', { parameters: { of: 'apiserver' }, duration: '1m' });
  expect(bed.at(1).request('/api/v1/namespaces/default/pods').body).toContain(
    'x509: certificate has expired or is not yet valid',
  );
  expect(bed.at(62).request('/api/v1/namespaces/default/pods').status).toBe(200);
});

test('a kubelet that is not let in cannot ask who may read its logs', () => {
  const bed = new FaultBed();
  bed.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
  bed.at(5).fault('CertificateExpiry', { target: { nodes: ['worker-1'] }, duration: '2m' });
  const answer = bed.at(10).request('/api/v1/namespaces/default/pods/web/log');
  expect(answer.status).toBe(500);
  expect(answer.body).toContain(
    'Internal error occurred: Authorization error (user=kube-apiserver-kubelet-client, verb=get, resource=nodes, subresource=proxy)',
  );
});
