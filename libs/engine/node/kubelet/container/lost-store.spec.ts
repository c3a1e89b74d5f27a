import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { MINUTE, SECOND } from '../../../machinery/time/time.js';
import { NOW, pod, process } from '../testing.js';
import { withLostStore } from './lost-store.js';

const MIRROR = pod({}, {}, { annotations: { 'kubernetes.io/config.mirror': 'h' } });
/** etcd has no leader from `from` to `to`, in s after NOW. */
const lost = (from: number, to: number): Reader =>
  ({
    byIndex: (_kind: unknown, index: string) =>
      index === 'effect'
        ? [
            {
              metadata: { uid: 'f' },
              status: {
                startTime: new Date(NOW + from * SECOND).toISOString(),
                endsAt: new Date(NOW + to * SECOND).toISOString(),
                effects: [{ does: 'etcd', fault: 'quorum' }],
              },
            },
          ]
        : [],
  }) as unknown as Reader;

const ask = (name: string, path: string, at: number, of = MIRROR): number | undefined =>
  withLostStore(lost(10, 100), of, name, process(), NOW).serve?.(
    { scheme: 'https', port: 6443, method: 'GET', path, headers: {}, body: '' },
    at * SECOND,
  )?.status;

test.each<[string, string, number, number]>([
  ['kube-apiserver', '/livez', 5, 200],
  ['kube-apiserver', '/livez', 10, 500],
  ['kube-apiserver', '/readyz?verbose', 50, 500],
  ['kube-apiserver', '/version', 50, 200],
  ['kube-apiserver', '/livez', 100, 200],
  ['etcd', '/livez', 50, 200],
  ['etcd', '/readyz', 50, 503],
])('%s answers at %s after %i s: %i', (name, path, at, status) => expect(ask(name, path, at)).toBe(status));

test.each([
  ['another component', 'kube-scheduler', MIRROR],
  ['a pod that is no static one', 'kube-apiserver', pod()],
])('%s is as before', (_case, name, of) => {
  const own = process();
  expect(withLostStore(lost(10, 100), of, name, own, NOW)).toBe(own);
});

test.each<[string, number, number, boolean]>([
  ['began before', 10, 500, false],
  ['began in it, and it lasts', -10, 500, true],
  ['began in it, and it ends soon', -10, 30, false],
  ['began after it', -100, -10, false],
])('an API server that %s gives up after a minute: %s to %s, %s', (_case, from, to, expected) => {
  const found = withLostStore(lost(from, to), MIRROR, 'kube-apiserver', process(), NOW);
  expect(found.exit).toEqual(expected ? { afterMs: MINUTE, code: 255 } : undefined);
  const last = found.lines(2 * MINUTE).at(-1)?.text ?? '';
  expect(last.includes('PostStartHook "start-service-ip-repair-controllers" failed')).toBe(expected);
});
