import { expect, test } from '@jest/globals';
import { type Exchanged, hasInput, newExchange, nextRequest, takeAnswer, waitFor } from './exchange.js';

const sys = { isTerminal: () => true, terminalSize: () => ({ columns: 80, rows: 24 }) } as never;

test('input is sent until it is taken, and its end once', () => {
  const exchange = { ...newExchange(true, false), pending: 'abc', isStdinOver: true };
  expect(nextRequest({ sys }, exchange)).toEqual({
    ...{ stdoutFrom: 0, stderrFrom: 0, input: { stdin: 'abc', closeStdin: true } },
  });
  takeAnswer(exchange, { taken: 2 });
  expect([exchange.pending, exchange.isEndSent, hasInput(exchange)]).toEqual(['c', false, true]);
  nextRequest({ sys }, exchange);
  takeAnswer(exchange, { taken: 1 });
  expect([exchange.pending, exchange.isEndSent, hasInput(exchange)]).toEqual(['', true, false]);
  expect(nextRequest({ sys }, exchange)).toMatchObject({ input: { stdin: '' } });
});

test.each<[Exchanged[], number]>([
  [[{ stdout: 'x' }], 20],
  [[{}], 40],
  [[{}, {}, {}], 160],
  [Array.from({ length: 20 }, () => ({})), 2_000],
  [[{}, {}, { stderr: 'x' }], 20],
])('after %j the next look is after %d ms', (answers, wait) => {
  const exchange = newExchange(true, false);
  for (const answer of answers) expect(takeAnswer(exchange, answer)).toBeUndefined();
  expect(exchange.wait).toBe(wait);
  expect(waitFor(exchange, 7)).toEqual({ type: 'wait', until: 7, readable: [0] });
});

test('a terminal tells its size, and the end has a code', () => {
  const exchange = newExchange(false, true);
  expect(nextRequest({ sys }, exchange)).toMatchObject({ input: { resize: { columns: 80, rows: 24 } } });
  expect(takeAnswer(exchange, { stdoutFrom: 3, exit: { code: 4 } })).toBe(4);
  expect([exchange.stdoutFrom, waitFor(exchange, 1)]).toEqual([3, { type: 'wait', until: 1 }]);
});
