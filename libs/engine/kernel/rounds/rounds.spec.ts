import { describe, expect, test } from '@jest/globals';
import { EXEC, exit, sleepUntil, waitForChild, YIELD, type Plain } from '../process/program.js';
import type { Syscalls } from '../process/syscalls.js';
import { BOOT, containerOf, imageOf, program, programsOf } from '../testing.js';
import { Machine } from '../machine.js';
import { addTallies, compareHeads, type Head } from './head.js';

const MINUTES = 600_000;

type Loop = { [key: string]: number | string };

/** nap MS: sleeps so long. */
const nap = program<{ until: number | null }>({
  start: () => ({ until: null }),
  step: (state, sys) => {
    state.until ??= sys.now + Number(sys.argv[1]);
    return sys.now >= state.until ? exit(0) : sleepUntil(state.until);
  },
  clock: () => 'waits',
});

/** A loop that does something, naps for a second and does it again. */
const loop = (act: (state: Loop, sys: Syscalls) => void, isTally?: (path: readonly string[]) => boolean) =>
  program<Loop>({
    start: () => ({ phase: 0, count: 0 }),
    step: (state, sys) => {
      if (state['phase'] === 1) {
        if (sys.wait(-1) === undefined) return waitForChild;
        state['phase'] = 0;
        return YIELD;
      }
      act(state, sys);
      sys.spawn({ path: '/bin/nap', argv: ['nap', '1000'] });
      state['phase'] = 1;
      return waitForChild;
    },
    ...(isTally && { isTally }),
  });

/** How many turns ten minutes of a program take, and what the machine is then. */
function runMinutes(main: ReturnType<typeof loop>, runsAll = false): { turns: number; end: string } {
  const programs = { main, nap };
  const machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs: programsOf(programs), runsAll });
  machine.start(containerOf(imageOf(programs), { argv: ['main'] }), BOOT);
  let turns = 0;
  const get = machine.state.processes.get.bind(machine.state.processes);
  machine.state.processes.get = (id) => (turns++, get(id));
  while (!machine.run(BOOT + MINUTES));
  return { turns, end: JSON.stringify([machine.save(), machine.container('c1').logs, machine.faults]) };
}

describe('a loop', () => {
  test.each<[string, (state: Loop, sys: Syscalls) => void, boolean]>([
    ['that prints', (_, sys) => void sys.write(1, 'hello\n'), true],
    ['that reads a file', (_, sys) => sys.close(sys.open('/etc/passwd', { read: true })), true],
    [
      'that counts what is a tally',
      (state) => void ((state['tally'] as number) = Number(state['tally'] ?? 0) + 1),
      true,
    ],
    ['that counts', (state) => void (state['count'] = Number(state['count']) + 1), false],
    ['that says the time', (_, sys) => void sys.write(1, `${sys.now}\n`), false],
    ['that says its children’s number', (state, sys) => void (state['text'] = `${sys.processes().length}`), false],
    ['that draws', (_, sys) => void sys.write(1, `${sys.random()}\n`), false],
    ['that writes a file', (_, sys) => sys.close(sys.open('/tmp/f', { append: true, create: true })), false],
    ['that looks at /proc', (_, sys) => void sys.stat('/proc/1/stat'), false],
    ['that asks what it has used', (_, sys) => void sys.write(1, `${sys.cgroup().cpuUsedMs}\n`), false],
  ])('%s', (_, act, goesRound) => {
    const main = loop(act, ([name]) => name === 'tally');
    const { turns, end } = runMinutes(main);
    if (goesRound) expect(turns).toBeLessThan(500);
    else expect(turns).toBeGreaterThan(2_000);
    expect(end).toBe(runMinutes(main, true).end);
  });

  test('of another process is left alone by a call that is not known to be steady', () => {
    const main = loop((_, sys) => void sys.terminalName(1));
    expect(runMinutes(main).turns).toBeGreaterThan(2_000);
  });

  test('that was given input goes round only from there on', () => {
    const main = loop((_, sys) => {
      const bytes = sys.read(0);
      if (bytes !== undefined && bytes !== '') sys.write(1, bytes);
    });
    const programs = { main, nap };
    const logs = [true, false].map((runsAll) => {
      const machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs: programsOf(programs), runsAll });
      machine.start(containerOf(imageOf(programs), { argv: ['main'], stdin: true }), BOOT);
      const session = machine.attach('c1', { stdin: true }, BOOT);
      for (let at = BOOT + 500; at < BOOT + 9_000; at += 1_000) machine.input(session, 'x\n', at);
      machine.hangUp(session, BOOT + 9_000);
      while (!machine.run(BOOT + MINUTES));
      return machine.container('c1').logs;
    });
    expect(logs[0]).toHaveLength(9);
    expect(logs[1]).toEqual(logs[0]);
  });

  test('that becomes another program is over', () => {
    const main = loop((state, sys) => {
      state['phase'] = 1;
      sys.exec('/bin/nap', ['nap', '10']);
      return EXEC;
    });
    expect(runMinutes(main).end).toBe(runMinutes(main, true).end);
  });
});

describe('heads', () => {
  const head = (state: Plain, more: Partial<Head> = {}): Head => ({
    ...{ program: state, main: {}, others: '', mutations: 0, nextPid: 1 },
    counters: { process: 1, description: 1, pipe: 1, terminal: 0, socket: 1, session: 1, port: 1 },
    ...more,
  });

  test.each<[Plain, Plain, unknown]>([
    [{ a: [1, 'x'] }, { a: [1, 'x'] }, []],
    [{ n: 1 }, { n: 3 }, [{ path: ['n'], step: 2 }]],
    [{ other: 1 }, { other: 2 }, undefined],
    [{ text: 'a' }, { text: 'b' }, []],
    [{ text: 'a' }, { text: 1 }, undefined],
    [{ a: 'x' }, { a: 'y' }, undefined],
    [{ a: 1 }, { a: 1, b: 1 }, undefined],
    [{ a: [] }, { a: {} }, undefined],
    [{ a: null }, { a: 0 }, undefined],
  ])('%j and %j', (before, after, expected) => {
    expect(compareHeads(head(before), head(after), ([name]) => name === 'n', [['text']])).toEqual(expected);
  });

  test('differ by a changed file', () => {
    expect(compareHeads(head({}), head({}, { mutations: 1 }))).toBeUndefined();
  });

  test('count further', () => {
    const state = { a: { n: 5 } };
    addTallies(state, [{ path: ['a', 'n'], step: 2 }], 10);
    expect(state).toEqual({ a: { n: 25 } });
  });
});
