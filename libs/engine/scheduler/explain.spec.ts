import { expect, test } from '@jest/globals';
import { explainScheduling } from './explain.js';
import { makeNode, makePod, readerOf, requesting } from './testing.js';

const tainted = makeNode('a', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }], unschedulable: true } });

test('every plug-in says what it has against every node', () => {
  const full = makePod(requesting({ cpu: '3' }), {}, 'b');
  const report = explainScheduling(makePod(requesting({ cpu: '2' })), readerOf([tainted, makeNode('b'), full]));
  expect(report).toEqual({
    summary: '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.',
    nodes: [
      {
        node: 'a',
        verdicts: [
          'NodeUnschedulable: node(s) were unschedulable',
          'TaintToleration: node(s) had untolerated taint(s) (k:NoSchedule)',
        ],
      },
      { node: 'b', verdicts: ['NodeResourcesFit: Insufficient cpu (asks for 2 cpu, 1 of 4 are left)'] },
    ],
    left: 0,
  });
});

test('of a pod that fits there is no summary', () => {
  const report = explainScheduling(makePod(), readerOf([tainted, makeNode('b')]));
  expect([report.summary, report.nodes[1]]).toEqual(['', { node: 'b', verdicts: [] }]);
});

test('what no node can help is said once', () => {
  const claim = { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] };
  const { summary } = explainScheduling(makePod(claim), readerOf([makeNode('b')]));
  expect(summary).toBe('0/1 nodes are available: persistentvolumeclaim "data" not found.');
});

test('of many nodes some are told, and the others counted', () => {
  const nodes = Array.from({ length: 120 }, (_, i) => makeNode(`n-${i}`));
  const { nodes: told, left } = explainScheduling(makePod(requesting({ cpu: '9' })), readerOf(nodes));
  expect([told.length, left]).toEqual([100, 20]);
});
