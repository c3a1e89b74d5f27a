import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { blocksOf, isCidr, type IPAMBlock } from './objects.js';

const block = (name: string, affinity: string, cidr: string): IPAMBlock => ({
  ...{ apiVersion: 'crd.projectcalico.org/v1', kind: 'IPAMBlock', metadata: { name } },
  spec: { affinity, cidr },
});

test('a node has the blocks that are affine to it', () => {
  const all = [
    block('a', 'host:worker-1', '10.244.1.0/26'),
    block('b', 'host:worker-2', '10.244.2.0/26'),
    block('c', 'host:worker-1', 'fd00::/122'),
  ];
  const read = { list: () => all } as unknown as Reader;
  expect(blocksOf(read, 'worker-1').map(({ metadata }) => metadata.name)).toEqual(['a']);
});

test.each([
  ['10.244.0.0/16', true],
  ['fd00::/64', false],
  ['10.244.0.0', false],
  [undefined, false],
])('%s is a range of IPv4: %s', (text, expected) => {
  expect(isCidr(text)).toBe(expected);
});
