import { expect, test } from '@jest/globals';
import type { Pod } from '../../../../engine/api/core_v1.js';
import { withFlags } from './manifests.js';

const podOf = (command: readonly string[]): Pod =>
  ({ metadata: { name: 'p' }, spec: { containers: [{ name: 'p', command: [...command] }] }, status: {} }) as Pod;

test.each<[readonly (readonly [string, string])[], readonly string[]]>([
  [[], ['p', '--b=1', '--d=2']],
  [[['c', '3']], ['p', '--b=1', '--c=3', '--d=2']],
  [[['d', '4']], ['p', '--b=1', '--d=4']],
])('flags %j of their own', (extra, expected) =>
  expect(withFlags(podOf(['p', '--b=1', '--d=2']), extra).spec.containers[0]!.command).toEqual(expected),
);
