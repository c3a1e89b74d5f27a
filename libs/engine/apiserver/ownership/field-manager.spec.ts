import { expect, test } from '@jest/globals';
import { managerOfComponent, managerOrUserAgent } from './field-manager.js';

test.each([
  ['system:apiserver', 'kube-apiserver'],
  ['system:kube-scheduler', 'kube-scheduler'],
  ['system:node:worker-1', 'kubelet'],
  ['system:serviceaccount:kube-system:job-controller', 'kube-controller-manager'],
  ['constructor', 'kube-controller-manager'],
])('%s writes as %s', (user, manager) => expect(managerOfComponent(user)).toBe(manager));

test.each([
  ['mine', 'kubectl/v1.36.0', 'mine'],
  ['', 'kubectl/v1.36.0 (linux/amd64) kubernetes/abc', 'kubectl'],
  ['', 'no slash', 'no slash'],
  ['', 'tab\there/1', 'tabhere'],
  ['', `${'x'.repeat(129)}/1`, 'x'.repeat(128)],
  ['', undefined, ''],
])('fieldManager %j of the user agent %j is %j', (fieldManager, userAgent, manager) =>
  expect(managerOrUserAgent(fieldManager, userAgent)).toBe(manager),
);
