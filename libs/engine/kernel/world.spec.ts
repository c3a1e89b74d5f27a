import { expect, test } from '@jest/globals';
import type { FileTree } from './files/tree.js';
import { Machine } from './machine.js';
import { NO_NETWORK, type Network } from './network.js';
import { exit, sleepUntil, waitToRead, waitToWrite } from './process/program.js';
import { BOOT, containerOf, imageOf, logOf, program, programsOf } from './testing.js';
import { World } from './world.js';

/** Accepts one connection after the other, and answers each line with it in capitals. */
const server = program<{ listener: number; open: number[] }>({
  start: (_, sys) => ({ listener: sys.listen(80), open: [] }),
  step(state, sys) {
    const accepted = sys.accept(state.listener);
    if (accepted !== undefined) {
      state.open.push(accepted.descriptor);
      sys.write(1, `from ${accepted.address}\n`);
    }
    for (const descriptor of [...state.open]) {
      const bytes = sys.read(descriptor);
      if (bytes === undefined) continue;
      if (bytes === '') {
        sys.close(descriptor);
        state.open = state.open.filter((one) => one !== descriptor);
      } else sys.write(descriptor, bytes.toUpperCase());
    }
    return waitToRead(state.listener, ...state.open);
  },
});

/** Says hello every second, three times. */
const client = program<{ step: number; socket: number; said: number; at: number }>({
  start: (argv, sys) => ({ step: 0, socket: sys.connect(argv[1]!, 80), said: 0, at: sys.now }),
  step(state, sys) {
    switch (state.step) {
      case 0: {
        state.step = 1;
        return waitToWrite(state.socket);
      }
      case 1: {
        const error = sys.connectError(state.socket);
        if (error !== undefined) {
          sys.write(1, `${error} after ${sys.now - state.at}\n`);
          return exit(1);
        }
        sys.write(state.socket, `hello ${++state.said}\n`);
        state.step = 2;
        return waitToRead(state.socket);
      }
      default: {
        sys.write(1, sys.read(state.socket) ?? '(blocks)\n');
        if (state.said === 3) return exit(0);
        state.step = 1;
        state.at += 1_000;
        return sleepUntil(state.at);
      }
    }
  },
});

/** Answers its one client 700 ms after it has asked. */
const slow = program<{ listener: number; client: number; asked: number }>({
  start: (_, sys) => ({ listener: sys.listen(80), client: -1, asked: 0 }),
  step(state, sys) {
    if (state.client < 0) state.client = sys.accept(state.listener)?.descriptor ?? -1;
    if (state.client < 0) return waitToRead(state.listener);
    if (state.asked === 0) {
      if (sys.read(state.client) === undefined) return waitToRead(state.client);
      state.asked = sys.now;
    }
    if (sys.now < state.asked + 700) return sleepUntil(state.asked + 700);
    sys.write(state.client, 'LATE\n');
    return exit(0);
  },
});

/** Connects, and then works for 50 ms in one step. */
const busy = program<{ step: number; socket: number }>({
  start: (argv, sys) => ({ step: 0, socket: sys.connect(argv[1]!, 80) }),
  step(state, sys) {
    if (state.step++ === 0) return waitToWrite(state.socket);
    sys.charge(50_000);
    return waitToRead(state.socket);
  },
});

const programs = { server, client, slow, busy };

const networkOf = (address: string): Network => ({
  ...NO_NETWORK,
  interfaces: () => [
    ...NO_NETWORK.interfaces(),
    { name: 'eth0', index: 2, addresses: [`${address}/24`], mac: '0a:58:0a:f4:00:02', mtu: 1_500, isUp: true },
  ],
  connect: (_, to, port) =>
    to === '10.0.0.9'
      ? { error: 'ETIMEDOUT', after: 3_000 }
      : { machine: to === '10.0.0.1' ? 'a' : 'b', port, from: address },
});

function makeWorld() {
  const machines = new Map<string, Machine>();
  const trees = new Map<string, FileTree>();
  const loads: { id: string; at: number }[] = [];
  const world = new World((id, at) => {
    loads.push({ id, at });
    return machines.get(id);
  });
  const make = (id: string, address: string, saved?: ReturnType<Machine['save']>): Machine => {
    const options = { id, seed: 1, bootedAt: BOOT, programs: programsOf(programs), network: networkOf(address), world };
    const machine = new Machine({ ...options, findTree: (tree) => trees.get(`${id}/${tree}`)! }, saved);
    machines.set(id, machine);
    return machine;
  };
  const start = (id: string, address: string, argv: string[]): Machine => {
    const machine = make(id, address);
    const spec = containerOf(imageOf(programs), { argv });
    trees.set(`${id}/${spec.root.id}`, spec.root);
    machine.start(spec, BOOT);
    return machine;
  };
  return { make, start, loads };
}

const ANSWERS = 'HELLO 1\nHELLO 2\nHELLO 3\n';

test.each([
  ['at once', [10_000]],
  ['in steps', [0, 500, 1_000, 1_500, 2_000, 10_000]],
])('two machines talk %s', (_, times) => {
  const { start } = makeWorld();
  const a = start('a', '10.0.0.1', ['server']);
  a.run(BOOT);
  const b = start('b', '10.0.0.2', ['client', '10.0.0.1']);
  for (const time of times) b.run(BOOT + time);
  expect(logOf(b, 'stdout')).toBe(ANSWERS);
  expect(logOf(a, 'stdout')).toBe('from 10.0.0.2\n');
  expect(b.container('c1').exit).toMatchObject({ code: 0, at: BOOT + 2_000 });
});

test('a machine that waits for another one goes on when that does', () => {
  const { start } = makeWorld();
  start('a', '10.0.0.1', ['slow']).run(BOOT);
  const b = start('b', '10.0.0.2', ['client', '10.0.0.1']);
  b.run(BOOT + 10);
  expect([logOf(b, 'stdout'), b.nextWakeTogether()]).toEqual(['', BOOT + 700]);
  b.run(BOOT + 700);
  expect([logOf(b, 'stdout'), b.nextWakeTogether()]).toEqual(['LATE\n', BOOT + 1_000]);
});

test('a look at what comes next takes no other machine further than was asked', () => {
  const { start, loads } = makeWorld();
  start('a', '10.0.0.1', ['server']).run(BOOT);
  const b = start('b', '10.0.0.2', ['busy', '10.0.0.1']);
  b.run(BOOT + 10);
  expect(b.now).toBeGreaterThan(BOOT + 40);
  loads.length = 0;
  b.nextWakeTogether();
  expect(loads.filter(({ id }) => id === 'a')).toEqual([{ id: 'a', at: BOOT + 10 }]);
});

test('both are written down in the middle and taken up', () => {
  const { start, make } = makeWorld();
  const a = start('a', '10.0.0.1', ['server']);
  a.run(BOOT);
  const b = start('b', '10.0.0.2', ['client', '10.0.0.1']);
  b.run(BOOT + 1_500);
  make('a', '10.0.0.1', JSON.parse(JSON.stringify(a.save())));
  const again = make('b', '10.0.0.2', JSON.parse(JSON.stringify(b.save())));
  again.run(BOOT + 10_000);
  expect(logOf(again, 'stdout')).toBe(ANSWERS);
});

test.each([
  ['10.0.0.9', 'ETIMEDOUT after 3000\n'],
  ['127.0.0.1', 'ECONNREFUSED after 0\n'],
])('a connection to %s fails', (address, text) => {
  const b = makeWorld().start('b', '10.0.0.2', ['client', address]);
  b.run(BOOT + 60_000);
  expect(logOf(b, 'stdout')).toBe(text);
});

test('a stream from outside reaches what listens', () => {
  const { machine, session } = (() => {
    const one = makeWorld().start('a', '10.0.0.1', ['server']);
    return { machine: one, session: one.connect(80, BOOT + 1_000) };
  })();
  machine.input(session, 'abc', BOOT + 2_000);
  machine.run(BOOT + 2_000);
  expect(machine.output(session)).toMatchObject({ stdout: 'ABC', ended: false });
  machine.closeInput(session, BOOT + 3_000);
  machine.run(BOOT + 3_000);
  expect(machine.output(session)).toMatchObject({ stdout: 'ABC', ended: true });
  expect(() => machine.connect(81, BOOT + 3_000)).toThrow('Connection refused');
  expect(machine.container('c1').listening).toEqual([{ port: 80, protocol: 'tcp', since: BOOT }]);
});
