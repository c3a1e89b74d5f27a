import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import { ToolFailure } from '../framework/failure.js';
import type { FilterContext } from '../framework/filter.js';
import { defineClient } from './client.js';
import { findCommand, HelpText, TASKS } from './commands/index.js';
import { GLOBAL } from './flags/groups.js';
import { ApiFailure, explain, KubectlFailure, PlainFailure } from './session/failure.js';
import { AGENT } from './version.js';

/** kubectl: it speaks to the API server as the pod's service account, or as a kubeconfig file says. */
export const kubectl = defineClient({
  agent: AGENT,
  flags: GLOBAL,
  tasks: TASKS,
  find: findCommand,
  // The user of a binding hides the one of the kubeconfig file, as pflag's local flags do.
  settings: (flags, { command }) => (command.flags.includes('user:') ? flags.without('user') : flags),
  fail,
});

function fail(tool: FilterContext, error: unknown): number {
  if (error instanceof ApiFailure) tool.err(bytesOf(`${explain(error)}\n`));
  else if (error instanceof HelpText) tool.out(bytesOf(error.text));
  else if (error instanceof PlainFailure) tool.err(bytesOf(error.message === '' ? '' : `${error.message}\n`));
  else if (error instanceof KubectlFailure) tool.err(bytesOf(`error: ${error.message.replace(/^error: /, '')}\n`));
  else if (error instanceof ToolFailure) tool.err(`error: ${error.message}\n`);
  else if (error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)
    // What answers need not be an API server.
    tool.err(bytesOf(`error: the server's answer is none of the API: ${error.message}\n`));
  else throw error;
  const own = error instanceof KubectlFailure ? error.code : 1;
  return own === 1 && !(error instanceof HelpText) ? failureCodeOf(tool) : own;
}

function failureCodeOf({ args }: FilterContext): number {
  try {
    return findCommand(args.map((word) => textOf(word))).command.failureCode ?? 1;
  } catch {
    return 1;
  }
}
