import { expect, test } from '@jest/globals';
import { podName, shorten } from './format.js';

test.each([
  ['web-759b96d498-6z2ng', 'web-…6z2ng'],
  ['kindnet-mr6fc', 'kind…mr6fc'],
  ['client', 'client'],
])('of ten characters %s is %s', (name, short) => expect(shorten(name, 100, 10)).toBe(short));

test.each([
  ['etcd-control-plane', 'control-plane', 'etcd'],
  ['web-1', 'worker-1', 'web-1'],
  ['waits', undefined, 'waits'],
])('%s on %s', (name, node, expected) => expect(podName({ name, is: node ? { node } : {} })).toBe(expected));
