import { expect, test } from '@jest/globals';
import { Machine } from '../machine.js';
import { NO_NETWORK, type Network } from '../network.js';
import { exit, YIELD } from '../process/program.js';
import type { Syscalls } from '../process/syscalls.js';
import { BOOT, program, programsOf, startMachine } from '../testing.js';
import { forgetTrack } from './table.js';

const from = { source: '10.244.1.5', destination: '10.96.0.9', destinationPort: 80 };
const flow = { passed: [{ at: 'n', from, to: { ...from, destination: '10.244.2.3' } }], decided: 'NetworkPolicy a/b' };
let isCleared = false;
const asked: string[] = [];
const network: Network = {
  ...NO_NETWORK,
  isCleared: () => isCleared,
  connect(_from, address, port, protocol) {
    asked.push(`${protocol} ${address}:${port}`);
    if (port === 1) return { error: 'ECONNREFUSED', after: 0, flow };
    if (port === 2) return { error: 'ETIMEDOUT', after: 1_000, flow };
    return { remote: { answer: (received) => ({ send: `got ${received}`, close: false }) }, flow };
  },
  resolve: () => ({ code: 'NOERROR', records: [], delay: 0, flow }),
};

/** Does one thing a second. */
const doer = (...things: ((sys: Syscalls) => void)[]) =>
  program<{ at: number }>({
    start: () => ({ at: 0 }),
    step(state, sys) {
      const thing = things[state.at++];
      if (!thing) return exit(0);
      thing(sys);
      return state.at < things.length ? { type: 'wait', until: BOOT + state.at * 1_000 } : YIELD;
    },
  });

const start = (main: ReturnType<typeof doer>) => startMachine({ main }, ['main'], {}, { network }).machine;

test('a machine remembers what it connects to, what passes, and how that ends', () => {
  const machine = start(
    doer(
      (sys) => {
        const socket = sys.connect('10.96.0.9', 80);
        sys.write(socket, 'hello');
        sys.close(socket);
      },
      (sys) => void sys.connect('10.96.0.9', 1),
      (sys) => void sys.connect('10.96.0.9', 2),
      (sys) => void sys.queryName('10.96.0.10', 'web', 'A'),
      (sys) => void sys.echo('10.96.0.9'),
    ),
  );
  machine.run(BOOT + 6_000);
  const all = [...machine.state.tracks.values()];
  expect(all.map(({ protocol, end, bytesSent, bytesReceived }) => [protocol, end, bytesSent, bytesReceived])).toEqual([
    ['tcp', 'closed', 5, 9],
    ['tcp', 'reset', 0, 0],
    ['tcp', 'lost', 0, 0],
    ['udp', undefined, 21, 21],
    ['icmp', undefined, 64, 64],
  ]);
  expect(all[0]).toMatchObject({ ...flow, sent: { destination: '10.96.0.9', destinationPort: 80 } });
});

test('at most 64, and those that time has ended go', () => {
  const main = doer(...Array.from({ length: 100 }, () => (sys: Syscalls) => void sys.connect('10.96.0.9', 2)));
  const { machine, spec } = startMachine({ main }, ['main'], {}, { network });
  machine.run(BOOT + 98_500);
  expect(machine.state.tracks.size).toBe(64);
  const programs = programsOf({ main });
  const options = { id: 'm1', seed: 1, bootedAt: BOOT, programs, network, findTree: () => spec.root };
  expect(new Machine(options, machine.save()).state.tracks).toEqual(machine.state.tracks);
});

test('who is taken out of the table is reset, if its addresses were translated', () => {
  const codes: unknown[] = [];
  const machine = start(
    doer(
      (sys) => void sys.connect('10.96.0.9', 80),
      (sys) => {
        try {
          codes.push(sys.read(Math.max(...sys.descriptors())));
        } catch (error) {
          codes.push((error as { code: string }).code);
        }
      },
    ),
  );
  machine.run(BOOT + 500);
  for (const id of [...machine.state.tracks.keys()]) forgetTrack(machine.state, id);
  machine.run(BOOT + 2_000);
  expect(codes).toEqual(['ECONNRESET']);
});

test('datagrams go on where they went until a table has forgotten their connection', () => {
  asked.length = 0;
  const send = (sys: Syscalls): void => void sys.write(Math.max(...sys.descriptors()), 'x');
  const machine = start(doer((sys) => void sys.connect('10.96.0.9', 53, 'udp'), send, send, send));
  machine.run(BOOT + 2_500);
  expect(asked).toEqual(['udp 10.96.0.9:53']);
  isCleared = true;
  machine.run(BOOT + 4_000);
  expect(asked).toHaveLength(2);
});
