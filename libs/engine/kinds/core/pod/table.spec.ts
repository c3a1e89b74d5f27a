import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { AGE, row } from '../../testing.js';
import { kind } from './kind.js';
import { makePod, web } from './testing.js';

const running = { name: 'web', image: 'i', imageID: '', ready: true, restartCount: 0, state: { running: {} } };
const terminated = (exitCode: number, reason?: string) => ({
  ...running,
  ready: false,
  state: { terminated: { exitCode, reason } },
});
const crashed = {
  ...running,
  ready: false,
  restartCount: 3,
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { exitCode: 1, finishedAt: '2026-01-01T11:55:00Z' } },
};
const inits = {
  initContainers: [
    { name: 'a', image: 'x' },
    { name: 'b', image: 'x' },
  ],
};
const sidecar = { initContainers: [{ name: 'proxy', image: 'x', restartPolicy: 'Always' }] };
const proxy = { ...running, name: 'proxy', started: true };
const deleted = { deletionTimestamp: '2026-01-01T12:00:00Z' };

test.each<[string, Record<string, unknown>, Pod['status'], Record<string, string>, [string, string, string]]>([
  ['pending', {}, { phase: 'Pending' }, {}, ['0/1', 'Pending', '0']],
  ['running', {}, { phase: 'Running', containerStatuses: [running] }, {}, ['1/1', 'Running', '0']],
  ['crashing', {}, { phase: 'Running', containerStatuses: [crashed] }, {}, ['0/1', 'CrashLoopBackOff', '3 (5m ago)']],
  ['being deleted', {}, { phase: 'Running', containerStatuses: [running] }, deleted, ['1/1', 'Terminating', '0']],
  ['done', {}, { phase: 'Succeeded', containerStatuses: [terminated(0, 'Completed')] }, {}, ['0/1', 'Completed', '0']],
  [
    'done and being deleted',
    {},
    { phase: 'Succeeded', containerStatuses: [terminated(0, 'Completed')] },
    deleted,
    ['0/1', 'Completed', '0'],
  ],
  ['of a node that is lost', {}, { phase: 'Running', reason: 'NodeLost' }, deleted, ['0/1', 'Unknown', '0']],
  [
    'ended without a reason',
    {},
    { phase: 'Failed', containerStatuses: [terminated(3)] },
    {},
    ['0/1', 'ExitCode:3', '0'],
  ],
  [
    'ready in part',
    { containers: [web, { ...web, name: 'job' }] },
    { phase: 'Running', containerStatuses: [running, { ...terminated(0, 'Completed'), name: 'job' }] },
    {},
    ['1/2', 'NotReady', '0'],
  ],
  [
    'initializing',
    inits,
    {
      phase: 'Pending',
      initContainerStatuses: [
        { ...terminated(0), name: 'a' },
        { ...running, name: 'b', ready: false },
      ],
    },
    {},
    ['0/1', 'Init:1/2', '0'],
  ],
  [
    'failing to initialize',
    inits,
    { phase: 'Pending', initContainerStatuses: [{ ...terminated(1, 'Error'), name: 'a', restartCount: 2 }] },
    {},
    ['0/1', 'Init:Error', '2'],
  ],
  [
    'with a sidecar, which counts',
    sidecar,
    { phase: 'Running', initContainerStatuses: [proxy], containerStatuses: [running] },
    {},
    ['2/2', 'Running', '0'],
  ],
  ['evicted', {}, { phase: 'Failed', reason: 'Evicted' }, {}, ['0/1', 'Evicted', '0']],
  [
    'gated',
    {},
    {
      phase: 'Pending',
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
    },
    {},
    ['0/1', 'SchedulingGated', '0'],
  ],
])('a pod %s', (_, spec, status, metadata, [Ready, Status, Restarts]) =>
  expect(row(kind, makePod(spec, status, metadata))).toEqual({
    Name: 'web',
    Ready,
    Status,
    Restarts,
    Age: AGE,
    IP: '<none>',
    Node: '<none>',
    'Nominated Node': '<none>',
    'Readiness Gates': '<none>',
  }),
);

test('where it is', () =>
  expect(
    row(
      kind,
      makePod(
        { nodeName: 'n1', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] },
        { podIPs: [{ ip: '10.244.1.2' }], nominatedNodeName: 'n2', conditions: [{ type: 'a', status: 'True' }] },
      ),
    ),
  ).toMatchObject({ IP: '10.244.1.2', Node: 'n1', 'Nominated Node': 'n2', 'Readiness Gates': '1/2' }));
