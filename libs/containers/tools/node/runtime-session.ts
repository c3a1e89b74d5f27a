import { bytesOf } from '../../../engine/kernel/bytes.js';
import { EXEC, type Program, type Wait } from '../../../engine/kernel/process/program.js';
import type { Plain } from '../../../engine/kernel/process/plain.js';
import { findCommand } from '../command.js';
import type { FilterContext } from '../filter.js';
import { defineSteps } from '../steps.js';
import { tryRuntime } from './cri/client.js';

const FIRST_WAIT = 20;
const LONGEST_WAIT = 2_000;
const MAX_PENDING = 65_536;

/** What a tool asks the node for: an operation that opens a session, and what it is given. */
export type SessionCall = {
  operation: string;
  request: { [field: string]: Plain };
  stdin: boolean;
  tty: boolean;
};

export type RuntimeSession = SessionCall & {
  /** SessionReference as JSON; '' before it is open. */
  session: string;
  stdoutFrom: number;
  stderrFrom: number;
  /** Bytes that the command has not taken. */
  pending: string;
  isStdinOver: boolean;
  isEndSent: boolean;
  wait: number;
};

export interface SessionTool {
  /** Reads the command line. A number ends the tool with this exit code. */
  begin(tool: FilterContext): SessionCall | number;
  /** The session's program has ended with a code. Returns the tool's own. */
  end(tool: FilterContext, session: RuntimeSession, code: number): number;
  /** What has been thrown; no session: by `begin`. Returns the exit code. */
  fail(tool: FilterContext, error: unknown, session?: RuntimeSession): number;
}

/** A tool that is a client of a session in another machine of the cluster; its output is fetched as it comes. */
export function defineSessionTool({ begin, end, fail }: SessionTool): Program {
  return defineSteps<RuntimeSession>({
    start(tool) {
      try {
        const call = begin(tool);
        return typeof call === 'number' ? call : open(tool, call);
      } catch (error) {
        return fail(tool, error);
      }
    },
    step(tool, session) {
      try {
        const code = advance(tool, session);
        if (typeof code !== 'number') return code;
        giveTerminalBack(tool, session);
        return end(tool, session, code);
      } catch (error) {
        giveTerminalBack(tool, session);
        return fail(tool, error, session);
      }
    },
  });
}

function open(tool: FilterContext, call: SessionCall): RuntimeSession {
  if (call.tty && tool.sys.isTerminal(0)) tool.sys.setTerminalMode(0, 'raw');
  return {
    ...call,
    ...{ session: '', stdoutFrom: 0, stderrFrom: 0, pending: '', isStdinOver: false, isEndSent: false },
    wait: FIRST_WAIT,
  };
}

function giveTerminalBack({ sys }: FilterContext, { tty }: RuntimeSession): void {
  if (tty && sys.isTerminal(0)) sys.setTerminalMode(0, 'cooked');
}

/** A number is the exit code of the session's program. */
function advance(tool: FilterContext, state: RuntimeSession): number | Wait {
  const { sys } = tool;
  if (state.session === '') {
    const { operation, request, stdin, tty } = state;
    const opened = tryRuntime(sys, operation, { ...request, stdin, tty });
    if (opened === null) return { type: 'wait', until: sys.now + FIRST_WAIT };
    if (opened['local'] === true) return runHere(tool, request['command'] as string[]);
    state.session = JSON.stringify(opened['session']);
  }
  readStdin(tool, state);
  const closeStdin = state.isStdinOver && !state.isEndSent;
  const size = state.tty && sys.isTerminal(1) ? { resize: sys.terminalSize(1) } : {};
  const input = { ...size, stdin: state.pending, ...(closeStdin ? { closeStdin } : {}) };
  const { stdoutFrom, stderrFrom } = state;
  const answer = tryRuntime(sys, 'Stream', { session: JSON.parse(state.session), stdoutFrom, stderrFrom, input });
  if (answer === null) return waitFor(sys.now + FIRST_WAIT, state);
  const [stdout, stderr] = [String(answer['stdout'] ?? ''), String(answer['stderr'] ?? '')];
  if (stdout !== '') tool.out(stdout);
  if (stderr !== '') tool.err(stderr);
  state.stdoutFrom = Number(answer['stdoutFrom']);
  state.stderrFrom = Number(answer['stderrFrom']);
  const isQuiet = stdout === '' && stderr === '' && state.pending === '';
  state.pending = state.pending.slice(Number(answer['taken'] ?? 0));
  state.isEndSent ||= closeStdin && state.pending === '';
  const exit = answer['exit'] as { readonly code: number } | undefined;
  if (exit) return exit.code;
  state.wait = isQuiet ? Math.min(LONGEST_WAIT, state.wait * 2) : FIRST_WAIT;
  return waitFor(sys.now + state.wait, state);
}

/** The session would be in the machine that asks for it: the program goes on as its command. */
function runHere({ sys }: FilterContext, command: readonly string[]): Wait {
  const argv = command.map(bytesOf);
  sys.exec(findCommand(sys, argv[0] ?? '', sys.env['PATH']), argv);
  return EXEC;
}

const waitFor = (until: number, { stdin, isStdinOver }: RuntimeSession): Wait => ({
  type: 'wait',
  until,
  ...(stdin && !isStdinOver ? { readable: [0] } : {}),
});

function readStdin({ sys }: FilterContext, state: RuntimeSession): void {
  while (state.stdin && !state.isStdinOver && state.pending.length < MAX_PENDING) {
    const bytes = sys.read(0);
    if (bytes === undefined) return;
    if (bytes === '') state.isStdinOver = true;
    state.pending += bytes;
  }
}
