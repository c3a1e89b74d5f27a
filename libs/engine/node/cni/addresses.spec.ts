import { expect, test } from '@jest/globals';
import type { Node, Pod } from '../../api/core_v1.js';
import { Addresses, parseCidr, textOfRange } from './addresses.js';

const node = { metadata: { name: 'n' }, spec: { podCIDR: '10.244.1.0/29' } } as Node;
const pod = (podIP: string, phase = 'Running'): Pod =>
  ({ metadata: {}, spec: { nodeName: 'n' }, status: { podIP, phase } }) as Pod;
const ip = (last: number): string => `10.244.1.${last}`;

const given = (expected: string | undefined): object =>
  expected === undefined ? { usedUp: '10.244.1.1-10.244.1.6' } : { ip: expected };

function withPods(...pods: readonly Pod[]): Addresses {
  const addresses = new Addresses();
  for (const p of pods) addresses.onPod(undefined, p);
  return addresses;
}

test.each<[string, readonly Pod[], string | undefined]>([
  ['an empty node', [], ip(2)],
  ['after the last one', [pod(ip(2)), pod(ip(4))], ip(5)],
  ['a pod that has ended still shows its own', [pod(ip(2)), pod(ip(3), 'Succeeded')], ip(4)],
  ['from the beginning when the range is through', [pod(ip(2)), pod(ip(4)), pod(ip(6))], ip(3)],
  [
    'that of a pod that has ended when there is no other',
    [2, 3, 4, 5, 6].map((n) => pod(ip(n), n === 4 ? 'Failed' : 'Running')),
    ip(4),
  ],
  ['none when all are held', [2, 3, 4, 5, 6].map((n) => pod(ip(n))), undefined],
])('%s', (_what, pods, expected) => {
  expect(withPods(...pods).allocate(node)).toEqual(given(expected));
});

test('a deleted pod gives its address back', () => {
  const last = pod(ip(3));
  const addresses = withPods(pod(ip(2)), last);
  addresses.onPod(last, undefined);
  expect(addresses.allocate(node)).toEqual({ ip: ip(3) });
});

test.each([
  ['10.244.1.0/24', [((10 * 256 + 244) * 256 + 1) * 256, 256]],
  ['10.244.0.0/16', [(10 * 256 + 244) * 256 * 256, 65_536]],
  ['fd00::/64', undefined],
  ['10.244.1.0', undefined],
  [undefined, undefined],
])('the range %s', (text, expected) => {
  expect(parseCidr(text)).toEqual(expected);
});

test.each([
  ['a node without a range', { ...node, spec: {} }, undefined],
  ['a pod on the host’s network holds no address', node, ip(2)],
])('%s', (_case, of, expected) => {
  const onHost = { ...pod('10.244.1.2'), spec: { nodeName: 'n', hostNetwork: true } } as Pod;
  expect(withPods(onHost).allocate(of as Node)).toEqual(
    expected === undefined ? { usedUp: '<none>' } : { ip: expected },
  );
});

test.each<[string, readonly Pod[], object]>([
  ['from their beginning', [pod(ip(5))], { ip: '10.9.0.5' }],
  ['after the last one in use', [pod('10.9.0.5')], { ip: '10.9.0.6' }],
  ['not that of the gateway', [pod('10.9.0.5'), pod('10.9.0.6')], { ip: '10.9.0.8' }],
  ['until they are used up', ['5', '6', '8'].map((n) => pod(`10.9.0.${n}`)), { usedUp: '10.9.0.5-10.9.0.8' }],
])('the ranges of a configuration: %s', (_case, pods, expected) => {
  const range = { first: '10.9.0.5', last: '10.9.0.8', gateway: '10.9.0.7' };
  expect(withPods(...pods).allocate(node, [range])).toEqual(expected);
});

test.each([
  ['10.244.1.0/24', '10.244.1.1-10.244.1.254'],
  ['10.0.0.0/32', '<none>'],
  [undefined, '<none>'],
])('pods of %s may have %s', (cidr, expected) => expect(textOfRange(cidr)).toBe(expected));
