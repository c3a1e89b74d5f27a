import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { FilterContext } from '../../filter.js';
import { ToolFailure } from '../../tool.js';

/** Options that come before crictl's command. */
export const GLOBAL = ['r,runtime-endpoint:', 'i,image-endpoint:', 't,timeout:', 'D,debug', 'c,config:'];

/** The last line of a command that fails, as logrus prints it to a file or a terminal. Returns the exit code. */
export function fatal(tool: Pick<FilterContext, 'sys' | 'err'>, message: string): number {
  const { sys } = tool;
  if (sys.isTerminal(2))
    tool.err(bytesOf(`\x1b[31mFATA\x1b[0m[0000] ${message}${' '.repeat(Math.max(0, 44 - message.length))} \n`));
  else
    tool.err(
      bytesOf(
        `time="${new Date(sys.now).toISOString().replace(/\.\d+/, '')}" level=fatal msg=${JSON.stringify(message)}\n`,
      ),
    );
  return 1;
}

/** What ended a command; other errors are the house's own. */
export function fail(tool: FilterContext, error: unknown, during = ''): number {
  if (!(error instanceof ToolFailure)) throw error;
  return fatal(tool, during === '' ? error.message : `${during}: ${error.message}`);
}
