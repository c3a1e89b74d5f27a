import { expect, test } from '@jest/globals';
import { Machine } from '../../../kernel/machine.js';
import { exit, sleepUntil, waitForChild, YIELD } from '../../../kernel/process/program.js';
import { BOOT, containerOf, imageOf, program, programsOf } from '../../../kernel/testing.js';
import { forecast } from './forecast.js';

/** nap MS */
const nap = program<{ until: number | null }>({
  start: () => ({ until: null }),
  step: (state, sys) => {
    state.until ??= sys.now + Number(sys.argv[1]);
    return sys.now >= state.until ? exit(0) : sleepUntil(state.until);
  },
  clock: () => 'waits',
});

/** loop: naps again and again; with a number: so often. */
const loop = program<{ left: number; isWaiting: boolean }>({
  start: (argv) => ({ left: Number(argv[1] ?? 0), isWaiting: false }),
  step: (state, sys) => {
    if (state.isWaiting && sys.wait(-1) === undefined) return waitForChild;
    state.isWaiting = !state.isWaiting;
    if (!state.isWaiting) {
      if (state.left > 0 && --state.left === 0) return exit(4);
      return YIELD;
    }
    sys.spawn({ path: '/bin/nap', argv: ['nap', '1000'] });
    return waitForChild;
  },
});

const programs = { nap, loop };

function machineOf(...commands: readonly string[]): Machine {
  const machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs: programsOf(programs) });
  for (const [i, command] of commands.entries()) {
    machine.start(containerOf(imageOf(programs), { id: `c${i + 1}`, argv: command.split(' ') }), BOOT);
  }
  return machine;
}

const forecastOf = (...commands: readonly string[]) => forecast(machineOf(...commands), 'c1', () => Infinity);

test('a loop that goes round does so for ever', () => {
  expect(forecastOf('loop')).toEqual({ listening: [{ at: 0, ports: [] }], knownUntil: Infinity });
});

test('a loop that counts is known as far as it was run', () => {
  const { exit: end, knownUntil } = forecastOf('loop 100');
  expect(end).toBeUndefined();
  expect(knownUntil).toBeGreaterThan(BOOT + 10_000);
  expect(knownUntil).toBeLessThan(BOOT + 100_000);
});

test('a loop that ends soon ends then', () => {
  expect(forecastOf('loop 3').exit).toMatchObject({ code: 4 });
});

test('a container beside a loop may end', () => {
  expect(forecastOf('nap 8000000', 'loop').exit).toBeUndefined();
  expect(forecastOf('nap 9000', 'loop').exit).toMatchObject({ code: 0, at: BOOT + 9_000 });
  expect(forecastOf('nap 8000000', 'loop').knownUntil).toBeGreaterThanOrEqual(BOOT + 3_600_000);
});
