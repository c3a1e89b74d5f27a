import { DEFAULT_CAPABILITIES, type ContainerSpec } from './container.js';
import type { ImageFiles } from './files/file.js';
import { FileTree } from './files/tree.js';
import { Machine, type MachineOptions } from './machine.js';
import type { Plain, Program, Programs } from './process/program.js';

/** When machines of tests are started. */
export const BOOT = Date.UTC(2026, 10, 22);

export const programsOf = (programs: Readonly<Record<string, Program>>): Programs => ({
  find: (name) => programs[name],
});

/** A program whose state needs no type of its own in a test. */
export const program = <State extends Plain>(one: Program<State>): Program => one as unknown as Program;

/** An image that has each program in /bin. */
export function imageOf(programs: Readonly<Record<string, Program>>, more: ImageFiles = {}): ImageFiles {
  const owner = { user: 0, group: 0, modified: BOOT };
  const files: Record<string, ImageFiles[string]> = {
    '/tmp': { type: 'directory', mode: 0o1777, ...owner },
    '/etc/passwd': { type: 'file', mode: 0o644, ...owner, content: 'root:x:0:0:root:/root:/bin/sh\n' },
  };
  for (const name of Object.keys(programs)) {
    files[`/bin/${name}`] = { type: 'file', mode: 0o755, ...owner, size: 1_000_000, program: name };
  }
  return { ...files, ...more };
}

export function containerOf(image: ImageFiles, fields: Partial<ContainerSpec>): ContainerSpec {
  return {
    id: 'c1',
    name: 'main',
    argv: [],
    env: { PATH: '/bin' },
    cwd: '/',
    user: 0,
    group: 0,
    groups: [],
    root: new FileTree('root', image),
    readOnlyRoot: false,
    mounts: [],
    terminal: false,
    stdin: false,
    stdinOnce: false,
    cpuShares: 2,
    processLimit: 1_000,
    capabilities: DEFAULT_CAPABILITIES,
    hostname: 'test',
    ...fields,
  };
}

export interface TestMachine {
  readonly machine: Machine;
  readonly spec: ContainerSpec;
}

/** A machine with one container that runs a command. */
export function startMachine(
  programs: Readonly<Record<string, Program>>,
  argv: readonly string[],
  fields: Partial<ContainerSpec> = {},
  options: Partial<MachineOptions> = {},
): TestMachine {
  const machine = new Machine({ id: 'm1', seed: 1, bootedAt: BOOT, programs: programsOf(programs), ...options });
  const spec = containerOf(imageOf(programs), { argv, ...fields });
  machine.start(spec, BOOT);
  return { machine, spec };
}

/** Runs to the end, or for an hour. Throws the faults of programs. */
export function runCommand(
  programs: Readonly<Record<string, Program>>,
  argv: readonly string[],
  fields: Partial<ContainerSpec> = {},
  options: Partial<MachineOptions> = {},
): { readonly stdout: string; readonly stderr: string; readonly code: number | undefined; readonly machine: Machine } {
  const { machine } = startMachine(programs, argv, fields, options);
  while (!machine.run(BOOT + 3_600_000));
  if (machine.faults.length > 0) throw new Error(machine.faults.join('\n'));
  const { exit } = machine.container('c1');
  return { stdout: logOf(machine, 'stdout'), stderr: logOf(machine, 'stderr'), code: exit?.code, machine };
}

/** One stream of the log as bytes. */
export function logOf(machine: Machine, stream: 'stdout' | 'stderr'): string {
  const lines = machine.container('c1').logs.filter((line) => line.stream === stream);
  return lines.map((line) => line.text + (line.isPartial ? '' : '\n')).join('');
}
