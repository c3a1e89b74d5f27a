import { expect, test } from '@jest/globals';
import { whoText } from './who.js';

test.each([
  ['system:node:worker-1', 'kubelet of worker-1'],
  ['system:serviceaccount:kube-system:deployment-controller', 'deployment-controller'],
  ['system:serviceaccount:shop:bot', 'system:serviceaccount:shop:bot'],
  ['system:kube-scheduler', 'kube-scheduler'],
  ['kubernetes-admin', 'kubernetes-admin'],
])('%s is %s', (actor, text) => expect(whoText(actor)).toBe(text));
