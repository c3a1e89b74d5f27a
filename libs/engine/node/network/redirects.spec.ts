import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { redirectsOf } from './redirects.js';

const ARGS = ['istio-iptables', '-p', '15001', '-z', '15006', '-u', '1337', '-m', 'REDIRECT', '-i', '*', '-x', ''];
const podOf = (args: readonly string[], more: object = {}): Pod =>
  ({ metadata: {}, spec: { initContainers: [{ name: 'istio-init', args }], ...more }, status: {} }) as never;
const of = (...more: string[]) => redirectsOf(podOf([...ARGS, '-b', '*', '-d', '15090,15021,15020', ...more]));

test('pods without the init container, and those of the node, lead nothing elsewhere', () => {
  expect(redirectsOf(podOf(['sh']))).toBeUndefined();
  expect(redirectsOf({ spec: { containers: [] } } as never)).toBeUndefined();
  expect(redirectsOf(podOf(ARGS, { hostNetwork: true }))).toBeUndefined();
});

describe('what leaves', () => {
  test.each<[string, string[], string, number, number, number | undefined]>([
    ['a program', [], '10.96.0.9', 80, 0, 15_001],
    ['the proxy', [], '10.96.0.9', 80, 1_337, undefined],
    ['a port that is excluded', ['-o', '5432,80'], '10.96.0.9', 80, 0, undefined],
    ['a range that is excluded', ['-x', '10.96.0.0/16'], '10.96.0.9', 80, 0, undefined],
    ['a range that is included', ['-i', '10.96.0.0/16'], '10.96.0.9', 80, 0, 15_001],
    ['another one', ['-i', '10.96.0.0/16'], '10.97.0.9', 80, 0, undefined],
    ['a port of another name', ['--envoy-port=15101'], '10.96.0.9', 80, 0, 15_101],
  ])('%s', (_case, more, address, port, user, expected) => {
    expect(of(...more)!.outbound(address, port, user)).toBe(expected);
  });
});

describe('what comes in', () => {
  test.each<[number, string[], number | undefined]>([
    [9_080, [], 15_006],
    [15_021, [], undefined],
    [22, [], undefined],
    [9_080, ['-b', '80,443'], undefined],
    [443, ['-b', '80,443'], 15_006],
    [9_080, ['-b', ''], undefined],
  ])('to %d with %j', (port, more, expected) => expect(of(...more)!.inbound(port)).toBe(expected));
});
