import { describe, expect, test } from '@jest/globals';
import { type SystemError } from '../errno.js';
import { FileTree } from '../files/tree.js';
import { EXEC, exit, sleepUntil, waitForChild, YIELD, type Plain } from './program.js';
import type { Syscalls } from './syscalls.js';
import { BOOT, containerOf, imageOf, program, runCommand, startMachine } from '../testing.js';

const sleeper = program<null>({ start: () => null, step: (_, sys) => sleepUntil(sys.now + 1_000_000) });
const echo = program<null>({
  start: () => null,
  step: (_, sys) => {
    sys.write(1, `${sys.argv.join('|')}\n`);
    return exit(4);
  },
});

/** Acts once, then waits for all children and tells what became of them. */
const parent = (act: (sys: Syscalls) => void) =>
  program<{ hasActed: boolean }>({
    start: () => ({ hasActed: false }),
    step(state, sys) {
      if (!state.hasActed) {
        state.hasActed = true;
        act(sys);
        return YIELD;
      }
      try {
        const status = sys.wait(-1, { stopped: true });
        if (status === undefined) return waitForChild;
        sys.write(1, `${status.pid} ${status.state} ${status.signal ?? status.code}\n`);
        return YIELD;
      } catch (error) {
        sys.write(1, `${(error as SystemError).code}\n`);
        return exit(0);
      }
    },
  });

/** Kills a process, though it is stopped. */
const killer = program<null>({
  start: () => null,
  step(_, sys) {
    sys.kill(Number(sys.argv[1]), 'KILL');
    return exit(0);
  },
});

const run = (act: (sys: Syscalls) => void, more = {}): string =>
  runCommand({ parent: parent(act), sleeper, echo, killer, ...more }, ['parent']).stdout;

const spawn = (sys: Syscalls, ...argv: string[]): number => sys.spawn({ path: `/bin/${argv[0]}`, argv });

test.each<[string, (sys: Syscalls) => void, string]>([
  ['exit codes', (sys) => spawn(sys, 'echo', 'a b'), 'echo|a b\n2 exited 4\nECHILD\n'],
  ['a kill', (sys) => sys.kill(spawn(sys, 'sleeper'), 'TERM'), '2 killed TERM\nECHILD\n'],
  ['a stop', (sys) => stopAndKill(sys), '2 stopped STOP\n2 killed KILL\n3 exited 0\nECHILD\n'],
  ['a group', (sys) => killGroup(sys), '2 killed HUP\n3 killed HUP\nECHILD\n'],
  ['no such file', (sys) => spawn(sys, 'nothing'), ''],
])('%s', (name, act, output) => {
  if (name === 'no such file') expect(() => run(act)).toThrow('No such file or directory');
  else expect(run(act)).toBe(output);
});

function stopAndKill(sys: Syscalls): void {
  const child = spawn(sys, 'sleeper');
  sys.kill(child, 'STOP');
  sys.spawn({ path: '/bin/killer', argv: ['killer', String(child)] });
}

function killGroup(sys: Syscalls): void {
  const first = sys.spawn({ path: '/bin/sleeper', argv: ['sleeper'], group: 0 });
  sys.spawn({ path: '/bin/sleeper', argv: ['sleeper'], group: first });
  sys.kill(-first, 'HUP');
}

describe('executables', () => {
  const owner = { user: 0, group: 0, modified: 0 };
  const script = (content: string, mode = 0o755) => ({ type: 'file' as const, mode, ...owner, content });
  const files = {
    '/script': script('#!/bin/echo -x\n'),
    '/nested': script('#! /script\n'),
    '/loop': script('#!/loop\n'),
    '/plain': script('echo hello\n'),
    '/data': script('#!/bin/echo\n', 0o644),
    '/lost': script('#!/bin/nothing\n'),
    '/windows': script('#!/bin/echo\r\n'),
    '/bin/link': { type: 'link' as const, mode: 0o777, ...owner, target: 'echo' },
  };

  test.each([
    ['/script', '/bin/echo|-x|/script|1\n'],
    ['/nested', '/bin/echo|-x|/script|/nested|1\n'],
    ['/loop', 'ELOOP\n'],
    ['/plain', 'ENOEXEC\n'],
    ['/data', 'EACCES\n'],
    ['/lost', 'ENOENT\n'],
    ['/windows', 'ENOENT\n'],
    ['/etc', 'EACCES\n'],
    ['/bin/link', '/bin/link|1\n'],
  ])('%s', (path, output) => {
    const replaced = program<null>({
      start: () => null,
      step(_, sys) {
        try {
          sys.exec(path, [path, '1'], { A: 'b' });
          return EXEC;
        } catch (error) {
          sys.write(1, `${(error as SystemError).code}\n`);
          return exit(1);
        }
      },
    });
    const root = new FileTree('root', imageOf({ replaced, echo }, files));
    expect(runCommand({ replaced, echo }, ['replaced'], { root }).stdout).toBe(output);
  });
});

/** Each function is a step; -1: it waits for signals. */
const steps = (...functions: ((sys: Syscalls) => unknown)[]) =>
  program<{ at: number }>({
    start: () => ({ at: 0 }),
    step(state, sys) {
      const result = functions[state.at++]?.(sys);
      if (result === -1) return { type: 'wait' };
      return state.at < functions.length ? YIELD : exit(0);
    },
  });

describe('signals', () => {
  test('a caught signal ends a wait', () => {
    const main = steps(
      (sys) => {
        sys.handleSignal('TERM', 'catch');
        return -1;
      },
      (sys) => sys.write(1, `${sys.takeSignal()} ${sys.takeSignal()}\n`),
    );
    const { machine } = startMachine({ main }, ['main']);
    machine.signal('c1', 'TERM', BOOT + 10);
    machine.run(BOOT + 10);
    expect(machine.container('c1')).toMatchObject({
      exit: { code: 0, at: BOOT + 10 },
      logs: [{ text: 'TERM undefined' }],
    });
  });

  test.each([
    ['to itself: nothing after it is done', (sys: Syscalls) => sys.kill(sys.pid, 'ABRT'), '2 killed ABRT\nECHILD\n'],
    [
      'ignored',
      (sys: Syscalls) => (sys.handleSignal('ABRT', 'ignore'), sys.kill(sys.pid, 'ABRT')),
      'on\n2 exited 0\nECHILD\n',
    ],
    ['KILL cannot be caught', (sys: Syscalls) => sys.handleSignal('KILL', 'catch'), /Invalid argument/],
  ])('%s', (_, act, output) => {
    const child = steps((sys) => {
      act(sys);
      sys.write(1, 'on\n');
    });
    const outcome = () => run((sys) => sys.spawn({ path: '/bin/child', argv: ['child'] }), { child });
    if (output instanceof RegExp) expect(outcome).toThrow(output);
    else expect(outcome()).toBe(output);
  });

  test('what was caught is default in another program, what was ignored stays ignored', () => {
    const show = steps((sys) => sys.write(1, `${sys.signalAction('INT')} ${sys.signalAction('HUP')}\n`));
    const main = program<null>({
      start: () => null,
      step(_, sys) {
        sys.handleSignal('INT', 'catch');
        sys.handleSignal('HUP', 'ignore');
        sys.exec('/bin/show', ['show']);
        return EXEC;
      },
    });
    expect(runCommand({ main, show }, ['main']).stdout).toBe('default ignore\n');
  });
});

describe('the end of a process', () => {
  test('orphans become children of the first process, which reaps them', () => {
    const middle = steps((sys) => spawn(sys, 'echo', 'x'));
    expect(run((sys) => spawn(sys, 'middle'), { middle })).toBe('2 exited 0\necho|x\n3 exited 4\nECHILD\n');
  });

  test('the first process takes all others with it', () => {
    const main = steps(
      (sys) => spawn(sys, 'sleeper'),
      () => undefined,
    );
    const { machine } = runCommand({ main, sleeper }, ['main']);
    expect(machine.save()).toMatchObject({ processes: [], descriptions: [] });
  });

  test('a zombie is seen until it is reaped', () => {
    const main = steps(
      (sys) => spawn(sys, 'echo'),
      () => undefined,
      (sys) => sys.write(1, sys.processes().map(lineOf).join('')),
    );
    const lineOf = (one: { pid: number; parent: number; state: string; name: string }) =>
      `${one.pid} ${one.parent} ${one.state} ${one.name}\n`;
    expect(runCommand({ main, echo }, ['main']).stdout).toBe('echo\n1 0 R main\n2 1 Z echo\n');
  });

  test('a fault of a program is its own end, and is told', () => {
    const broken = program<Plain>({
      start: () => null,
      step: () => {
        throw new TypeError('no such thing');
      },
    });
    const { machine } = startMachine({ broken }, ['broken']);
    machine.run(BOOT);
    expect(machine.container('c1').exit).toMatchObject({ code: 134, signal: 'ABRT' });
    expect(machine.faults[0]).toContain('no such thing');
  });
});

test('containers that share their processes see each other, below the pause process', () => {
  const show = steps((sys) =>
    sys.write(
      1,
      sys
        .processes()
        .map((one) => `${one.pid} ${one.name}\n`)
        .join(''),
    ),
  );
  const programs = { show, sleeper };
  const { machine } = startMachine(programs, ['sleeper'], { sharesProcesses: true });
  const second = containerOf(imageOf(programs), { id: 'c2', argv: ['show'], sharesProcesses: true });
  machine.start({ ...second, root: new FileTree('root2', imageOf(programs)) }, BOOT);
  machine.run(BOOT);
  expect(machine.container('c2').logs.map((line) => line.text)).toEqual(['1 pause', '2 sleeper', '3 show']);
  machine.signal('c1', 'TERM', BOOT + 1);
  machine.run(BOOT + 1);
  expect(machine.container('c1').exit).toMatchObject({ code: 143, signal: 'TERM' });
});
