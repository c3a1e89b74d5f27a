import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Failure } from './failure.js';
import { lasting, type Sink } from './lasting.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function followed() {
  const begun: Sink<number>[] = [];
  const told: (number | string)[] = [];
  let stopped = 0;
  const end = lasting<number>(
    (sink) => {
      begun.push(sink);
      return () => void stopped++;
    },
    { next: (value) => told.push(value), error: ({ message }) => told.push(message) },
  );
  return { begun, told, end, stops: () => stopped };
}

test.each([410, 429, 503])('%d passes: it is told, and begun anew', (status) => {
  const { begun, told } = followed();
  begun[0]!.error?.(new Failure('gone', status));
  jest.advanceTimersByTime(1_000);
  begun[1]!.next(1);
  expect([begun.length, told]).toEqual([2, ['gone', 1]]);
});

test.each([0, 403, 404])('%d does not', (status) => {
  const { begun } = followed();
  begun[0]!.error?.(new Failure('no', status));
  jest.advanceTimersByTime(100_000);
  expect(begun).toHaveLength(1);
});

test('each failure waits longer than the one before, until something comes', () => {
  const { begun } = followed();
  const fail = (): void => begun.at(-1)!.error?.(new Failure('busy', 503));
  fail();
  jest.advanceTimersByTime(1_000);
  fail();
  jest.advanceTimersByTime(1_999);
  expect(begun).toHaveLength(2);
  jest.advanceTimersByTime(1);
  begun[2]!.next(1);
  fail();
  jest.advanceTimersByTime(1_000);
  expect(begun).toHaveLength(4);
});

test('what is ended stays so', () => {
  const { begun, end, stops } = followed();
  begun[0]!.error?.(new Failure('busy', 503));
  end();
  jest.advanceTimersByTime(100_000);
  expect([begun.length, stops()]).toEqual([1, 1]);
});
