import { describe, expect, test } from '@jest/globals';
import type { Pod, TopologySpreadConstraint } from '../../api/core_v1.js';
import { filterNodes, makeNode, makePod, scoreNodes, snapshotOf, zone } from '../testing.js';
import { podTopologySpread, podTopologySpreadScore } from './pod-topology-spread.js';

const NODES = [
  makeNode('a', { labels: zone('x') }),
  makeNode('b', { labels: zone('x') }),
  makeNode('c', { labels: zone('y') }),
];
const spread = (fields: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'web' } },
  ...fields,
});
const web = (nodeName: string, labels: Record<string, string> = {}): Pod =>
  makePod({}, { app: 'web', ...labels }, nodeName);
const UNEVEN = "node(s) didn't match pod topology spread constraints";
const MISSING = `!${UNEVEN} (missing required label)`;

describe('the filter', () => {
  const leaving = { ...web('a'), metadata: { ...web('a').metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const elsewhere = { ...web('a'), metadata: { ...web('a').metadata, namespace: 'other' } };
  test.each<[string, TopologySpreadConstraint[], Pod[], unknown]>([
    ['skips a pod without constraints', [], [], 'Skip'],
    ['skips a pod with soft constraints', [spread({ whenUnsatisfiable: 'ScheduleAnyway' })], [web('a')], 'Skip'],
    ['closes the fuller zone', [spread()], [web('a')], { a: UNEVEN, b: UNEVEN }],
    ['allows the skew', [spread({ maxSkew: 2 })], [web('a')], {}],
    ['opens a zone again when the other has as many', [spread()], [web('a'), web('c')], {}],
    ['spreads over nodes, too', [spread({ topologyKey: 'kubernetes.io/hostname' })], [web('a')], { a: UNEVEN }],
    ['holds all constraints', [spread(), spread({ topologyKey: 'kubernetes.io/hostname' })], [web('c')], { c: UNEVEN }],
    ['counts no other pods', [spread()], [makePod({}, { app: 'db' }, 'a')], {}],
    ['counts no pods that leave', [spread()], [leaving], {}],
    ['counts no other namespaces', [spread()], [elsewhere], {}],
    ['needs the label', [spread({ topologyKey: 'rack' })], [], { a: MISSING, b: MISSING, c: MISSING }],
    [
      'counts missing domains as empty',
      [spread({ minDomains: 3 })],
      [web('a'), web('c')],
      { a: UNEVEN, b: UNEVEN, c: UNEVEN },
    ],
  ])('%s', (_, topologySpreadConstraints, pods, expected) =>
    expect(
      filterNodes(podTopologySpread, makePod({ topologySpreadConstraints }, { app: 'web' }), snapshotOf(NODES, pods)),
    ).toEqual(expected),
  );

  test('counts the pods with the same labels of some keys', () => {
    const topologySpreadConstraints = [spread({ matchLabelKeys: ['version'] })];
    const pod = makePod({ topologySpreadConstraints }, { app: 'web', version: '2' });
    const filter = (version: string): unknown =>
      filterNodes(podTopologySpread, pod, snapshotOf(NODES, [web('a', { version })]));
    expect([filter('1'), filter('2')]).toEqual([{}, { a: UNEVEN, b: UNEVEN }]);
  });

  test.each<[string, Partial<TopologySpreadConstraint>, unknown]>([
    ['by default nodes that the pod selects', {}, {}],
    ['all nodes', { nodeAffinityPolicy: 'Ignore' }, { a: UNEVEN, b: UNEVEN }],
  ])('counts %s', (_, fields, expected) => {
    const pod = makePod({ topologySpreadConstraints: [spread(fields)], nodeSelector: zone('x') }, { app: 'web' });
    expect(filterNodes(podTopologySpread, pod, snapshotOf(NODES, [web('a')]))).toEqual(expected);
  });

  test.each<[string, Partial<TopologySpreadConstraint>, unknown]>([
    ['counts tainted nodes by default', {}, { a: UNEVEN, b: UNEVEN }],
    ['counts no tainted nodes', { nodeTaintsPolicy: 'Honor' }, {}],
  ])('%s', (_, fields, expected) => {
    const tainted = makeNode('c', { labels: zone('y'), spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } });
    const pod = makePod({ topologySpreadConstraints: [spread(fields)] }, { app: 'web' });
    expect(filterNodes(podTopologySpread, pod, snapshotOf([...NODES.slice(0, 2), tainted], [web('a')]))).toEqual(
      expected,
    );
  });
});

describe('the score', () => {
  const owned = (nodeName?: string): Pod => {
    const pod = makePod({}, {}, nodeName);
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'r1', controller: true }];
    return { ...pod, metadata: { ...pod.metadata, ownerReferences } };
  };
  const soft = (fields: Partial<TopologySpreadConstraint> = {}): Pod =>
    makePod(
      { topologySpreadConstraints: [spread({ whenUnsatisfiable: 'ScheduleAnyway', ...fields })] },
      { app: 'web' },
    );

  test.each<[string, Pod, Pod[], unknown]>([
    ['prefers the emptier zone', soft(), [web('a')], { a: 0, b: 0, c: 100 }],
    // Weights log(3 + 2) = 1.61: 2 -> 3, 1 -> 2, 0; 100 * (3 + 0 - n) / 3
    [
      'prefers the emptier node',
      soft({ topologyKey: 'kubernetes.io/hostname' }),
      [web('a'), web('a'), web('b')],
      { a: 0, b: 33, c: 100 },
    ],
    ['is the same without such pods', soft(), [], { a: 100, b: 100, c: 100 }],
    [
      'spreads what a controller owns over the nodes',
      owned(),
      [owned('a'), owned('a'), owned('b')],
      { a: 0, b: 50, c: 100 },
    ],
    ['is skipped without an owner', makePod(), [owned('a')], 'Skip'],
    ['is skipped with hard constraints alone', makePod({ topologySpreadConstraints: [spread()] }), [web('a')], 'Skip'],
  ])('%s', (_, pod, pods, expected) =>
    expect(scoreNodes(podTopologySpreadScore, pod, snapshotOf(NODES, pods))).toEqual(expected),
  );
});
