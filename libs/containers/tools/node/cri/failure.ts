import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { FilterContext } from '../../framework/filter.js';
import { ToolFailure } from '../../framework/tool.js';

/** Options that come before crictl's command. */
export const GLOBAL = ['r,runtime-endpoint:', 'i,image-endpoint:', 't,timeout:', 'D,debug', 'c,config:'];

const COLOURS = { info: '36mINFO', warning: '33mWARN', fatal: '31mFATA' } as const;

/** A line of logrus, as it prints it to a file or a terminal. */
export function note(
  { sys, err }: Pick<FilterContext, 'sys' | 'err'>,
  level: keyof typeof COLOURS,
  message: string,
): void {
  const padded = `${message}${' '.repeat(Math.max(0, 44 - message.length))}`;
  if (sys.isTerminal(2)) err(bytesOf(`\x1b[${COLOURS[level]}\x1b[0m[0000] ${padded} \n`));
  else
    err(
      bytesOf(
        `time="${new Date(sys.now).toISOString().replace(/\.\d+/, '')}" level=${level} msg=${JSON.stringify(message)}\n`,
      ),
    );
}

/** The last line of a command that fails. Returns the exit code. */
export function fatal(tool: Pick<FilterContext, 'sys' | 'err'>, message: string): number {
  note(tool, 'fatal', message);
  return 1;
}

/** What ended a command; other errors are the house's own. */
export function fail(tool: FilterContext, error: unknown, during = ''): number {
  if (!(error instanceof ToolFailure)) throw error;
  return fatal(tool, during === '' ? error.message : `${during}: ${error.message}`);
}
