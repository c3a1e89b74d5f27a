import { expect, test } from '@jest/globals';
import { componentUser } from './component-users.js';

test.each([
  ['system:kube-scheduler', ['system:authenticated']],
  ['system:node:worker-1', ['system:nodes', 'system:authenticated']],
  [
    'system:serviceaccount:kube-system:job-controller',
    ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
  ],
])('%s is in %j', (name, groups) => expect(componentUser(name)).toEqual({ name, groups }));
