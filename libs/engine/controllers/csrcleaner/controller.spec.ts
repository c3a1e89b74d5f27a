import { expect, test } from '@jest/globals';
import { CertificateBed } from '../../../testkit/beds/certificate-bed.js';
import { seconds } from '../../../testkit/beds/controller-bed.js';
import { controller as csrsigning } from '../csrsigning/controller.js';
import { controller } from './controller.js';

const HOUR = seconds(3600);

test.each<[string, (bed: CertificateBed) => unknown, number]>([
  ['nobody has decided on', () => undefined, 24],
  ['was denied', (bed) => bed.decide('Denied'), 1],
  ['has its certificate', (bed) => bed.decide('Approved'), 1],
])('a request that %s is gone in time', (_, act, hours) => {
  const bed = new CertificateBed([csrsigning, controller], 'p256');
  act(bed);
  expect(bed.settle(hours * HOUR).csr).toBeDefined();
  expect(bed.settle(seconds(1)).csr).toBeUndefined();
  expect(bed.errors).toEqual([]);
});

test.each([
  ['is approved and waits for its signer, for a day', 'p256', 'example.com/signer', 24],
  ["was refused by Kubernetes' signer, for an hour", 'p256', 'kubernetes.io/kubelet-serving', 1],
] as const)('a request stays that %s', (_, request, signerName, hours) => {
  const bed = new CertificateBed([csrsigning, controller], request, { signerName }).decide('Approved');
  expect(bed.settle(hours * HOUR).csr).toBeDefined();
  expect(bed.settle(seconds(1)).csr).toBeUndefined();
});

test('a request goes with its certificate, when that ends before the hour', () => {
  const bed = new CertificateBed([csrsigning, controller], 'p256', { expirationSeconds: 600 }).decide('Approved');
  expect(bed.settle(seconds(600)).csr).toBeDefined();
  expect(bed.settle(seconds(1)).csr).toBeUndefined();
});
