import { expect, test } from '@jest/globals';
import { FileTree } from '../files/tree.js';
import { Machine } from '../machine.js';
import { exit, sleepUntil } from '../process/program.js';
import { BOOT, program, programsOf, startMachine } from '../testing.js';

/** Writes one piece a second, to stderr when it begins with '!'. */
const writer = program<{ at: number }>({
  start: () => ({ at: 1 }),
  step(state, sys) {
    const piece = sys.argv[state.at++];
    if (piece === undefined) return exit(0);
    sys.write(piece.startsWith('!') ? 2 : 1, piece.replace(/^!/, ''));
    return sleepUntil(sys.now + 1_000);
  },
});

/** 100 lines of 100 bytes each second. */
const talker = program<null>({
  start: () => null,
  step(_, sys) {
    sys.write(1, `${'x'.repeat(99)}\n`.repeat(100));
    return sleepUntil(sys.now + 1_000);
  },
});

const KIB = 1_024;

test.each<[string, string[], (readonly [number, string, string, boolean])[]]>([
  [
    'whole lines',
    ['a\nb\n'],
    [
      [0, 'stdout', 'a', false],
      [0, 'stdout', 'b', false],
    ],
  ],
  ['a line in pieces has the time of its end', ['a', 'b', 'c\n'], [[2_000, 'stdout', 'abc', false]]],
  [
    'a line without an end is partial',
    ['a\nb'],
    [
      [0, 'stdout', 'a', false],
      [1_000, 'stdout', 'b', true],
    ],
  ],
  [
    'the streams are apart',
    ['a', '!b\n', 'c\n'],
    [
      [1_000, 'stderr', 'b', false],
      [2_000, 'stdout', 'ac', false],
    ],
  ],
  [
    'empty lines and blanks',
    ['\n  x \n'],
    [
      [0, 'stdout', '', false],
      [0, 'stdout', '  x ', false],
    ],
  ],
  [
    'a long line is cut after 16 KiB',
    [`${'x'.repeat(20 * KIB)}\n`],
    [
      [0, 'stdout', 'x'.repeat(16 * KIB), true],
      [0, 'stdout', 'x'.repeat(4 * KIB), false],
    ],
  ],
])('%s', (_, pieces, lines) => {
  const { machine } = startMachine({ writer }, ['writer', ...pieces]);
  machine.run(BOOT + 10_000);
  const { logs } = machine.container('c1');
  expect(logs.map((line) => [line.at - BOOT, line.stream, line.text, line.isPartial])).toEqual(lines);
});

test('old lines stand in files of their tree; the record of a machine stays small', () => {
  const logTree = new FileTree('pod-log');
  const { machine, spec } = startMachine({ talker }, ['talker'], { logTree });
  machine.run(BOOT + 60_000);
  expect(logTree.names('/').slice(0, 2)).toEqual(['lines.0', 'lines.1']);
  const saved = JSON.stringify(machine.save());
  expect(saved.length).toBeLessThan(20 * KIB);
  const container = machine.container('c1');
  const { logs } = container;
  expect(logs).toHaveLength(6_100);
  expect(container.logText(BOOT + 60_000)).toBe(logs.map(({ text }) => `${text}\n`).join(''));
  expect(container.logText(BOOT + 59_999)).toBeUndefined();
  for (const index of [0, 1, 3_000, 6_099, 6_100, 7_000]) expect(container.logsFrom(index)).toEqual(logs.slice(index));

  const stored = new FileTree('pod-log', {}, logTree.takeChanges());
  const findTree = (id: string): FileTree => (id === 'pod-log' ? stored : spec.root);
  const options = { id: 'm1', seed: 1, bootedAt: BOOT, programs: programsOf({ talker }), findTree };
  const again = new Machine(options, JSON.parse(saved));
  expect(again.container('c1').logs).toEqual(machine.container('c1').logs);
});
