import { expect, test } from '@jest/globals';
import { type SystemError } from '../errno.js';
import { FileTree } from '../files/tree.js';
import { exit, sleepUntil, YIELD } from '../process/program.js';
import { sendSignal } from '../process/signal.js';
import { BOOT, logOf, program, runCommand, startMachine } from '../testing.js';

const MIB = 1024 * 1024;
const HOUR = 3_600_000;

/** Takes 10 MiB more each second. */
const leak = program<{ bytes: number }>({
  start: () => ({ bytes: 0 }),
  step(state, sys) {
    state.bytes += 10 * MIB;
    sys.setMemory(state.bytes);
    return sleepUntil(sys.now + 1_000);
  },
});

const bomb = program<{ forks: number }>({
  start: () => ({ forks: 0 }),
  step(state, sys) {
    if (sys.pid !== 1) return sleepUntil(sys.now + HOUR);
    try {
      sys.fork(state);
      state.forks++;
      return YIELD;
    } catch (error) {
      sys.write(1, `${state.forks} forks: ${(error as SystemError).message}\n`);
      return exit(1);
    }
  },
});

const busy = program<null>({
  start: () => null,
  step: (_, sys) => {
    sys.charge(1_000);
    return YIELD;
  },
});

const opener = program<null>({
  start: () => null,
  step(_, sys) {
    try {
      for (;;) sys.open('/dev/null', { read: true });
    } catch (error) {
      sys.close(3);
      sys.write(1, `${sys.descriptors().length} open: ${(error as SystemError).message}\n`);
      return exit(0);
    }
  },
});

const filler = program<null>({
  start: () => null,
  step(_, sys) {
    const descriptor = sys.open(`${sys.argv[1]}/file`, { write: true, create: true });
    let written = 0;
    try {
      for (;;) written += sys.write(descriptor, sys.argv[2]!.repeat(65_536));
    } catch (error) {
      sys.write(1, `${written / 65_536} x 64 KiB: ${(error as SystemError).message}\n`);
      return exit(0);
    }
  },
});

const shouter = program<{ lines: number }>({
  start: () => ({ lines: 0 }),
  step(state, sys) {
    sys.write(1, `${'x'.repeat(1_000)}\n`.repeat(1_000));
    return ++state.lines === 60 ? exit(0) : YIELD;
  },
});

const programs = { leak, bomb, busy, opener, filler, shouter };

test('over its memory limit a container is killed by the kernel', () => {
  const { machine } = runCommand(programs, ['leak'], { memoryLimit: 64 * MIB });
  expect(machine.container('c1').exit).toEqual({
    code: 137,
    signal: 'KILL',
    at: BOOT + 6_000,
    outOfMemory: true,
  });
});

test.each(['TERM', 'KILL', 'STOP'] as const)('%s reaches a process that waits for CPU at once', (signal) => {
  const greedy = program<null>({
    start: () => null,
    step: (_, sys) => {
      sys.charge(20_000_000);
      return YIELD;
    },
  });
  const rest = program<null>({ start: () => null, step: (_, sys) => sleepUntil(sys.now + HOUR) });
  const { machine } = startMachine({ greedy, rest }, ['rest']);
  const session = machine.exec('c1', { argv: ['greedy'], terminal: false, stdin: false }, BOOT);
  while (!machine.run(BOOT + 60_000));
  const process = [...machine.state.processes.values()].find(({ name }) => name === 'greedy')!;
  expect(machine.state.containers.get('c1')!.parked).toEqual([process.id]);
  sendSignal(machine.state, process, signal);
  machine.run(BOOT + 60_010);
  expect(machine.state.containers.get('c1')!.parked).toEqual([]);
  if (signal === 'STOP') expect(process.status).toBe('stopped');
  else expect(machine.output(session).exit).toMatchObject({ signal });
});

test('files in memory count', () => {
  const mount = {
    path: '/cache',
    tree: new FileTree('mem'),
    readOnly: false,
    source: 'tmpfs',
    type: 'tmpfs',
    options: [],
  };
  const { machine } = runCommand(programs, ['filler', '/cache', 'x'], { memoryLimit: 8 * MIB, mounts: [mount] });
  expect(machine.container('c1').exit).toMatchObject({ code: 137, outOfMemory: true });
});

test('a program that says nothing of its memory is measured', () => {
  const hoarder = program<{ text: string }>({
    start: () => ({ text: 'x' }),
    step(state, sys) {
      state.text += state.text;
      sys.charge(300);
      return YIELD;
    },
  });
  const limited = runCommand({ hoarder }, ['hoarder'], { memoryLimit: 8 * MIB });
  expect(limited.machine.container('c1').exit).toMatchObject({ code: 137, outOfMemory: true });
  const unlimited = runCommand({ hoarder }, ['hoarder']);
  expect(unlimited.machine.container('c1').exit).toMatchObject({ code: 137, outOfMemory: true });
});

test('a fork bomb gets EAGAIN', () => {
  expect(runCommand(programs, ['bomb'], { processLimit: 50 })).toMatchObject({
    stdout: '49 forks: Resource temporarily unavailable\n',
    code: 1,
  });
});

test.each([
  ['as it is run', true, 5, 20],
  ['as it goes round', false, -1, 2],
])('a busy loop uses its CPU all the time, and costs a bounded number of steps, %s', (_, runsAll, above, below) => {
  const { machine } = startMachine(programs, ['busy'], {}, { runsAll });
  let calls = 0;
  while (!machine.run(BOOT + HOUR, 1_000_000)) calls++;
  expect(calls).toBeGreaterThan(above);
  expect(calls).toBeLessThan(below);
  const { used } = machine.state.containers.get('c1')!.cpu;
  expect(used / HOUR).toBeCloseTo(1, 2);
});

test('a loop that never rests is slower after each hour, and is fast again after a rest', () => {
  const restless = program<{ resting: boolean }>({
    start: () => ({ resting: false }),
    step(state, sys) {
      sys.charge(1_000);
      if (state.resting || sys.now < BOOT + 24 * HOUR) return YIELD;
      state.resting = true;
      return sleepUntil(sys.now + 2 * HOUR);
    },
  });
  const { machine } = startMachine({ restless }, ['restless'], {});
  const stepsUntil = (until: number): number => {
    const before = machine.state.processes.get(1)!.cpu;
    while (!machine.run(BOOT + until));
    return machine.state.processes.get(1)!.cpu - before;
  };
  const used = [1, 2, 3, 24].map((hours) => Math.round(stepsUntil(hours * HOUR) / 1e6));
  expect(used).toEqual([12, 4, 2, 5]);
  expect(stepsUntil(26.5 * HOUR)).toBeGreaterThan(5_000_000);
});

test('a CPU limit throttles: half a CPU has used half of the time', () => {
  const { machine } = startMachine(programs, ['busy'], { cpuLimit: 500 });
  machine.run(BOOT + 1_999);
  const { cpu } = machine.state.containers.get('c1')!;
  expect(cpu.used / 2_000).toBeCloseTo(0.5, 1);
  expect([cpu.periods, cpu.throttledPeriods]).toEqual([20, 20]);
});

test('a process has 1,024 open files', () => {
  expect(runCommand(programs, ['opener']).stdout).toBe('1023 open: Too many open files\n');
});

/** Makes pipes in children, since each process has 1,024 descriptors, and fills them. */
const plumber = program<{ isChild: boolean }>({
  start: () => ({ isChild: false }),
  step(state, sys) {
    if (!state.isChild) for (let i = 0; i < 40; i++) sys.fork({ isChild: true });
    else {
      try {
        for (;;) sys.write(sys.pipe().writer, 'x'.repeat(65_536));
      } catch (error) {
        sys.write(1, `${(error as SystemError).code}\n`);
      }
    }
    return sleepUntil(BOOT + 2 * HOUR);
  },
});

test('pipes hold a bounded number of bytes', () => {
  const { machine, stdout } = runCommand({ plumber }, ['plumber']);
  const pipes = [...machine.state.pipes.values()];
  expect(pipes.length).toBeLessThanOrEqual(16_384);
  expect(pipes.reduce((sum, pipe) => sum + pipe.data.length, 0)).toBeLessThan(200 * MIB);
  expect(new Set(stdout.split('\n'))).toEqual(new Set(['EMFILE', 'ENFILE', '']));
});

test('an environment that is too large is refused', () => {
  const spender = program<null>({
    start: () => null,
    step(_, sys) {
      sys.env.LARGE = 'x'.repeat(3 * MIB);
      try {
        sys.spawn({ path: '/bin/spender', argv: ['spender'] });
      } catch (error) {
        sys.write(1, `${(error as SystemError).message}\n`);
      }
      return exit(0);
    },
  });
  expect(runCommand({ spender }, ['spender']).stdout).toBe('Argument list too long\n');
});

test.each([
  ['a volume with a limit', new FileTree('v', {}, [], MIB), 'x', '16 x 64 KiB: No space left on device\n'],
  ['zeros count too', new FileTree('v', {}, [], MIB), '\0', '16 x 64 KiB: No space left on device\n'],
  ['what is kept of a tree', new FileTree('v'), 'x', '1024 x 64 KiB: No space left on device\n'],
])('%s', (_, tree, text, stdout) => {
  const mount = { path: '/data', tree, readOnly: false, source: '/dev/vda1', type: 'ext4', options: ['rw'] };
  expect(runCommand(programs, ['filler', '/data', text], { mounts: [mount] }).stdout).toBe(stdout);
});

test('a log keeps 50 MiB, the newest', () => {
  const { machine } = runCommand(programs, ['shouter']);
  const { logs, droppedLines } = machine.container('c1');
  expect(logs.length + droppedLines).toBe(60_000);
  expect(logs.length * 1_024).toBeLessThanOrEqual(50 * MIB);
  expect(logOf(machine, 'stdout').length).toBeGreaterThan(35 * MIB);
});
