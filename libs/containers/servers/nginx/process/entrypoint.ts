import { SystemError } from '../../../../engine/kernel/errno.js';
import { EXEC, exit, sleepUntil, type Program, type Wait, YIELD } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { findCommand } from '../../../tools/framework/command.js';
import { reapChildren } from '../../children.js';
import { ENTRYPOINT_PROCESSES, lineTime, startLines } from './lines.js';
import { startOf, versionOf } from '../version.js';

type State = { written: number; startedAt: number; isScript: boolean; scripts: number };

/** /docker-entrypoint.sh: it says what it does, and becomes its arguments. Its scripts are processes that just end. */
export const entrypoint: Program<State> = {
  start: (_argv, sys) => ({ written: 0, startedAt: startOf(sys), isScript: false, scripts: 0 }),
  step(state, sys) {
    if (state.isScript) return exit(0);
    const words = sys.argv.slice(1);
    const isServer = words[0] === 'nginx' || words[0] === 'nginx-debug';
    if (isServer && state.written > 0 && state.scripts < ENTRYPOINT_PROCESSES) return runScript(state, sys);
    reapChildren(sys);
    const { entrypoint: lines, master } = startLines(state.startedAt, versionOf(sys), isServer);
    const count = lines.length + master.length;
    for (; state.written < lines.length; state.written++) {
      const at = state.startedAt + lineTime(state.written, count);
      if (state.written === 1 && state.scripts === 0) return YIELD;
      if (sys.now < at) return sleepUntil(at);
      sys.write(1, `${lines[state.written]}\n`);
    }
    try {
      sys.exec(findCommand(sys, words[0] ?? ''), words);
      return EXEC;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      sys.write(2, `/docker-entrypoint.sh: 47: exec: ${words[0] ?? ''}: not found\n`);
      return exit(127);
    }
  },
};

/** One after the other, so that a low limit of processes does not matter. */
function runScript(state: State, sys: Syscalls): Wait {
  reapChildren(sys);
  state.scripts++;
  try {
    sys.fork({ ...state, isScript: true });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
  return YIELD;
}
