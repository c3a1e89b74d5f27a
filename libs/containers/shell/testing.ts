import { describe, expect, test } from '@jest/globals';
import type { FileNode } from '../../engine/kernel/files/file.js';
import { FileTree, type FileRow } from '../../engine/kernel/files/tree.js';
import { BOOT, containerOf, programsOf } from '../../engine/kernel/testing.js';
import { Machine, type MachineOptions } from '../../engine/kernel/machine.js';
import { programs as tools } from '../tools/coreutils/index.js';
import { programs as shells } from './index.js';
import type { Plain, Program } from './kernel.js';
import type { Flavour } from './state/state.js';

export interface Run {
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The state is written down and taken up again after every step. */
  readonly isSaved?: boolean;
}

/** What a shell has written and its exit code. */
export type Outcome = readonly [stdout: string, stderr: string, code: number | undefined];

const copy = (state: Plain): Plain => JSON.parse(JSON.stringify(state)) as Plain;

/** The program with a state that nothing but JSON has carried from one step to the next. */
function throughJson(program: Program): Program {
  return {
    start: (argv, sys) => copy(program.start(argv, sys)),
    step: (state, sys) => {
      const own = copy(state) as Record<string, Plain>;
      const wait = program.step(own, sys);
      const kept = state as Record<string, Plain>;
      for (const key of Object.keys(kept)) delete kept[key];
      Object.assign(kept, copy(own));
      return wait;
    },
  };
}

const OWNER = { user: 0, group: 0, modified: BOOT };

function filesOf(flavour: Flavour, files: Readonly<Record<string, string>>): Record<string, FileNode> {
  const nodes: Record<string, FileNode> = {
    '/work': { type: 'directory', mode: 0o755, ...OWNER },
    '/root': { type: 'directory', mode: 0o700, ...OWNER },
    '/tmp': { type: 'directory', mode: 0o1777, ...OWNER },
    '/etc/passwd': { type: 'file', mode: 0o644, ...OWNER, content: 'root:x:0:0:root:/root:/bin/sh\n' },
  };
  const kind = flavour === 'ash' ? 'busybox:' : 'coreutils:';
  const addProgram = (name: string, program: string): void => {
    nodes[`/bin/${name}`] = { type: 'file', mode: 0o755, ...OWNER, size: 100_000, program };
  };
  for (const name of Object.keys(tools)) if (name.startsWith(kind)) addProgram(name.slice(kind.length), name);
  for (const name of Object.keys(shells)) addProgram(name, name);
  addProgram('sh', flavour === 'bash' ? 'dash' : flavour);
  for (const [path, content] of Object.entries(files)) {
    nodes[path] = { type: 'file', mode: 0o755, ...OWNER, content };
  }
  return nodes;
}

/** What a machine with a shell's tools is made of. */
export function machineOf(
  flavour: Flavour,
  run: Run,
  rows: readonly FileRow[] = [],
): {
  readonly options: MachineOptions;
  readonly root: FileTree;
} {
  const own = run.isSaved
    ? Object.fromEntries(Object.entries(shells).map(([name, program]) => [name, throughJson(program)]))
    : shells;
  const options = { id: 'm', seed: 1, bootedAt: BOOT, programs: programsOf({ ...tools, ...own }) };
  return { options, root: new FileTree('root', filesOf(flavour, run.files ?? {}), rows) };
}

/** A machine whose only container sleeps: shells are started in it by exec. */
export function startMachine(flavour: Flavour, run: Run = {}): Machine {
  const { options, root } = machineOf(flavour, run);
  const machine = new Machine(options);
  const env = { PATH: '/usr/bin:/bin', HOME: '/root', ...run.env };
  machine.start(containerOf({}, { argv: ['sleep', '1000000'], root, env, cwd: '/work' }), BOOT);
  return machine;
}

/** Runs a shell to its end, for ten minutes at most. Throws the faults of programs. */
export function runShell(flavour: Flavour, args: readonly string[], run: Run = {}): Outcome {
  const machine = startMachine(flavour, run);
  const argv = [flavour === 'bash' ? 'bash' : 'sh', ...args];
  const session = machine.exec('c1', { argv, terminal: false, stdin: true }, BOOT + 1);
  machine.input(session, run.stdin ?? '', BOOT + 1);
  machine.closeInput(session, BOOT + 1);
  while (!machine.run(BOOT + 600_000));
  if (machine.faults.length > 0) throw new Error(machine.faults.join('\n'));
  const { stdout, stderr, exit } = machine.output(session);
  return [stdout, stderr, exit?.code];
}

export interface ScriptCase extends Partial<Record<Flavour, Outcome>> {
  readonly script: string;
  /** What all three shells do. */
  readonly all?: Outcome;
}

const FLAVOURS: readonly Flavour[] = ['dash', 'ash', 'bash'];

/** Runs each script as `sh -c` does, in one go and with its state written down after every step. */
export function testScripts(name: string, cases: readonly ScriptCase[]): void {
  const rows = FLAVOURS.flatMap((flavour) =>
    cases.flatMap((one) => {
      const outcome = one[flavour] ?? one.all;
      return outcome ? [{ flavour, script: one.script, outcome }] : [];
    }),
  );
  describe(name, () => {
    test.each(rows)('$flavour: $script', ({ flavour, script, outcome }) => {
      expect(runShell(flavour, ['-c', script])).toEqual(outcome);
      expect(runShell(flavour, ['-c', script], { isSaved: true })).toEqual(outcome);
    });
  });
}
