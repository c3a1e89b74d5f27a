import { describe, expect, test } from '@jest/globals';
import type { Machine } from '../machine.js';
import { exit, sleepUntil, waitForChild, waitToRead, YIELD } from '../process/program.js';
import { BOOT, program, startMachine } from '../testing.js';

/** Prints each line in quotes; ends at the end of its input. */
const lines = program<null>({
  start: () => null,
  step(_, sys) {
    const line = sys.read(0);
    if (line === undefined) return waitToRead(0);
    if (line === '') return exit(7);
    sys.write(1, `${JSON.stringify(line)}\n`);
    return YIELD;
  },
});

/** A raw terminal and its size, printed again when it changes. */
const raw = program<null>({
  start(_, sys) {
    sys.setTerminalMode(0, 'raw');
    sys.handleSignal('WINCH', 'catch');
    return null;
  },
  step(_, sys) {
    const signal = sys.takeSignal();
    const { columns, rows } = sys.terminalSize(0);
    if (signal !== undefined) sys.write(1, `${signal} ${columns}x${rows}\n`);
    const keys = sys.read(0);
    if (keys !== undefined) sys.write(1, `${JSON.stringify(keys)}\n`);
    return keys === 'q' ? exit(0) : waitToRead(0);
  },
});

/** A shell's job control: runs lines as a job in the foreground, and tells what became of it. */
const jobs = program<{ pid: number }>({
  start(argv, sys) {
    sys.handleSignal('TTOU', 'ignore');
    const pid = sys.spawn({ path: `/bin/${argv[1]}`, argv: [argv[1]!], group: 0 });
    if (argv[2] !== 'background') sys.setForeground(0, pid);
    return { pid };
  },
  step(state, sys) {
    const status = sys.wait(-1, { stopped: true });
    if (status === undefined) return waitForChild;
    if (status.state !== 'continued') sys.setForeground(0, sys.groupOf(0));
    sys.write(1, `[${status.state} ${status.signal ?? status.code}]\n`);
    if (status.state === 'continued') return YIELD;
    if (status.state !== 'stopped') return exit(0);
    sys.setForeground(0, state.pid);
    sys.kill(-state.pid, 'CONT');
    return YIELD;
  },
});

const sleeper = program<null>({ start: () => null, step: (_, sys) => sleepUntil(sys.now + 1_000_000) });

const programs = { lines, raw, jobs, sleeper };

function openTerminal(argv: string[]): { machine: Machine; type: (keys: string) => string; session: string } {
  const { machine } = startMachine(programs, ['sleeper']);
  const session = machine.exec('c1', { argv, terminal: true, stdin: true, size: { columns: 100, rows: 30 } }, BOOT);
  const type = (keys: string): string => {
    machine.input(session, keys, BOOT);
    machine.run(BOOT);
    return machine.output(session).stdout;
  };
  return { machine, type, session };
}

test.each([
  ['a line', 'ab\r', 'ab\r\n"ab\\n"\r\n'],
  ['^U kills the line', 'ab\x15c\r', 'ab\b \b\b \bc\r\n"c\\n"\r\n'],
  ['^W kills a word', 'a bc \x17d\r', 'a bc \b \b\b \b\b \bd\r\n"a d\\n"\r\n'],
  ['a character of two bytes is erased as one', '\xc3\xa9\x7f\r', '\xc3\xa9\b \b\r\n"\\n"\r\n'],
  ['a control character is seen, and erased whole', '\x01\x7fa\r', '^A\b \b\b \ba\r\n"a\\n"\r\n'],
  ['^D gives what there is', 'ab\x04', 'ab"ab"\r\n'],
  ['nothing is erased before the line', '\x7f\x7fa\r', 'a\r\n"a\\n"\r\n'],
])('%s', (_, keys, output) => {
  expect(openTerminal(['lines']).type(keys)).toBe(output);
});

test.each([
  ['^D on an empty line is the end of the file', '\x04', { code: 7, signal: undefined }],
  ['^C interrupts', 'abc\x03', { code: 130, signal: 'INT' }],
  ['^\\ quits', '\x1c', { code: 131, signal: 'QUIT' }],
])('%s', (_, keys, exitOf) => {
  const { machine, type, session } = openTerminal(['lines']);
  type(keys);
  expect(machine.output(session)).toMatchObject({ exit: exitOf, ended: true });
});

test('raw: keys as they come, without echo and signals; the size', () => {
  const { machine, type, session } = openTerminal(['raw']);
  type('');
  expect(type('\x03')).toBe('"\\u0003"\r\n');
  machine.resize(session, { columns: 80, rows: 24 }, BOOT);
  expect(type('q')).toBe('"\\u0003"\r\nWINCH 80x24\r\n"q"\r\n');
  expect(machine.output(session).exit).toEqual({ code: 0 });
});

describe('job control', () => {
  test('^Z stops the foreground job, which goes on with CONT', () => {
    const { machine, type, session } = openTerminal(['jobs', 'lines']);
    type('a\r');
    expect(type('\x1a')).toBe('a\r\n"a\\n"\r\n^Z[stopped TSTP]\r\n[continued CONT]\r\n');
    expect(machine.output(session).exit).toBeUndefined();
  });

  test('a job in the background that reads is stopped by SIGTTIN', () => {
    const { type } = openTerminal(['jobs', 'lines', 'background']);
    expect(type('a\r')).toBe('[stopped TTIN]\r\n[continued CONT]\r\na\r\n"a\\n"\r\n');
  });

  test('^C kills the job, not the shell', () => {
    const { machine, type, session } = openTerminal(['jobs', 'lines']);
    expect(type('\x03')).toBe('^C[killed INT]\r\n');
    expect(machine.output(session).exit).toEqual({ code: 0 });
  });
});

test('a client that hangs up takes its session with it', () => {
  const { machine, type, session } = openTerminal(['lines']);
  type('');
  machine.hangUp(session, BOOT + 1_000);
  machine.run(BOOT + 1_000);
  expect(machine.hasSession(session)).toBe(false);
  const { terminals, processes, descriptions } = machine.save();
  expect([terminals.length, processes.length, descriptions.length]).toEqual([0, 1, 3]);
});

test("the container's own terminal is its log, and attached clients type into it", () => {
  const { machine } = startMachine(programs, ['lines'], { terminal: true });
  const session = machine.attach('c1', { stdin: true }, BOOT);
  machine.input(session, 'x\r', BOOT);
  machine.run(BOOT);
  expect(machine.output(session).stdout).toBe('x\r\n"x\\n"\r\n');
  expect(machine.container('c1').logs.map((line) => line.text)).toEqual(['x\r', '"x\\n"\r']);
});
