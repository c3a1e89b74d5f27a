import { beforeEach, expect, test } from '@jest/globals';
import { Machine } from '../machine.js';
import type { Process } from '../process/process.js';
import { makeSession } from '../sessions/output.js';
import { BOOT, programsOf } from '../testing.js';
import { typeInto } from './discipline.js';
import { makeTerminal, readTerminal, setTerminalMode } from './input.js';
import type { Terminal } from './terminal.js';
import { noteTyped, takeTyped } from './typed.js';

const READER = { terminal: -1 } as Process;
let machine: Machine;
let session: string;
let terminal: Terminal;

beforeEach(() => {
  machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs: programsOf({}) });
  const made = makeSession(machine.state, 'exec', 'c');
  session = made.id;
  terminal = makeTerminal(machine.state, { container: 'c', sessionId: session, namespace: 'n' });
  made.terminal = terminal.id;
});

const type = (keys: string): unknown => typeInto(machine.state, terminal, keys);
const read = (max = 100): unknown => readTerminal(machine.state, terminal, READER, max);
const mode = (next: Terminal['mode']): void => setTerminalMode(machine.state, terminal, next);
const taken = (): string[] => takeTyped(machine.state, session);

test('a line is noted when a program reads it, once, however it reads', () => {
  type('one\rtwo\r');
  expect(taken()).toEqual([]);
  for (let i = 0; i < 4; i++) read(1);
  expect(taken()).toEqual(['one']);
  read();
  expect([taken(), taken()]).toEqual([['two'], []]);
});

test('what was typed or read without echo is not', () => {
  mode('no-echo');
  type('secret\r');
  mode('cooked');
  read();
  type('seen\r');
  mode('no-echo');
  read();
  mode('cooked');
  type('plain\r');
  read();
  expect(taken()).toEqual(['plain']);
});

test('keys of an editor are not, and what it tells is', () => {
  mode('raw');
  type('iabc\x1b');
  read();
  noteTyped(machine.state, terminal, 'ls -l');
  noteTyped(machine.state, terminal, '  ');
  expect(taken()).toEqual(['ls -l']);
});

test('it stays with the session when the terminal is gone, and in what is saved', () => {
  type('exit\r');
  read();
  machine.state.terminals.delete(terminal.id);
  expect(machine.save().sessions).toMatchObject([{ typed: ['exit'] }]);
  expect(taken()).toEqual(['exit']);
});

test('at most 64 lines of 1,000 bytes wait', () => {
  for (let i = 0; i < 70; i++) noteTyped(machine.state, terminal, 'x'.repeat(2_000));
  const lines = taken();
  expect([lines.length, lines[0]!.length]).toEqual([64, 1_000]);
});
