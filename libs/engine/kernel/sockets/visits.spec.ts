import { expect, test } from '@jest/globals';
import type { Millis } from '../../machinery/time/time.js';
import { Machine } from '../machine.js';
import { NO_NETWORK, type Network, type Visits } from '../network.js';
import { exit, YIELD } from '../process/program.js';
import { BOOT, program, programsOf, startMachine } from '../testing.js';

const CONNECTS = 150;

/** Connects once a second. */
const caller = program<{ at: number }>({
  start: () => ({ at: 0 }),
  step(state, sys) {
    sys.connect('10.96.0.9', 80 + state.at++);
    if (state.at >= CONNECTS) return exit(0);
    return state.at % 2 === 0 ? { type: 'wait', until: BOOT + state.at * 1_000 } : YIELD;
  },
});

/** A network that notes what a caller remembers, and puts it into a list for each port. */
function noting(seen: [Millis, Visits][]): Network {
  return {
    ...NO_NETWORK,
    connect(_from, _address, port, _protocol, now, visits) {
      seen.push([now - BOOT, new Map(visits)]);
      return { error: 'ECONNREFUSED', after: 0, visited: [`list ${port}`] };
    },
  };
}

test('a machine remembers when it came into lists of clients, at most a hundred of them', () => {
  const seen: [Millis, Visits][] = [];
  const { machine } = startMachine({ caller }, ['caller'], {}, { network: noting(seen) });
  machine.run(BOOT + 1_000_000);
  expect(seen).toHaveLength(CONNECTS);
  expect(seen[0]![1].size).toBe(0);
  expect([...seen[3]![1]]).toEqual([
    ['list 80', BOOT + seen[0]![0]],
    ['list 81', BOOT + seen[1]![0]],
    ['list 82', BOOT + seen[2]![0]],
  ]);
  expect([...seen.at(-1)![1].keys()]).toEqual(Array.from({ length: 100 }, (_, i) => `list ${80 + i + 49}`));
});

test('so does one that was written down', () => {
  const seen: [Millis, Visits][] = [];
  const network = noting(seen);
  const { machine, spec } = startMachine({ caller }, ['caller'], {}, { network });
  machine.run(BOOT + 5_000);
  const before = seen.length;
  const options = { id: 'm1', seed: 1, bootedAt: BOOT, programs: programsOf({ caller }), network };
  const again = new Machine({ ...options, findTree: () => spec.root }, JSON.parse(JSON.stringify(machine.save())));
  again.run(BOOT + 7_000);
  expect(seen.length).toBeGreaterThan(before);
  expect(seen[before]![1].size).toBe(before);
});
