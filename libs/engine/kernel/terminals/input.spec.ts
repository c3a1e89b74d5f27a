import { beforeEach, expect, test } from '@jest/globals';
import type { Process } from '../process/process.js';
import { BOOT, programsOf } from '../testing.js';
import { Machine } from '../machine.js';
import { makeTerminal, readTerminal, setTerminalMode } from './input.js';
import type { Terminal } from './terminal.js';

const READER = { terminal: -1 } as Process;
let machine: Machine;
let terminal: Terminal;

beforeEach(() => {
  machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs: programsOf({}) });
  terminal = makeTerminal(machine.state, { container: 'c', namespace: 'n' });
  setTerminalMode(machine.state, terminal, 'raw');
});

const read = (max = 100): string | undefined => readTerminal(machine.state, terminal, READER, max);

test.each([
  ['whole lines', 'a\rb\r', ['a\n', 'b\n', undefined], ''],
  ['an unfinished line', 'a\rbc', ['a\n', undefined], 'bc'],
  ['nothing but an unfinished line', 'abc', [undefined], 'abc'],
])('what was typed ahead is read line by line: %s', (_, typed, lines, line) => {
  terminal.input = [typed];
  setTerminalMode(machine.state, terminal, 'cooked');
  expect(lines.map(() => read())).toEqual(lines);
  expect(terminal.line).toBe(line);
});

test('a reader that takes a part of a line gets the rest later', () => {
  terminal.input = ['abc\rd\r'];
  setTerminalMode(machine.state, terminal, 'cooked');
  expect([read(2), read(2), read(2)]).toEqual(['ab', 'c\n', 'd\n']);
});

test('what nobody has read is as it was typed for an editor, and no work is done for each line', () => {
  terminal.input = ['\r'.repeat(100_000)];
  for (let i = 0; i < 1_000; i++) {
    setTerminalMode(machine.state, terminal, 'cooked');
    setTerminalMode(machine.state, terminal, 'raw');
  }
  expect(terminal.input).toEqual(['\r'.repeat(100_000)]);
});
