import { expect, test } from '@jest/globals';
import type { Effect } from '../../../faults/effect.js';
import type { Reader } from '../../../machinery/client.js';
import { MINUTE, SECOND } from '../../../machinery/time/time.js';
import { NOW, pod, process } from '../testing.js';
import { withLostLease } from './lost-lease.js';

const MIRROR = pod({}, {}, { annotations: { 'kubernetes.io/config.mirror': 'h' } });
const QUORUM = { does: 'etcd', fault: 'quorum' } as Effect;
const ENDED = { does: 'component', component: 'kube-apiserver', reason: 'lost' } as Effect;
/** A fault from `from` to `to`, in s after NOW. */
const fault = (effect: Effect, from: number, to: number): Reader =>
  ({
    byIndex: (_kind: unknown, index: string, name: string) =>
      index === 'past' && name === effect.does
        ? [
            {
              metadata: { uid: 'f' },
              status: {
                startTime: new Date(NOW + from * SECOND).toISOString(),
                endTime: new Date(NOW + to * SECOND).toISOString(),
                effects: [effect],
              },
            },
          ]
        : [],
  }) as unknown as Reader;

test.each<[string, Effect, number, number, number | undefined, string]>([
  ['runs when etcd loses its leader', QUORUM, 60, 600, 70_000, '"leaderelection lost"'],
  [
    'runs when the API server ends',
    ENDED,
    60,
    600,
    70_000,
    'failed to renew lease kube-system/kube-controller-manager',
  ],
  ['has its leader back in time', QUORUM, 60, 65, undefined, ''],
  ['is started meanwhile', QUORUM, -60, 600, 8_000, 'etcdserver: request timed out'],
  ['is started without an API server', ENDED, -60, 600, 500, 'connect: connection refused'],
  ['is started when it is nearly over', QUORUM, -60, 5, undefined, ''],
  ['is started afterwards', QUORUM, -60, -5, undefined, ''],
])('a controller manager that %s', (_case, effect, from, to, afterMs, words) => {
  const read = fault(effect, from, to);
  const found = withLostLease(read, MIRROR, 'kube-controller-manager', process(), NOW);
  expect(found.exit).toEqual(afterMs === undefined ? undefined : { afterMs, code: 1 });
  const said = found
    .lines(20 * MINUTE)
    .map(({ text }) => text)
    .join('\n');
  expect(said).toContain(words);
});

test.each([
  ['no static pod', 'kube-scheduler', pod()],
  ['no leader', 'kube-proxy', MIRROR],
  [
    'one that elects none',
    'kube-scheduler',
    pod({ containers: [{ name: 'c', command: ['kube-scheduler', '--leader-elect=false'] }] }, {}, MIRROR.metadata),
  ],
])('%s goes on', (_case, name, of) => {
  const own = process();
  expect(withLostLease(fault(QUORUM, 60, 600), of, name, own, NOW)).toBe(own);
});
