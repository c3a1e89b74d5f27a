import { type Builtin, SPECIAL_BUILTINS } from '../interpreter/builtin.js';
import type { ShellParts } from '../interpreter/program.js';
import type { Flavour } from '../state/state.js';
import { lookups, names } from './control/commands.js';
import { bashDeclarations, declarations } from './variables/declare.js';
import { bashDirectories, directories } from './system/directories.js';
import { flow } from './control/flow.js';
import { bashHistory } from './control/history.js';
import { bashJobBuiltins, jobBuiltins, waitingJobs } from './control/jobs.js';
import { arithmeticBuiltins, limits } from './system/limits.js';
import { bashOptions, options } from './variables/options.js';
import { print } from './printing/print.js';
import { bashInput, input, waitingInput } from './variables/read.js';
import { ashConditions, conditions } from './system/test.js';

/** The builtins of one shell. */
export function partsOf(flavour: Flavour): ShellParts {
  const builtins: Record<string, Builtin> = {};
  const { builtin, ...found } = lookups(() => builtins, SPECIAL_BUILTINS);
  const { source, ...posixFlow } = flow;
  Object.assign(
    builtins,
    posixFlow,
    print,
    conditions,
    declarations,
    options,
    directories,
    names,
    jobBuiltins,
    limits,
    input,
    found,
  );
  if (flavour !== 'dash') Object.assign(builtins, { source }, arithmeticBuiltins);
  if (flavour === 'ash') Object.assign(builtins, ashConditions);
  if (flavour === 'bash') {
    Object.assign(
      builtins,
      { builtin },
      bashDeclarations,
      bashOptions,
      bashDirectories,
      bashJobBuiltins,
      bashInput,
      bashHistory,
    );
  }
  return { builtins, special: SPECIAL_BUILTINS, waiting: { ...waitingJobs, ...waitingInput } };
}
