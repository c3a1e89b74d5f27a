import { expect, test } from '@jest/globals';
import type { FileTree } from '../../../engine/kernel/files/tree.js';
import { Machine } from '../../../engine/kernel/machine.js';
import { BOOT, containerOf } from '../../../engine/kernel/testing.js';
import { SeededRandom } from '../../../engine/machinery/random.js';
import { machineOf } from '../testing.js';
import type { Flavour } from '../state/state.js';

const COMMANDS = [
  ...['date', 'date +%s', 'date -u +%T.%N', 'date "+%d%%%S %c %-S"', 'echo hello', 'echo err >&2', 'ls /work'],
  ...['sleep 1', 'sleep 0.3', 'sleep 0.001', 'sleep 0.1 | sleep 0.2', '(sleep 0.2; echo late)', 'false || echo no'],
  ...['echo a | cat', 'cat /etc/passwd', 'hash', 'x=1', 'i=$((i+1))', 'echo $i', 'echo "$i: $(date)"', 'date | cat'],
  ...['sh -c "echo \\$\\$"', 'echo $RANDOM', 'sleep 1 & true', 'echo z >> /tmp/x', 'cat /tmp/x', 'cat /proc/uptime'],
  ...['echo $SECONDS', 'for j in 1 2; do echo $j; done', 'nosuch', 'time sleep 1', 'i=$(expr $i + 1)', 'echo $!'],
];
const FLAVOURS: readonly Flavour[] = ['ash', 'dash', 'bash'];

/** A loop of commands in a container that may have little CPU. */
function randomLoop(seed: number): { readonly flavour: Flavour; readonly script: string; readonly cpuLimit?: number } {
  const random = new SeededRandom(seed, 7);
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!;
  const flavour = pick(FLAVOURS);
  const body = Array.from({ length: 1 + random.below(3) }, () => pick(COMMANDS));
  const head = pick(['while true', 'while true', 'while sleep 1', 'until false']);
  const script = `i=${random.below(12)}; ${head}; do ${body.join('; ')}; sleep ${pick(['1', '2', '0.4'])}; done`;
  const cpuLimit = pick([undefined, 5, 300]);
  return { flavour, script, ...(cpuLimit !== undefined && { cpuLimit }) };
}

interface Started {
  readonly machine: Machine;
  readonly root: FileTree;
}

function start({ flavour, script, cpuLimit }: ReturnType<typeof randomLoop>, runsAll: boolean): Started {
  const { options, root } = machineOf(flavour, {});
  const machine = new Machine({ ...options, runsAll });
  const argv = [flavour === 'bash' ? 'bash' : 'sh', '-c', script];
  machine.start(containerOf({}, { argv, root, env: { PATH: '/bin' }, ...(cpuLimit && { cpuLimit }) }), BOOT);
  return { machine, root };
}

function takeUp({ machine, root }: Started, flavour: Flavour): Started {
  const saved = JSON.parse(JSON.stringify(machine.save()));
  const again = machineOf(flavour, {}, root.rows());
  return { machine: new Machine({ ...again.options, findTree: () => again.root }, saved), root: again.root };
}

const END = BOOT + 30_000;

function finish({ machine, root }: Started): unknown {
  while (!machine.run(END));
  const rows = root.rows().sort((a, b) => (a.id < b.id ? -1 : 1));
  return [machine.save(), machine.container('c1').logs, rows, machine.faults];
}

test.each(Array.from({ length: 8 }, (_, seed) => [seed]))(
  'a loop that goes round is as if it was run, seed %i',
  (seed) => {
    const loop = randomLoop(seed);
    const expected = finish(start(loop, true));
    expect(finish(start(loop, false))).toEqual(expected);
    const random = new SeededRandom(seed, 1);
    let kept = start(loop, false);
    for (let at = BOOT; at < END; at += random.below(20_000)) {
      kept.machine.run(at, 1 + random.below(100_000));
      if (random.below(2) === 0) kept = takeUp(kept, loop.flavour);
    }
    expect(finish(kept)).toEqual(expected);
  },
);

test.each([
  ['while true; do date; sleep 1; done', 7_150],
  ['while true; do echo hello; sleep 1; done', 7_150],
  ['while true; do :; done', 0],
  ['i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done', 7_150],
])('two hours of %s cost next to nothing', (script, lines) => {
  const { machine } = start({ flavour: 'dash', script }, false);
  let turns = 0;
  const { processes } = machine.state;
  const get = processes.get.bind(processes);
  processes.get = (id) => (turns++, get(id));
  while (!machine.run(BOOT + 7_200_000));
  expect(turns).toBeLessThan(10_000);
  expect(machine.container('c1').logs.length).toBeGreaterThanOrEqual(lines);
});
