import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openLog, type ProcessLog } from './logger.js';

let lines: string[];
let flushes: number;
let counts: Record<string, number>;
let log: ProcessLog;

function open(level: string): void {
  log = openLog(
    level,
    { inc: ({ level: name }) => (counts[name] = (counts[name] ?? 0) + 1) },
    {
      write: (line) => void lines.push(line),
      flush: () => undefined,
      flushSync: () => void flushes++,
      dropped: 0,
    },
  );
}
beforeEach(() => {
  lines = [];
  flushes = 0;
  counts = {};
});
afterEach(() => log.close());

test('a line is JSON, without names of the machine and the process', () => {
  open('info');
  log.logger.info({ cluster: 'c1' }, 'hello');
  expect(JSON.parse(lines[0]!)).toEqual({ level: 30, time: expect.any(Number), cluster: 'c1', msg: 'hello' });
});

test('warnings and errors are written at once and counted', () => {
  open('info');
  log.logger.info('a');
  expect([flushes, counts]).toEqual([0, {}]);
  log.logger.warn('b');
  log.logger.error('c');
  expect([flushes, counts]).toEqual([2, { warn: 1, error: 1 }]);
});

test('what is below the level is neither written nor counted', () => {
  open('error');
  log.logger.warn('a');
  expect([lines, counts]).toEqual([[], {}]);
});

test('after the end every line is written at once', () => {
  open('info');
  log.close();
  expect(flushes).toBe(1);
  log.logger.info('late');
  expect(flushes).toBe(2);
});

test('it leaves no listener behind', () => {
  const before = process.listenerCount('exit');
  open('info');
  expect(process.listenerCount('exit')).toBe(before + 1);
  log.close();
  expect(process.listenerCount('exit')).toBe(before);
});
