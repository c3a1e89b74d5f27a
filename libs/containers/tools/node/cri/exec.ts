import { textOf } from '../../../../engine/kernel/bytes.js';
import type { Program, Wait } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../filter.js';
import { parseOptions } from '../../options.js';
import { defineSteps } from '../../steps.js';
import { ToolFailure } from '../../tool.js';
import { askRuntime } from '../runtime.js';
import { tryRuntime } from './client.js';
import { fail, GLOBAL } from './failure.js';
import { findContainer } from './find.js';

const OPTIONS = ['i,interactive', 't,tty', 's,sync', 'timeout:', 'r,transport:', 'q,quiet', 'e,ignore-errors'];
const ATTACH_OPTIONS = ['i,stdin', 't,tty', 'r,transport:'];
const FIRST_WAIT = 20;
const LONGEST_WAIT = 2_000;
const MAX_PENDING = 65_536;

type ExecState = {
  id: string;
  command: string[];
  stdin: boolean;
  tty: boolean;
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

/** `crictl exec`: a command in another pod's machine; its output is fetched as it comes. Models cmd/crictl/exec.go. */
export const crictlExec = sessionOf((tool) => begin(tool));

/** `crictl attach`: the container's own main process. Models cmd/crictl/attach.go. */
export const crictlAttach = sessionOf((tool) => beginAttach(tool));

function sessionOf(beginSession: (tool: FilterContext) => ExecState | number): Program {
  return defineSteps<ExecState>({
    start(tool) {
      try {
        return beginSession(tool);
      } catch (error) {
        return fail(tool, error);
      }
    },
    step(tool, state) {
      try {
        return advance(tool, state);
      } catch (error) {
        if (state.tty && tool.sys.isTerminal(0)) tool.sys.setTerminalMode(0, 'cooked');
        return fail(
          tool,
          error,
          state.command.length === 0
            ? 'attaching running container failed'
            : `execing command in container ${state.id}`,
        );
      }
    },
  });
}

function begin(tool: FilterContext): ExecState | number {
  const { operands } = parseOptions(tool, GLOBAL, true);
  const options = parseOptions({ ...tool, args: operands.slice(1) }, OPTIONS, true);
  const [id = '', ...command] = options.operands;
  if (id === '' || command.length === 0) {
    tool.out(
      'NAME:\n   crictl exec - Run a command in a running container\n\nUSAGE:\n   crictl exec [command options] [CONTAINER-ID] COMMAND [ARG...]\n',
    );
    return 0;
  }
  const found = findContainer(askRuntime(tool.sys), id);
  const tty = options.has('t');
  if (tty && tool.sys.isTerminal(0)) tool.sys.setTerminalMode(0, 'raw');
  return newState({ id: found.id, command: command.map(textOf), stdin: options.has('i'), tty });
}

function beginAttach(tool: FilterContext): ExecState | number {
  const { operands } = parseOptions(tool, GLOBAL, true);
  const options = parseOptions({ ...tool, args: operands.slice(1) }, ATTACH_OPTIONS);
  const [id] = options.operands;
  if (id === undefined) throw new ToolFailure('ID cannot be empty');
  const found = findContainer(askRuntime(tool.sys), id);
  const tty = options.has('t');
  if (tty && tool.sys.isTerminal(0)) tool.sys.setTerminalMode(0, 'raw');
  return newState({ id: found.id, command: [], stdin: options.has('i'), tty });
}

const newState = (asked: Pick<ExecState, 'id' | 'command' | 'stdin' | 'tty'>): ExecState => ({
  ...asked,
  ...{ session: '', stdoutFrom: 0, stderrFrom: 0, pending: '', isStdinOver: false, isEndSent: false, wait: FIRST_WAIT },
});

function advance(tool: FilterContext, state: ExecState): number | Wait {
  const { sys } = tool;
  if (state.session === '') {
    const { id, command, stdin, tty } = state;
    const opened = tryRuntime(sys, command.length === 0 ? 'Attach' : 'Exec', { id, command, stdin, tty });
    if (opened === null) return { type: 'wait', until: sys.now + FIRST_WAIT };
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
  if (exit) return end(tool, state, exit.code);
  state.wait = isQuiet ? Math.min(LONGEST_WAIT, state.wait * 2) : FIRST_WAIT;
  return waitFor(sys.now + state.wait, state);
}

function end(tool: FilterContext, state: ExecState, code: number): number {
  if (state.tty && tool.sys.isTerminal(0)) tool.sys.setTerminalMode(0, 'cooked');
  if (code === 0 || state.command.length === 0) return 0;
  throw new ToolFailure(`command terminated with exit code ${code}`);
}

const waitFor = (until: number, { stdin, isStdinOver }: ExecState): Wait => ({
  type: 'wait',
  until,
  ...(stdin && !isStdinOver ? { readable: [0] } : {}),
});

function readStdin({ sys }: FilterContext, state: ExecState): void {
  while (state.stdin && !state.isStdinOver && state.pending.length < MAX_PENDING) {
    const bytes = sys.read(0);
    if (bytes === undefined) return;
    if (bytes === '') state.isStdinOver = true;
    state.pending += bytes;
  }
}
