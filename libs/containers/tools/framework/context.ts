import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { addOutput, type Output } from './output.js';
import { type Flavour, programName, type ToolContext, type ToolSettings } from './tool.js';

/** A tool that sees its input as it comes cannot ask for all of it. */
export type FilterContext = Omit<ToolContext, 'stdin' | 'input'>;

/** For one step: what it prints is kept in the state until it is written. */
export function makeContext(
  { argv, output }: { readonly argv: readonly Bytes[]; readonly output: Output },
  sys: Syscalls,
  settings: ToolSettings,
  flavour: Flavour,
): FilterContext {
  const name = programName(argv, flavour);
  return {
    ...{ name, flavour, settings, sys, args: argv.slice(1) },
    out: (bytes) => addOutput(output, 1, bytes),
    err: (bytes) => addOutput(output, 2, bytes),
    warn: (message) => addOutput(output, 2, `${name}: ${message}\n`),
  };
}
