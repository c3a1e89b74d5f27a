import { expect, test } from '@jest/globals';
import type { Reader } from '../../../machinery/client.js';
import { parseTimestamp } from '../../../machinery/time/time.js';
import { make } from '../../testing.js';
import { addMissedHeartbeats } from './heartbeat.js';
import { kind } from './kind.js';

const NO_RUNTIME = { get: () => undefined } as unknown as Reader;
const STOPPED = { get: () => ({ kubelet: { state: 'stopped' } }) } as unknown as Reader;
const WRITTEN = '2026-01-01T12:00:00Z';
const heartbeatAt = (now: string, status: string): string | undefined =>
  addMissedHeartbeats(
    make(kind, { status: { conditions: [{ type: 'Ready', status, lastHeartbeatTime: WRITTEN }] } }),
    parseTimestamp(now),
    NO_RUNTIME,
  ).status.conditions![0]!.lastHeartbeatTime;

test.each([
  ['2026-01-01T12:04:59Z', 'True', WRITTEN],
  ['2026-01-01T12:05:00Z', 'True', '2026-01-01T12:05:00Z'],
  ['2026-01-01T12:14:00Z', 'False', '2026-01-01T12:10:00Z'],
  ['2026-01-01T12:14:00Z', 'Unknown', WRITTEN],
])('at %s a kubelet whose Ready is %s last reported at %s', (now, status, expected) =>
  expect(heartbeatAt(now, status)).toBe(expected),
);

test('a condition without a heartbeat has none', () =>
  expect(
    addMissedHeartbeats(
      make(kind, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }),
      parseTimestamp('2026-01-02T00:00:00Z'),
      NO_RUNTIME,
    ).status.conditions,
  ).toEqual([{ type: 'Ready', status: 'True' }]));

test('a kubelet that was stopped reports no more', () => {
  const condition = { type: 'Ready', status: 'True', lastHeartbeatTime: WRITTEN };
  const node = make(kind, { status: { conditions: [condition] } });
  expect(addMissedHeartbeats(node, parseTimestamp('2026-01-02T00:00:00Z'), STOPPED)).toBe(node);
});
