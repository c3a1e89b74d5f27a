import type { Program } from './kernel.js';
import { partsOf } from './builtins/index.js';
import { makeShell } from './interpreter/program.js';

/** The shells that images have as sh, bash, dash and ash. */
export const programs: Readonly<Record<string, Program>> = {
  dash: makeShell('dash', partsOf('dash')),
  ash: makeShell('ash', partsOf('ash')),
  bash: makeShell('bash', partsOf('bash')),
};
