import { expect, test } from '@jest/globals';
import type { Container, Pod, Probe } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/client.js';
import type { Process } from '../../cri/image.js';
import { ProbeLines } from './probe-lines.js';

const node = { metadata: { name: 'worker-1' }, spec: { podCIDR: '10.244.1.0/24' }, status: {} };
const read = { get: ({ kind }: { kind: string }) => (kind === 'Node' ? node : undefined) } as unknown as Reader;
const process: Process = {
  listens: [80],
  readyAfterMs: 2_000,
  lines: () => [],
  serve: ({ path, headers }, at) => ({
    status: 200,
    ...(path === '/quiet' ? {} : { logged: `{remote} ${at} ${path} ${String(headers['user-agent'])}` }),
  }),
};

const pod = {
  metadata: {},
  spec: { nodeName: 'worker-1', containers: [] },
  status: { podIP: '10.244.1.7' },
} as unknown as Pod;

const linesOf = (probes: Partial<Container>) =>
  new ProbeLines({ pod, container: { name: 'c', ...probes } as Container, process, read });

const get = (fields: object, more: Partial<Probe> = {}): Probe => ({ httpGet: { port: 80, ...fields }, ...more });

test.each<[string, Partial<Container>, readonly string[]]>([
  ['none', {}, []],
  ['of a port', { readinessProbe: { tcpSocket: { port: 80 } } }, []],
  ['of another port', { readinessProbe: get({ port: 81 }) }, []],
  ['of another host', { readinessProbe: get({ host: '10.0.0.1' }) }, []],
  ['that the server does not log', { readinessProbe: get({ path: '/quiet' }) }, []],
  ['of readiness', { readinessProbe: get({}) }, ['10800 /', '20800 /']],
  ['of a path', { livenessProbe: get({ path: '/h' }, { initialDelaySeconds: 15 }) }, ['15800 /h', '25800 /h']],
  [
    'of both',
    { readinessProbe: get({}), livenessProbe: get({ path: '/h' }, { periodSeconds: 20 }) },
    ['10800 /', '20800 /', '20800 /h'],
  ],
  [
    'that wait for the one at the start',
    { startupProbe: get({ path: '/s' }), readinessProbe: get({}) },
    ['10800 /s', '10800 /', '20800 /'],
  ],
])('lines of probes %s', (_name, probes, expected) => {
  expect(
    linesOf(probes)
      .lines(25_900)
      .map(({ text }) => text),
  ).toEqual(expected.map((text) => `10.244.1.1 ${text} kube-probe/1.36`));
});

test('only the last thousand lines are shown, and the others counted', () => {
  const lines = linesOf({ readinessProbe: get({}, { periodSeconds: 1 }) });
  expect([lines.lines(3_000_000).length, lines.dropped(3_000_000)]).toEqual([1_000, 1_998]);
  expect(lines.lines(3_000_000)[0]!.at).toBe(2_000_800);
});

test('what is shown at a time is what was shown before, and more', () => {
  const lines = linesOf({ readinessProbe: get({}), livenessProbe: get({}, { periodSeconds: 3 }) });
  const earlier = lines.lines(61_000);
  expect(lines.lines(99_000).slice(0, earlier.length)).toEqual(earlier);
});
