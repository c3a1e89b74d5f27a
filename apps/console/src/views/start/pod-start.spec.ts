import { expect, test } from '@jest/globals';
import { formatSpan, layOutSteps } from './diagram.js';
import { podStart, type Recorded } from './pod-start.js';

const POD = 'pod/default/web-1';
const entry = (revision: number, at: string, actor: string, verb: string, object = POD, fields: string[] = []) => ({
  ...{ revision, at: `2026-11-24T16:${at}Z`, actor, verb, object, fields, cause: 0, text: '' },
});
const RS = 'system:serviceaccount:kube-system:replicaset-controller';
const KUBELET = 'system:node:worker-3';
/** As a cluster told it of `kubectl create deployment web --image=nginx`. */
const RECORDED: Recorded = {
  chain: [
    entry(509, '41:59.726000', 'kubernetes-admin', 'create', 'deployment/default/web'),
    entry(
      512,
      '42:00.436000',
      'system:serviceaccount:kube-system:deployment-controller',
      'create',
      'replicaset/default/web',
    ),
    entry(520, '42:00.436000', RS, 'create'),
  ],
  entries: [
    entry(587, '42:04.035000', KUBELET, 'update', POD, ['status']),
    entry(555, '42:01.043000', KUBELET, 'update', POD, ['status']),
    entry(545, '42:00.441000', KUBELET, 'update', POD, ['status']),
    entry(529, '42:00.436000', 'system:kube-scheduler', 'update', POD, ['spec', 'status']),
    entry(520, '42:00.436000', RS, 'create'),
  ],
  events: [
    { reason: 'Scheduled', type: 'Normal', eventTime: '2026-11-24T16:42:00.436000Z' },
    { reason: 'Pulling', message: 'Pulling image "nginx"', type: 'Normal', firstTimestamp: '2026-11-24T16:42:01Z' },
    { reason: 'Pulled', message: 'pulled', type: 'Normal', firstTimestamp: '2026-11-24T16:42:03Z' },
    { reason: 'Created', message: 'Container created', type: 'Normal', firstTimestamp: '2026-11-24T16:42:04Z' },
    { reason: 'Started', message: 'Container started', type: 'Normal', firstTimestamp: '2026-11-24T16:42:04Z' },
  ],
  pod: {
    metadata: {},
    status: {
      podIP: '10.244.3.2',
      conditions: [
        { type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: '2026-11-24T16:42:01Z' },
        { type: 'Ready', status: 'True', lastTransitionTime: '2026-11-24T16:42:04Z' },
      ],
    },
  },
};

test('from the first write to Ready, in the order of time, nothing twice', () => {
  expect(podStart(RECORDED).map(({ from, to, kind }) => `${from}>${to} ${kind}`)).toEqual([
    'user>apiserver create',
    'controller>apiserver create',
    'controller>apiserver create',
    'scheduler>apiserver bind',
    'kubelet>apiserver status',
    'kubelet>cri sandbox',
    'cri>cni network',
    'kubelet>cri pull',
    'kubelet>apiserver status',
    'cri>kubelet pulled',
    'kubelet>cri container',
    'cri>kubelet started',
    'kubelet>apiserver status',
    'kubelet>apiserver ready',
  ]);
});

test('a step that only tells its second has the moment of the report', () => {
  const pulling = podStart(RECORDED).find(({ kind }) => kind === 'pull')!;
  expect(new Date(pulling.at).toISOString()).toBe('2026-11-24T16:42:01.043Z');
});

test('a pod that never became ready has its warnings; one without a record has no steps', () => {
  const warning = {
    reason: 'FailedScheduling',
    message: '0/3 nodes',
    type: 'Warning',
    eventTime: '2026-11-24T16:42:00Z',
  };
  const steps = podStart({ chain: [], entries: [], events: [{ ...warning, reportingComponent: 'default-scheduler' }] });
  expect(steps).toMatchObject([{ kind: 'warning', from: 'scheduler', about: 'FailedScheduling: 0/3 nodes' }]);
  expect(podStart({ chain: [], entries: [], events: [] })).toEqual([]);
});

test('a column for each part that takes part, more room where time passed', () => {
  const { columns, arrows, w, h } = layOutSteps(podStart(RECORDED));
  expect(columns.map(({ part }) => part)).toEqual([
    'user',
    'apiserver',
    'controller',
    'scheduler',
    'kubelet',
    'cri',
    'cni',
  ]);
  const gaps = arrows.slice(1).map(({ y }, i) => y - arrows[i]!.y);
  expect(Math.max(...gaps)).toBeGreaterThan(Math.min(...gaps));
  expect(arrows.every(({ x1, x2, y }) => Math.max(x1, x2) <= w && y < h)).toBe(true);
});

test.each([
  [4, '0.004 s'],
  [12_340, '12.3 s'],
  [65_000, '1 min 5 s'],
])('%i ms are %s', (ms, text) => expect(formatSpan(ms)).toBe(text));
