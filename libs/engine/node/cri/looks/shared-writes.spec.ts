import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { FileTree } from '../../../kernel/files/tree.js';
import type { Machine } from '../../../kernel/machine.js';
import type { MachineRecord } from '../records/machine-record.js';
import { hasSharedChanges, leavesTraces, nextKeep } from './shared-writes.js';

const AT = 1_000_000;

test.each([
  [0, -Infinity],
  [7, -Infinity],
  [8, AT + 1_000],
  [10, AT + 4_000],
  [17, AT + 512_000],
  [18, AT + 600_000],
  [5_000, AT + 600_000],
])('after %d writes in a row the next is written down from %d on', (kept, expected) => {
  expect(nextKeep({ at: AT, kept } as MachineRecord)).toBe(expected);
});

test('what was never written down is at once', () => {
  expect(nextKeep(undefined)).toBe(-Infinity);
});

test.each([
  ['node/worker-1', true],
  ['volume/pv/u', true],
  ['pod/u/v', false],
  ['container/u/c', false],
])('a change of %s outlives its pod: %s', (id, expected) => {
  const tree = new FileTree(id);
  const machine = { state: { trees: new Map([[id, tree]]) } } as unknown as Machine;
  expect(hasSharedChanges(machine)).toBe(false);
  tree.create(tree.root, 'x', { type: 'file', mode: 0o644, user: 0, group: 0, modified: 0, content: '' }, 0);
  expect(hasSharedChanges(machine)).toBe(expected);
});

const privileged = { name: 'c', securityContext: { privileged: true } };
test.each<[object, boolean]>([
  [{}, false],
  [{ volumes: [{ name: 'v', emptyDir: {} }] }, false],
  [{ volumes: [{ name: 'v', hostPath: { path: '/' } }] }, true],
  [{ volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }, true],
  [{ hostPID: true }, false],
  [{ hostPID: true, containers: [privileged] }, true],
  [{ containers: [privileged] }, false],
])('a pod of %j leaves traces: %s', (spec, expected) =>
  expect(leavesTraces({ spec: { containers: [{ name: 'c' }], ...spec } } as unknown as Pod)).toBe(expected),
);
