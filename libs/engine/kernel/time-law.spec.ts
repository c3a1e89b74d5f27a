import { expect, test } from '@jest/globals';
import { SeededRandom } from '../machinery/random.js';
import type { ContainerSpec } from './container.js';
import { SystemError } from './errno.js';
import { FileTree } from './files/tree.js';
import { Machine } from './machine.js';
import { EXEC, exit, sleepUntil, waitForChild, waitToRead, YIELD, type Wait } from './process/program.js';
import type { Syscalls } from './process/syscalls.js';
import type { Signal } from './signals.js';
import { BOOT, containerOf, imageOf, program, programsOf } from './testing.js';

/** A random act, then the next: what it draws comes from the machine's own seed. */
interface Chaos {
  [key: string]: number[] | number;
  steps: number;
  readers: number[];
  depth: number;
}

const SIGNALS: readonly Signal[] = ['TERM', 'USR1', 'STOP', 'CONT', 'KILL', 'CHLD'];

const chaos = program<Chaos>({
  start(argv, sys) {
    if (sys.random() < 0.3) sys.handleSignal('USR1', 'catch');
    if (sys.random() < 0.2) sys.handleSignal('TERM', 'ignore');
    return { steps: 12, readers: [], depth: Number(argv[1] ?? 0) };
  },
  step(state, sys) {
    if (state.steps-- <= 0) return sys.pid === 1 ? sleepUntil(sys.now + 700) : exit(sys.pid % 7);
    try {
      return act(state, sys, Math.floor(sys.random() * 17));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      sys.write(1, `${sys.pid} ${error.code}\n`);
      return YIELD;
    }
  },
});

function act(state: Chaos, sys: Syscalls, choice: number): Wait {
  const pick = (n: number): number => Math.floor(sys.random() * n);
  const file = `/tmp/f${pick(4)}`;
  switch (choice) {
    case 0:
      sys.write(1, `${sys.pid} at ${sys.now - BOOT}\n`);
      return YIELD;
    case 1:
      return sleepUntil(sys.now + pick(3_000));
    case 2:
      if (state.depth < 3) sys.spawn({ path: '/bin/chaos', argv: ['chaos', String(state.depth + 1)] });
      return YIELD;
    case 3:
      if (state.depth < 3) sys.fork({ ...state, depth: state.depth + 1 });
      return YIELD;
    case 4:
      sys.charge(pick(400_000));
      return YIELD;
    case 5:
      sys.write(sys.open(file, { append: true, create: true }), `${sys.pid} `);
      return YIELD;
    case 6:
      sys.write(1, `${sys.pid} read ${sys.read(sys.open(file, { read: true }), 20)}\n`);
      return YIELD;
    case 7:
      if (sys.random() < 0.5) sys.unlink(file);
      else sys.rename(file, `/tmp/f${pick(4)}`);
      return YIELD;
    case 8: {
      const { reader, writer } = sys.pipe();
      sys.write(writer, 'x'.repeat(pick(100)));
      state.readers.push(reader);
      if (state.depth < 3)
        sys.spawn({ path: '/bin/chaos', argv: ['chaos', '3'], descriptors: { 0: reader, 1: writer } });
      sys.close(writer);
      return YIELD;
    }
    case 9: {
      const reader = state.readers.pop();
      if (reader === undefined) return YIELD;
      const bytes = sys.read(reader);
      if (bytes === undefined) state.readers.push(reader);
      else sys.write(1, `${sys.pid} got ${bytes.length}\n`);
      return bytes === undefined ? waitToRead(reader) : YIELD;
    }
    case 10: {
      const status = sys.wait(-1, { stopped: true });
      if (status !== undefined) sys.write(1, `${sys.pid} reaped ${JSON.stringify(status)}\n`);
      return status === undefined ? waitForChild : YIELD;
    }
    case 11:
      sys.kill(1 + pick(12), SIGNALS[pick(SIGNALS.length)]!);
      sys.write(1, `${sys.pid} took ${sys.takeSignal()}\n`);
      return YIELD;
    case 12:
      sys.write(
        1,
        `${sys
          .readDirectory('/proc')
          .filter((name) => /^\d/.test(name))
          .join()}\n`,
      );
      return YIELD;
    case 13:
      state.readers.push(sys.listen(80 + pick(3)));
      return YIELD;
    case 14: {
      const socket = sys.connect('127.0.0.1', 80 + pick(3), pick(2) === 0 ? 'tcp' : 'udp');
      sys.write(1, `${sys.pid} connects ${sys.connectError(socket)} from ${sys.socketName(socket).port}\n`);
      sys.write(socket, 'y'.repeat(pick(1_000)));
      state.readers.push(socket);
      return YIELD;
    }
    case 15: {
      const accepted = sys.accept(state.readers.at(-1) ?? 0);
      if (accepted !== undefined) state.readers.push(accepted.descriptor);
      sys.write(1, `${sys.pid} accepts ${accepted?.port}\n`);
      return YIELD;
    }
    default:
      if (state.depth === 0) return YIELD;
      sys.exec('/bin/chaos', ['chaos', String(state.depth)]);
      return EXEC;
  }
}

const programs = { chaos };
const END = BOOT + 30_000;
const optionsOf = (seed: number) => ({ id: 'm', seed, bootedAt: BOOT, programs: programsOf(programs) });

function start(seed: number): { machine: Machine; spec: ContainerSpec } {
  const machine = new Machine(optionsOf(seed));
  const spec = containerOf(imageOf(programs), { argv: ['chaos'], processLimit: 20, cpuLimit: 500 });
  machine.start(spec, BOOT);
  const session = { terminal: seed % 2 === 0, stdin: true };
  const id = machine.exec('c1', { argv: ['chaos', '1'], ...session }, BOOT + 1);
  machine.input(id, 'typed\n\x1a', BOOT + 2);
  return { machine, spec };
}

/** All that can be seen of a machine at the end. */
function view({ machine, spec }: { machine: Machine; spec: ContainerSpec }) {
  const { running, exit, logs, droppedLines, listening, memory } = machine.container('c1');
  return {
    container: { running, exit, logs, droppedLines, listening, memory },
    saved: machine.save(),
    files: spec.root.rows().sort((a, b) => (a.id < b.id ? -1 : 1)),
    faults: machine.faults,
  };
}

test.each(Array.from({ length: 25 }, (_, seed) => [seed]))('looked at once or often, seed %i: the same', (seed) => {
  const once = start(seed);
  while (!once.machine.run(END));
  expect(once.machine.faults).toEqual([]);

  const often = start(seed);
  const random = new SeededRandom(seed, 1);
  for (let at = BOOT; at < END; at += random.below(900)) {
    often.machine.run(at, 1 + random.below(2_000));
    often.machine.container('c1');
  }
  while (!often.machine.run(END));
  expect(view(often)).toEqual(view(once));

  let kept = start(seed);
  for (let at = BOOT; at < END; at += random.below(3_000)) {
    kept.machine.run(at, 1 + random.below(5_000));
    const saved = JSON.parse(JSON.stringify(kept.machine.save()));
    const root = new FileTree('root', imageOf(programs), kept.spec.root.rows());
    kept = { spec: { ...kept.spec, root }, machine: new Machine({ ...optionsOf(seed), findTree: () => root }, saved) };
  }
  while (!kept.machine.run(END));
  expect(view(kept)).toEqual(view(once));
});
