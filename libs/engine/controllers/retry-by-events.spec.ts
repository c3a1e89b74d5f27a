import { expect, test } from '@jest/globals';
import type { Context } from '../runtime/controller.js';
import { restUntilRetry } from './retry-by-events.js';

const BACK_OFF = { first: 5_000, longest: 60_000 };
const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const event = (count: number, seconds: number, reason = 'Failed', component = 'a'): object => ({
  reason,
  count,
  lastTimestamp: at(seconds),
  source: { component },
});

test.each<[string, readonly object[], number, number]>([
  ['nothing has failed', [], 100, 0],
  ['another reason', [event(1, 100, 'Other')], 100, 0],
  ['another component', [event(1, 100, 'Failed', 'b')], 100, 0],
  ['once', [event(1, 100)], 102, 3_000],
  ['once, long ago', [event(1, 100)], 105, 0],
  ['three times', [event(3, 100)], 100, 20_000],
  ['by two Events', [event(1, 90), event(2, 100)], 100, 20_000],
  ['often', [event(50, 100)], 100, 60_000],
])('%s', (_what, events, now, rest) => {
  const client = { byIndex: () => events };
  const context = { client, now: now * 1_000 } as unknown as Context;
  const object = { metadata: { uid: 'u' } } as never;
  expect(restUntilRetry(context, object, 'Failed', BACK_OFF, 'a')).toBe(rest);
});
