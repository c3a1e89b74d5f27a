import type { CommandResult, ExecResponse } from '@terrarium/engine';
import type { RunnableCommand } from './command-stream.js';
import { SESSION_LIMITS, type SessionLimits } from './session-limits.js';

/** A shell that says its lines in capitals; 'exit N' ends it. */
export function capitals(stdin: string): CommandResult {
  const [before = '', after] = stdin.split(/^exit /m);
  return {
    output: before.toUpperCase(),
    code: after === undefined ? 0 : Number(after.trim()),
    ended: after !== undefined,
  };
}

/** A command with the shell that says its lines in capitals. */
export const command = (options: Partial<ExecResponse>): ExecResponse => ({
  type: 'exec',
  status: 101,
  headers: {},
  command: ['sh'],
  stdin: true,
  tty: false,
  isShell: true,
  run: capitals,
  ...options,
});

/** A command whose runs wait for no turn. */
export const runAlone = (response: ExecResponse, limits: Partial<SessionLimits> = {}): RunnableCommand => ({
  response,
  limits: { ...SESSION_LIMITS, ...limits },
  run: async (input) => response.run(input),
  onEnd: () => undefined,
  close: () => undefined,
});
