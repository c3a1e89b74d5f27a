import { expect, test } from '@jest/globals';
import { linesOf, templateContainers } from './container-facts.js';

const container = { name: 'c' };

test.each<[string, object, object | undefined, object]>([
  ['nothing', {}, undefined, {}],
  ['a command', { command: ['sh', '-c'], args: ['echo a; b'] }, undefined, { command: ['sh -c "echo a; b"'] }],
  [
    'ports',
    {
      ports: [
        { name: 'http', containerPort: 80 },
        { containerPort: 53, protocol: 'UDP', hostPort: 53 },
      ],
    },
    undefined,
    { ports: ['http 80/TCP', '53/UDP (host 53)'] },
  ],
  [
    'resources',
    { resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } } },
    undefined,
    { requests: ['cpu 100m', 'memory 64Mi'], limits: ['memory 128Mi'] },
  ],
  [
    'an environment',
    {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', valueFrom: { secretKeyRef: { name: 'door', key: 'code' } } },
        { name: 'C', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ],
      envFrom: [{ prefix: 'P_', configMapRef: { name: 'conf' } }, { secretRef: { name: 'door' } }],
    },
    undefined,
    {
      environment: ['A=1', 'B ← Secret door: code', 'C ← spec.nodeName', 'P_* ← ConfigMap conf', '* ← Secret door'],
    },
  ],
  [
    'mounts',
    { volumeMounts: [{ mountPath: '/etc/conf', name: 'conf', readOnly: true, subPath: 'a' }] },
    undefined,
    { mounts: ['/etc/conf ← conf/a (ro)'] },
  ],
  [
    'probes',
    {
      livenessProbe: { exec: { command: ['cat', '/ok'] }, periodSeconds: 5 },
      readinessProbe: { httpGet: { path: '/ready', port: 'http' }, initialDelaySeconds: 3 },
      startupProbe: { tcpSocket: { port: 80 } },
    },
    undefined,
    {
      probes: [
        'startup: tcp :80 delay=0s timeout=1s period=10s #failure=3',
        'readiness: http-get :http/ready delay=3s timeout=1s period=10s #failure=3',
        'liveness: exec cat /ok delay=0s timeout=1s period=5s #failure=3',
      ],
    },
  ],
  [
    'how it ended before',
    {},
    { lastState: { terminated: { reason: 'Error', exitCode: 1, finishedAt: '2026-01-01T00:00:00Z' } } },
    { last: ['Error (exit 1), 2026-01-01T00:00:00Z'] },
  ],
])('%s', (_, more, status, expected) => {
  const lines = linesOf({ ...container, ...more }, status);
  expect(Object.fromEntries(lines.map(({ label, values }) => [label, values]))).toEqual(expected);
});

const spec = { initContainers: [{ name: 'i' }], containers: [container] };
const of = (given: object) => templateContainers({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec: given });

test.each([
  ['of a Deployment', { template: { spec } }, ['i', 'c']],
  ['of a CronJob', { jobTemplate: { spec: { template: { spec } } } }, ['i', 'c']],
  ['of a Service', {}, []],
])('the containers %s', (_, given, names) =>
  expect(of(given).map((one) => (one.container as { name: string }).name)).toEqual(names),
);
