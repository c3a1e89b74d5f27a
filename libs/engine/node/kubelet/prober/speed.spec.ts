import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';
import type { Container, Pod } from '../../../api/core_v1.js';
import { Pods } from '../../../kinds/index.js';
import { SECOND } from '../../../machinery/time/time.js';

const HTTP = { httpGet: { path: '/', port: 80 } };
const READY_WITHIN_SECONDS = 60;

/** When a pod with these probes becomes ready, in seconds since its creation, and its events of failed probes. */
function readyAfter(speed: 'instant' | 'realistic', container: Partial<Container>): [number, string[]] {
  const bed = new ClusterBed(speed);
  bed.create(Pods, 'web', { spec: { containers: [{ name: 'c', ...container }] } });
  const isReady = ({ status }: Pod): boolean =>
    status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;
  for (let tenths = 0; tenths <= READY_WITHIN_SECONDS * 10; tenths++)
    if (isReady(bed.at(tenths / 10).get(Pods, 'web')))
      return [tenths / 10, bed.events('web').filter((event) => event.startsWith('Unhealthy'))];
  throw new Error(`not ready after ${READY_WITHIN_SECONDS * SECOND} ms`);
}

test.each<[string, Partial<Container>, number]>([
  ['a readiness probe', { image: 'nginx:1.27', readinessProbe: HTTP }, 0],
  ['a delay', { image: 'nginx:1.27', readinessProbe: { ...HTTP, initialDelaySeconds: 5 } }, 0],
  ['all three probes', { image: 'nginx:1.27', startupProbe: HTTP, readinessProbe: HTTP, livenessProbe: HTTP }, 0],
  [
    'a command',
    {
      image: 'busybox:1.36',
      command: ['sh', '-c', 'touch /tmp/healthy; sleep 3600'],
      readinessProbe: { exec: { command: ['cat', '/tmp/healthy'] } },
    },
    0,
  ],
  [
    'a server that takes longer than a probe waits',
    {
      image: 'postgres:16',
      readinessProbe: { tcpSocket: { port: 5432 } },
      env: [{ name: 'POSTGRES_PASSWORD', value: 'x' }],
    },
    1,
  ],
])(
  'a pod with %s is ready sooner at instant speed, and no probe fails that would not',
  (_case, container, failures) => {
    const [instant, unhealthy] = readyAfter('instant', container);
    const [realistic, usual] = readyAfter('realistic', container);
    expect([unhealthy.length, usual.length]).toEqual([failures, failures]);
    expect(instant).toBeLessThan(realistic);
  },
);
