import type { ContainerSpec } from '../../../engine/kernel/container.js';
import type { MachineOptions } from '../../../engine/kernel/machine.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { imageOf, runCommand } from '../../../engine/kernel/testing.js';
import { FileTree } from '../../../engine/kernel/files/tree.js';
import { programs as shells } from '../../shell/index.js';
import { programs as coreutils } from '../coreutils/index.js';
import type { Outcome } from './run-tool.js';

/** Files of an image of specs, by path. */
export type Texts = Readonly<Record<string, string>>;

/** Runs a line of sh on a machine that has these tools, and coreutils, in /bin. */
export function runLine(
  tools: Readonly<Record<string, Program>>,
  line: string,
  files: Texts = {},
  fields: Partial<ContainerSpec> = {},
  options: Partial<MachineOptions> = {},
): Outcome {
  const basics = ['echo', 'cat', 'sleep', 'head', 'printf', 'true', 'wc'];
  const programs: Record<string, Program> = { sh: shells['dash']! };
  for (const name of basics) programs[name] = coreutils[`coreutils:${name}`]!;
  Object.assign(programs, tools);
  const owner = { user: 0, group: 0, modified: 0 };
  const more = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, { type: 'file' as const, mode: 0o644, ...owner, content }]),
  );
  const root = new FileTree('image', imageOf(programs, more));
  const { stdout, stderr, code } = runCommand(programs, ['sh', '-c', line], { root, ...fields }, options);
  return { stdout, stderr, code: code ?? -1 };
}
