import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import type { Reader } from '../../machinery/client.js';
import { container, NOW, pod } from '../kubelet/testing.js';
import { isNodePort } from './node-ports.js';

const named = (name: string, hostNetwork: boolean, annotations?: Record<string, string>): Pod => {
  const made = pod({ containers: [container('c')], hostNetwork, nodeName: 'n' });
  return { ...made, metadata: { ...made.metadata, name, uid: name, ...(annotations ? { annotations } : {}) } };
};

const STATIC = { 'kubernetes.io/config.mirror': 'hash' };

test.each([
  ["the kubelet's", 10_250, undefined, true],
  ["the kubelet's health", 10_248, undefined, true],
  ['nobody has', 8_080, undefined, false],
  ['a static pod has', 6_443, named('api', true, STATIC), true],
  ['a static pod has in a network of its own', 6_443, named('api', false, STATIC), false],
  ['another pod has, which its container was told of', 6_443, named('other', true), false],
])('a port that is %s', (_what, port, other, expected) => {
  const own = named('own', true);
  const read = { byIndex: () => [own, ...(other ? [other] : [])], get: () => undefined } as unknown as Reader;
  const listenerOf = (_pod: Pod, at: number) => (at === 6_443 ? 'summary' : 'none');
  expect(isNodePort(own, port, NOW, { read, listenerOf })).toBe(expected);
});
