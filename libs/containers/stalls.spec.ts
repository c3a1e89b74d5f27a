import { describe, expect, test } from '@jest/globals';
import { FileTree } from '../engine/kernel/files/tree.js';
import { Machine } from '../engine/kernel/machine.js';
import type { Program, Programs } from '../engine/kernel/process/program.js';
import { BOOT, containerOf } from '../engine/kernel/testing.js';
import { debianLayer, debianPackages, directory, joinLayers } from './layers/index.js';
import { programs } from './programs/index.js';

/** Virtual ms, and real ms, that a command may go on: what is looked for shows at once. */
const TIME = 30_000;
const WATCHED = 400;
/** Real ms of one step on a busy machine: a quiet one takes a tenth of it. Without bounds these took up to a minute. */
const PATIENCE = 3_000;

const image = joinLayers(debianLayer(), debianPackages('jq', 'gawk', 'xxd'), { '/work': directory() });

/** The programs, and the longest step that one of them has made. */
class Watched implements Programs {
  longest = 0;
  private readonly known = new Map<string, Program>();

  find(name: string): Program | undefined {
    const program = programs.find(name);
    if (!program || this.known.has(name)) return this.known.get(name);
    const step: Program['step'] = (state, sys) => {
      const started = performance.now();
      try {
        return program.step(state, sys);
      } finally {
        this.longest = Math.max(this.longest, performance.now() - started);
      }
    };
    this.known.set(name, { ...program, step });
    return this.known.get(name);
  }
}

function longestStep(script: string): number {
  const watched = new Watched();
  const machine = new Machine({ id: 'm', seed: 1, bootedAt: BOOT, programs: watched });
  const env = { PATH: '/usr/bin:/bin', HOME: '/root' };
  const root = new FileTree('root', image);
  const limits = { memoryLimit: 256 << 20, processLimit: 100, cpuLimit: 1_000 };
  machine.start(containerOf({}, { argv: ['sleep', '1000000'], root, env, cwd: '/work', ...limits }), BOOT);
  const session = machine.exec('c1', { argv: ['bash', '-c', script], terminal: false, stdin: true }, BOOT + 1);
  machine.closeInput(session, BOOT + 1);
  const begin = performance.now();
  while (!machine.run(BOOT + TIME, 25_000) && !machine.output(session).ended)
    if (performance.now() - begin > WATCHED + watched.longest) break;
  expect(machine.faults).toEqual([]);
  return watched.longest;
}

const TEXT = 'x=$(head -c 2000000 /dev/zero | tr "\\0" a); ';
const AWK = 'x="a"; while (length(x) < 2000000) x = x x; while (1)';

describe('no step of a program holds a thread for long', () => {
  test.each([
    ...['y=${x//a/bb}', 'y=${x#*b}', 'y=${x%%b*}', 'y=${x^^}', '[[ $x == *b ]]', 'read y <<< "$x"'].map(
      (command) => `${TEXT}while :; do ${command}; done`,
    ),
    'a=({1..90000}); while :; do b=("${a[@]}"); a+=(x); done',
    'while :; do printf "%s\\n" {1..90000} > /dev/null; done',
    ...['y = toupper(x)', 'n = split(x, b, "a")', 'gsub(/a/, "b", x)', 'gsub(/[ab]/, "c", x)'].map(
      (command) => `awk 'BEGIN { ${AWK} ${command} }'`,
    ),
    "awk 'BEGIN { for (i = 0; i < 100000; i++) a[i] = i; while (1) n = length(a) }'",
    ...['sed "s/a/b/g"', 'sed "s/[ab]/b/g"', 'grep -o a', 'grep -c b'].map(
      (command) => `head -c 2000000 /dev/zero | tr "\\0" a | ${command} | wc -c`,
    ),
    'seq 100000 | sort -R | tail -1',
    'yes a | head -200000 | sed "s/a/bbbb/g" | tail -1',
    'seq 200000 | jq -s "map(. * 2) | add"',
  ])('%s', (script) => expect(longestStep(script)).toBeLessThan(PATIENCE));
});
