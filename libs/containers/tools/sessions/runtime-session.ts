import { bytesOf } from '../../../engine/kernel/bytes.js';
import { EXEC, type Program, type Wait } from '../../../engine/kernel/process/program.js';
import type { Plain } from '../../../engine/kernel/process/plain.js';
import { findCommand } from '../framework/command.js';
import type { FilterContext } from '../framework/filter.js';
import { defineSteps } from '../framework/steps.js';
import { ToolFailure } from '../framework/failure.js';
import { tryRuntime } from '../node/cri/client.js';
import {
  type Exchange,
  type Exchanged,
  FIRST_WAIT,
  newExchange,
  nextRequest,
  readStdin,
  takeAnswer,
  waitFor,
} from './exchange.js';

const CHUNK = 65_536;
const MAX_COLLECTED = 32 << 20;

/** What a tool asks the node for: an operation that opens a session, and what it is given. */
export type SessionCall = {
  operation: string;
  request: { [field: string]: Plain };
  stdin: boolean;
  tty: boolean;
  /** Bytes that the command gets instead of standard input. */
  given?: string;
  /** Its output is for the tool, not for standard output. */
  collects?: boolean;
};

export type RuntimeSession = SessionCall &
  Exchange & {
    /** SessionReference as JSON; '' before it is open. */
    session: string;
    /** Output that the tool wants. */
    collected: string;
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
  return { ...call, ...newExchange(call.stdin, call.tty), session: '', collected: '' };
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
    if (opened['local'] === true && (state.given !== undefined || state.collects))
      throw new ToolFailure('copies within one machine are not simulated');
    if (opened['local'] === true) return runHere(tool, request['command'] as string[]);
    state.session = JSON.stringify(opened['session']);
  }
  if (state.given === undefined) readStdin(tool, state);
  else takeGiven(state);
  const answer = tryRuntime(sys, 'Stream', { session: JSON.parse(state.session), ...nextRequest(tool, state) });
  if (answer === null) return waitFor(state, sys.now + FIRST_WAIT);
  const [stdout, stderr] = [String(answer['stdout'] ?? ''), String(answer['stderr'] ?? '')];
  if (state.collects) state.collected += stdout;
  else if (stdout !== '') tool.out(stdout);
  if (state.collected.length > MAX_COLLECTED) throw new ToolFailure('more than 32 MiB at once are not simulated');
  if (stderr !== '') tool.err(stderr);
  return takeAnswer(state, answer as Exchanged) ?? waitFor(state, sys.now + state.wait);
}

function takeGiven(state: RuntimeSession): void {
  const given = state.given ?? '';
  const room = CHUNK - state.pending.length;
  state.pending += given.slice(0, room);
  state.given = given.slice(room);
  state.isStdinOver = state.given === '';
}

/** The session would be in the machine that asks for it: the program goes on as its command. */
function runHere({ sys }: FilterContext, command: readonly string[]): Wait {
  const argv = command.map(bytesOf);
  sys.exec(findCommand(sys, argv[0] ?? '', sys.env['PATH']), argv);
  return EXEC;
}
