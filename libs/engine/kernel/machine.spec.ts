import { describe, expect, test } from '@jest/globals';
import type { SystemError } from './errno.js';
import { Machine } from './machine.js';
import { exit, sleepUntil, waitForChild, waitToRead, YIELD, type Program } from './process/program.js';
import type { Syscalls } from './process/syscalls.js';
import { BOOT, containerOf, imageOf, program, runCommand, startMachine } from './testing.js';

const echo = program<null>({
  start: () => null,
  step: (_, sys) => {
    sys.write(1, `${sys.argv.slice(1).join(' ')}\n`);
    return exit(0);
  },
});

/** Copies its input to its output. */
const cat = program<{ left: string }>({
  start: () => ({ left: '' }),
  step(state, sys) {
    if (state.left !== '') {
      state.left = state.left.slice(sys.write(1, state.left));
      return state.left === '' ? YIELD : { type: 'wait', writable: [1] };
    }
    const bytes = sys.read(0);
    if (bytes === '') return exit(0);
    state.left = bytes ?? '';
    return bytes === undefined ? waitToRead(0) : YIELD;
  },
});

const yes = program<null>({
  start: () => null,
  step: (_, sys) => (sys.write(1, 'y\n'.repeat(1_000)) === 0 ? { type: 'wait', writable: [1] } : YIELD),
});

/** Ticks every second. */
const clock = program<{ next: number }>({
  start: (_, sys) => ({ next: sys.now }),
  step(state, sys) {
    sys.write(1, `${(sys.now - BOOT) / 1_000}\n`);
    state.next += 1_000;
    return sleepUntil(state.next);
  },
});

const sleep = program<{ until: number }>({
  start: (argv, sys) => ({ until: sys.now + Number(argv[1]) * 1_000 }),
  step: (state, sys) => (sys.now >= state.until ? exit(0) : sleepUntil(state.until)),
});

/** yes | cat, and reads only once: the first ends by SIGPIPE. */
const pipeline = program<{ step: number; reader: number }>({
  start: () => ({ step: 0, reader: -1 }),
  step(state, sys) {
    if (state.step++ === 0) {
      const { reader, writer } = sys.pipe();
      sys.spawn({ path: '/bin/yes', argv: ['yes'], descriptors: { 0: 0, 1: writer, 2: 2 } });
      sys.close(writer);
      state.reader = reader;
      return waitToRead(reader);
    }
    if (state.step === 2) {
      sys.write(1, `${sys.read(state.reader, 4)}`);
      sys.close(state.reader);
      return waitForChild;
    }
    const status = sys.wait(-1);
    if (status === undefined) return waitForChild;
    sys.write(1, `${status.state} ${status.signal} ${status.code}\n`);
    return exit(3);
  },
});

const programs = { echo, cat, yes, clock, sleep, pipeline };

/** A program that is one function, run once. */
const once = (run: (sys: Syscalls) => void): Program =>
  program<null>({
    start: () => null,
    step: (_, sys) => {
      run(sys);
      return exit(0);
    },
  });

describe('a machine', () => {
  test('runs a command, and its output is the log', () => {
    const { machine } = startMachine(programs, ['echo', 'hello', 'world']);
    expect(machine.run(BOOT + 1_000)).toBe(true);
    expect(machine.container('c1')).toMatchObject({
      running: false,
      exit: { code: 0, at: BOOT, outOfMemory: false },
      logs: [{ at: BOOT, stream: 'stdout', text: 'hello world', isPartial: false }],
    });
  });

  test('a pipe has 64 KiB, blocks its writer, and breaks with SIGPIPE', () => {
    expect(runCommand(programs, ['pipeline'])).toMatchObject({ stdout: 'y\ny\nkilled PIPE 141\n', code: 3 });
  });

  test.each([
    ['at once', [10_000]],
    ['in steps', [1, 999, 1_000, 1_001, 4_500, 10_000]],
  ])('a clock prints the same %s', (_, times) => {
    const { machine } = startMachine(programs, ['clock']);
    for (const time of times) machine.run(BOOT + time);
    expect(machine.container('c1').logs.map((line) => [line.at - BOOT, line.text])).toEqual(
      Array.from({ length: 11 }, (_, second) => [second * 1_000, String(second)]),
    );
  });

  test('is written down and taken up', () => {
    const { machine, spec } = startMachine(programs, ['clock']);
    machine.run(BOOT + 2_500);
    const saved = JSON.parse(JSON.stringify(machine.save()));
    const again = startMachine(programs, ['clock']).machine;
    again.run(BOOT + 5_000);
    const other = new Machine(
      {
        id: 'm1',
        seed: 1,
        bootedAt: BOOT,
        programs: { find: (name) => programs[name as 'clock'] },
        findTree: () => spec.root,
      },
      saved,
    );
    other.run(BOOT + 5_000);
    const viewOf = (one: Machine) => {
      const { running, exit, logs, droppedLines, listening, memory } = one.container('c1');
      return { running, exit, logs, droppedLines, listening, memory };
    };
    expect(viewOf(other)).toEqual(viewOf(again));
    expect(other.save()).toEqual(again.save());
  });
});

describe('exec', () => {
  test('a session has streams of its own, and the exit code', () => {
    const { machine } = startMachine(programs, ['sleep', '100']);
    const session = machine.exec('c1', { argv: ['cat'], terminal: false, stdin: true }, BOOT + 1_000);
    machine.input(session, 'abc\n', BOOT + 2_000);
    machine.run(BOOT + 2_000);
    expect(machine.output(session)).toMatchObject({ stdout: 'abc\n', ended: false });
    machine.closeInput(session, BOOT + 3_000);
    machine.run(BOOT + 3_000);
    expect(machine.output(session)).toMatchObject({ stdout: 'abc\n', ended: true, exit: { code: 0 } });
  });

  test.each([
    [['foo'], 'exec: "foo": executable file not found in $PATH'],
    [['/foo'], 'exec: "/foo": stat /foo: no such file or directory'],
    [['/etc/passwd'], 'exec: "/etc/passwd": permission denied'],
    [['/tmp'], 'exec: "/tmp": is a directory'],
  ])('%j says %s', (argv, message) => {
    const { machine } = startMachine(programs, ['sleep', '100']);
    expect(() => machine.exec('c1', { argv, terminal: false, stdin: false }, BOOT)).toThrow(message);
  });

  test('on a terminal keys are echoed, erased and become lines', () => {
    const { machine } = startMachine(programs, ['sleep', '100']);
    const session = machine.exec('c1', { argv: ['cat'], terminal: true, stdin: true }, BOOT);
    machine.input(session, 'ax\x7fb\r', BOOT);
    machine.run(BOOT);
    expect(machine.output(session).stdout).toBe('ax\b \bb\r\nab\r\n');
    machine.input(session, '\x03', BOOT);
    machine.run(BOOT);
    expect(machine.output(session)).toMatchObject({ ended: true, exit: { code: 130, signal: 'INT' } });
  });
});

describe('signals from outside', () => {
  test.each([
    ['TERM', undefined],
    ['KILL', { code: 137, signal: 'KILL', at: BOOT + 5_000, outOfMemory: false }],
  ] as const)('%s to a main process without handlers', (signal, expected) => {
    const { machine } = startMachine(programs, ['sleep', '100']);
    machine.signal('c1', signal, BOOT + 5_000);
    machine.run(BOOT + 6_000);
    expect(machine.container('c1').exit).toEqual(expected);
  });
});

test.each<[string, (sys: Syscalls) => void, string]>([
  ['a file keeps what was written', (sys) => write(sys, '/tmp/a', 'abc'), 'abc'],
  ['/dev/zero and /dev/full', (sys) => write(sys, '/dev/full', 'a'), 'ENOSPC'],
  ['/proc/self/cmdline', (sys) => sys.write(1, read(sys, '/proc/self/cmdline')), 'test\0'],
  ['/dev/stdout is the log', (sys) => sys.write(sys.open('/dev/stdout', { write: true }), 'x'), 'x'],
  ['/proc/self/fd', (sys) => sys.write(1, sys.readDirectory('/proc/self/fd').join()), '0,1,2'],
  ['/sys/fs/cgroup/memory.max', (sys) => sys.write(1, read(sys, '/sys/fs/cgroup/memory.max')), 'max\n'],
])('%s', (_, run, stdout) => {
  const test = once((sys) => {
    try {
      run(sys);
    } catch (error) {
      sys.write(1, (error as SystemError).code);
    }
  });
  expect(runCommand({ test }, ['test']).stdout).toBe(stdout);
});

function read(sys: Syscalls, path: string): string {
  return sys.read(sys.open(path, { read: true })) ?? '(would block)';
}

function write(sys: Syscalls, path: string, text: string): void {
  const descriptor = sys.open(path, { write: true, create: true });
  sys.write(descriptor, text);
  sys.close(descriptor);
  sys.write(1, read(sys, path));
}

test('an image is shared: a container that writes has its own changes', () => {
  const touch = once((sys) => write(sys, '/etc/passwd', 'x'));
  const image = imageOf({ touch });
  const spec = containerOf(image, { argv: ['touch'] });
  const { machine } = startMachine({ touch }, ['touch'], spec);
  machine.run(BOOT);
  expect(image['/etc/passwd']!.content).toContain('root');
  expect(spec.root.takeChanges().map((row) => row.id)).toEqual(['i/etc/passwd']);
});
