import { expect, test } from '@jest/globals';
import { FileTree } from '../files/tree.js';
import { Machine } from '../machine.js';
import { exit, sleepUntil } from '../process/program.js';
import type { Syscalls } from '../process/syscalls.js';
import { BOOT, imageOf, program, programsOf, startMachine } from '../testing.js';

const LIST = '/processes.json';
const PROCESSES = [
  { pid: 1, parent: 0, user: 0, argv: ['/sbin/init'], startedAt: BOOT, memory: 4_096 },
  { pid: 90, parent: 1, user: 0, argv: ['/shim'], startedAt: BOOT, memory: 4_096 },
  { pid: 101, parent: 90, user: 0, argv: ['/taken'], startedAt: BOOT, memory: 4_096 },
  { pid: 700, parent: 90, user: 0, argv: ['watcher'], startedAt: BOOT, memory: 4_096, container: 'c1' },
];
const hostTree = (text: string): FileTree =>
  new FileTree('node', { [LIST]: { type: 'file', mode: 0o600, user: 0, group: 0, modified: 0, content: text } });
const list = JSON.stringify({ processes: PROCESSES });

/** Says each second whom it sees, for three seconds. */
const watcher = program<{ until: number }>({
  start: () => ({ until: 0 }),
  step(state, sys) {
    state.until ||= sys.now + 3_000;
    sys.write(1, `${seen(sys)}\n`);
    return sys.now >= state.until ? exit(0) : sleepUntil(sys.now + 1_000);
  },
});
const seen = (sys: Syscalls): string =>
  sys
    .processes()
    .map(({ pid, parent, name }) => `${pid}<${parent} ${name}`)
    .join(', ');
const programs = { watcher };
const HOST = { tree: hostTree(list), list: LIST };

test.each([
  ['in its host’s namespace', { pid: 100 }, '1<0 systemd, 90<1 shim, 100<90 watcher, 101<90 taken'],
  ['with a number that another has', { pid: 101 }, '1<0 systemd, 90<1 shim, 101<90 watcher'],
  ['that stands for its host', { pid: 100, hidesMain: true as const }, '1<0 systemd, 90<1 shim, 101<90 taken'],
  ['with the host’s disk alone', {}, '1<0 watcher'],
])('a container %s', (_name, more, expected) => {
  const { machine } = startMachine(programs, ['watcher'], { host: { ...HOST, ...more } });
  machine.run(BOOT);
  expect(machine.container('c1').logs[0]?.text).toBe(expected);
});

test.each([[''], ['{}'], ['{"processes":[]}']])('a host that lists nothing: %j', (text) => {
  const { machine } = startMachine(programs, ['watcher'], { host: { tree: hostTree(text), list: LIST, pid: 100 } });
  machine.run(BOOT);
  expect(machine.container('c1').logs[0]?.text).toBe('100<0 watcher');
});

test('it sees the same after it was written down and taken up', () => {
  const { machine, spec } = startMachine(programs, ['watcher'], { host: { ...HOST, pid: 100 } });
  machine.run(BOOT + 500);
  const saved = JSON.parse(JSON.stringify(machine.save()));
  const findTree = (id: string): FileTree =>
    id === 'node' ? hostTree(list) : id === 'root' ? spec.root : new FileTree(id);
  const options = { id: 'm1', seed: 1, bootedAt: BOOT, programs: programsOf(programs), findTree };
  const other = new Machine(options, saved);
  other.run(BOOT + 5_000);
  machine.run(BOOT + 5_000);
  expect(other.container('c1').logs).toEqual(machine.container('c1').logs);
  expect(other.container('c1').logs).toHaveLength(4);
  expect(other.container('c1').exit).toMatchObject({ code: 0 });
});

test('it is no first process of a namespace: signals end it by default', () => {
  const idle = program<null>({ start: () => null, step: () => sleepUntil(BOOT + 3_600_000) });
  const root = new FileTree('root', imageOf({ idle }));
  const { machine } = startMachine({ idle }, ['idle'], { root, host: { ...HOST, pid: 100 } });
  machine.run(BOOT);
  machine.signal('c1', 'TERM', BOOT + 1);
  machine.run(BOOT + 1);
  expect(machine.container('c1').exit).toMatchObject({ code: 143, signal: 'TERM' });
});
