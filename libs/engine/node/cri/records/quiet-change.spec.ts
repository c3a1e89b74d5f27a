import { expect, test } from '@jest/globals';
import type { Plain } from '../../../kernel/process/program.js';
import { diffPlain } from './plain-patch.js';
import { isQuiet } from './quiet-change.js';

const shell = {
  id: 7,
  status: 'waiting',
  waiting: { readable: [0] },
  descriptors: { 0: 3 },
  state: { line: 1 },
  cpu: 1,
};
const server = { id: 1, status: 'waiting', waiting: { readable: [5] }, descriptors: { 5: 4 }, state: {}, cpu: 1 };
const machine = {
  ...{ now: 1, steps: 1, counters: { process: 8 }, namespaces: { c: 8 }, ready: [], sockets: {}, pipes: {}, trees: {} },
  processes: { 1: server, 7: shell },
  descriptions: { 3: { id: 3, type: 'terminal' }, 4: { id: 4, type: 'socket' } },
  containers: { c: { id: 'c', main: 1, cpu: { used: 1, throttledUntil: 0 }, memoryPeak: 1 } },
  sessions: { 1: { stdout: { data: '' } } },
  terminals: { 0: { foreground: 7 } },
};
const changed = (change: object, processes: object = {}): Plain =>
  ({ machine: { ...machine, ...change, processes: { ...machine.processes, ...processes } }, runs: ['c'] }) as never;
const endsServer = (): Plain => ({ machine: { ...machine, processes: { 7: shell } }, runs: ['c'] }) as never;
const container = (change: object) => ({ containers: { c: { ...machine.containers.c, ...change } } });

test.each<[boolean, string, Plain]>([
  [true, 'a command that is over', changed({ now: 2, steps: 9, counters: { process: 9 }, namespaces: { c: 9 } })],
  [true, 'what it has used', changed(container({ cpu: { used: 2, throttledUntil: 0 }, memoryPeak: 2 }))],
  [true, 'what a client has read', changed({ sessions: { 1: { stdout: { data: 'x' } } } })],
  [true, 'a client that comes', changed({ sessions: { ...machine.sessions, 2: {} } })],
  [true, 'a line that a shell has read', changed({}, { 7: { ...shell, state: { line: 2 }, cpu: 2 } })],
  [true, 'news of its child', changed({}, { 7: { ...shell, hasChildNews: true } })],
  [false, 'a process that begins', changed({}, { 9: { ...shell, id: 9 } })],
  [false, 'one that ends', endsServer()],
  [false, 'one that goes on at a time', changed({}, { 7: { ...shell, waiting: { readable: [0], until: 5 } } })],
  [false, 'one that waits for a child', changed({}, { 7: { ...shell, waiting: { child: true } } })],
  [false, 'a signal', changed({}, { 7: { ...shell, pending: ['TERM'] } })],
  [false, 'a server’s memory of a request', changed({}, { 1: { ...server, state: { requests: 1 } } })],
  [false, 'work that is left', changed({ ready: [7] })],
  [false, 'bytes in a pipe', changed({ pipes: { 1: { data: 'x' } } })],
  [false, 'a file of the machine', changed({ trees: { dev: [] } })],
  [false, 'a throttled container', changed(container({ cpu: { used: 2, throttledUntil: 9 } }))],
  [false, 'an end', changed(container({ exit: { code: 1 } }))],
])('%j: %s', (expected, _what, next) => {
  const before = changed({});
  expect(isQuiet(diffPlain(before, next)!, next)).toBe(expected);
});

test.each([
  ['runs', { runs: [] }],
  ['what told a container to stop', { stopped: ['c'] }],
])('%s are no quiet change', (_what, more) => {
  const next = { ...(changed({}) as object), ...more } as unknown as Plain;
  expect(isQuiet(diffPlain(changed({}), next)!, next)).toBe(false);
});
