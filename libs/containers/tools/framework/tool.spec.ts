import { describe, expect, test } from '@jest/globals';
import { parseOptions } from './options.js';
import { defineFilter } from './filter.js';
import { TestMachine } from '../testing/run-tool.js';
import { defineTool, ToolFailure } from './tool.js';

const probe = defineTool(
  (tool) => {
    const options = parseOptions(tool, ['a,all', 'w,width:', 'color::', 'context']);
    for (const [key, value] of options.all) tool.out(`${key}=${value} `);
    tool.out(`[${options.operands.join(' ')}]\n`);
    return 0;
  },
  { usage: '[-aw] [FILE]...', usageCode: 2 },
);
const upper = defineTool((tool) => {
  tool.out(tool.stdin().toUpperCase());
  return 0;
});
const numbered = defineFilter<{ count: number }>({
  start: (tool) => ({ files: tool.args, state: { count: 0 } }),
  take(tool, state, line, isWhole) {
    tool.out(`${++state.count} ${line}${isWhole ? '\n' : ''}`);
    return state.count === 3 ? 9 : undefined;
  },
});
const endless = defineFilter<null>({
  start: () => ({ files: ['/zero'], state: null }),
  unit: 'chunk',
  take: (tool) => tool.out('y\n'.repeat(50_000)),
});
const broken = defineTool(() => {
  throw new ToolFailure('it is so', 3);
});
/** Does a step that takes a second, and says what it is about before and after. */
const patient = defineTool((tool) => {
  tool.out('begin\n');
  const found = tool.once(() => ({ value: 'found', delay: 1_000 }));
  tool.out(`${found}\n`);
  return 0;
});
/** When lines come, in ms since the first. */
const timed = defineFilter<{ since: number | null }>({
  start: () => ({ files: [], state: { since: null } }),
  take(tool, state, line) {
    state.since ??= tool.sys.now;
    tool.out(`${tool.sys.now - state.since} ${line}\n`);
    return undefined;
  },
});
const programs = { probe, upper, numbered, endless, broken, patient, timed, probeb: probe.as('busybox') };
const machine = () =>
  new TestMachine(programs, { '/work/a': 'one\ntwo\n', '/work/b': 'three\nfour', '/zero': 'x'.repeat(200_000) });

describe('command lines', () => {
  test.each([
    ['probe -aw5 x --all y', 'a= w=5 a= [x y]\n'],
    ['probe -w 5 -- -a', 'w=5 [-a]\n'],
    ['probe --wid=5 --color --color=auto -', 'w=5 color= color=auto [-]\n'],
    ['probe --help', 'Usage: probe [-aw] [FILE]...\n'],
    ['probe --version', 'probe (GNU coreutils) 9.1\n'],
  ])('%s', (line, stdout) => expect(machine().run(line)).toEqual({ stdout, stderr: '', code: 0 }));

  const hint = "Try 'probe --help' for more information.\n";
  const banner = 'BusyBox v1.37.0 (2024-09-26 21:31:42 UTC) multi-call binary.\n';
  test.each([
    ['probe -az', `probe: invalid option -- 'z'\n${hint}`],
    ['probe -w', `probe: option requires an argument -- 'w'\n${hint}`],
    ['probe --width', `probe: option '--width' requires an argument\n${hint}`],
    ['probe --all=1', `probe: option '--all' doesn't allow an argument\n${hint}`],
    ['probe --foo', `probe: unrecognized option '--foo'\n${hint}`],
    ['probe --co', `probe: option '--co' is ambiguous; possibilities: '--color' '--context'\n${hint}`],
    ['probeb -z', `probeb: invalid option -- 'z'\n${banner}\nUsage: probeb [-aw] [FILE]...\n`],
  ])('%s is refused', (line, stderr) => expect(machine().run(line)).toEqual({ stdout: '', stderr, code: 2 }));
});

test('a tool runs once, when all of its input is there', () => {
  expect(machine().run('numbered a | upper').stdout).toBe('1 ONE\n2 TWO\n');
});

test('a filter goes from file to file, and ends when it says so', () => {
  expect(machine().run('numbered a b')).toEqual({ stdout: '1 one\n2 two\n3 three\n', stderr: '', code: 9 });
  expect(machine().run('numbered x b')).toEqual({
    stdout: '1 three\n2 four',
    stderr: 'numbered: x: No such file or directory\n',
    code: 1,
  });
});

test('output waits for its reader, and a reader that ends stops the writer', () => {
  expect(machine().run('endless | numbered')).toEqual({ stdout: '1 y\n2 y\n3 y\n', stderr: '', code: 9 });
});

test('a failure has its own code', () => {
  expect(machine().run('broken')).toEqual({ stdout: '', stderr: 'broken: it is so\n', code: 3 });
});

test('what a tool prints before it waits is shown once, and before that', () => {
  expect(machine().run('patient').stdout).toBe('begin\nfound\n');
  expect(machine().run('patient | timed').stdout).toBe('0 begin\n1000 found\n');
});
