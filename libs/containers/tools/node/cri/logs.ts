import { bytesOf } from '../../../../engine/kernel/bytes.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import { SECOND } from '../../../../engine/machinery/time/time.js';
import type { FilterContext } from '../../filter.js';
import { parseOptions } from '../../options.js';
import { defineSteps } from '../../steps.js';
import { ToolFailure } from '../../tool.js';
import { askLogs, askRuntime } from '../runtime.js';
import { tryRuntime } from './client.js';
import { fail, GLOBAL } from './failure.js';
import { findContainer } from './find.js';

const OPTIONS = ['f,follow', 'tail:', 't,timestamps', 'p,previous', 'r,reopen', 'since:', 'limit-bytes:', 's,stream:'];
const RETRY_MS = 20;
/** How often a log that is followed is read. */
const PERIOD_MS = SECOND;

type LogsState = {
  id: string;
  follow: boolean;
  timestamps: boolean;
  /** Lines from the end that are shown first; -1: all. */
  tail: number;
  limit: number;
  /** Characters of the log that were seen; -1: none yet. */
  seen: number;
};

/** `crictl logs`. Models cmd/crictl/logs.go. Left out: --since and --stream. */
export const crictlLogs = defineSteps<LogsState>({
  start(tool) {
    try {
      return begin(tool);
    } catch (error) {
      return fail(tool, error);
    }
  },
  step(tool, state) {
    try {
      return advance(tool, state);
    } catch (error) {
      return fail(tool, error);
    }
  },
});

function begin(tool: FilterContext): LogsState | number {
  const { operands } = parseOptions(tool, GLOBAL, true);
  const options = parseOptions({ ...tool, args: operands.slice(1) }, OPTIONS);
  const [given] = options.operands;
  if (given === undefined) throw new ToolFailure('ID cannot be empty');
  for (const name of ['since', 's'])
    if (options.has(name))
      throw new ToolFailure(`--${name === 's' ? 'stream' : name} is not simulated: kubectl logs has it`);
  const view = askRuntime(tool.sys);
  let found = findContainer(view, given);
  if (options.has('p')) {
    const before = view.containers.find(
      ({ podId, name, attempt }) => podId === found.podId && name === found.name && attempt === found.attempt - 1,
    );
    if (!before) throw new ToolFailure(`previous terminated container ${found.name} not found`);
    found = before;
  }
  const number = (name: string): number => Number(options.value(name) ?? -1);
  const flags = { follow: options.has('f'), timestamps: options.has('t') };
  return { id: found.id, ...flags, tail: number('tail'), limit: number('limit-bytes'), seen: -1 };
}

function advance(tool: FilterContext, state: LogsState): number | Wait {
  const { sys } = tool;
  const { id, timestamps } = state;
  // What a summary says needs nobody to be asked.
  const known = timestamps ? undefined : askLogs(sys)[id];
  const answer = known && !state.follow ? undefined : tryRuntime(sys, 'Logs', { id, timestamps });
  if (answer === null) return { type: 'wait', until: sys.now + RETRY_MS };
  const text = answer ? String(answer['text'] ?? '') : (known ?? []).map((line) => `${line}\n`).join('');
  const fresh = state.seen < 0 ? lastLines(text, state.tail) : text.slice(state.seen);
  state.seen = text.length;
  const bytes = bytesOf(fresh);
  tool.out(state.limit < 0 ? bytes : bytes.slice(0, state.limit));
  if (state.limit >= 0) state.limit = Math.max(0, state.limit - bytes.length);
  if (!state.follow || answer?.['isOver'] === true || state.limit === 0) return 0;
  return { type: 'wait', until: sys.now + PERIOD_MS };
}

function lastLines(text: string, count: number): string {
  if (count < 0) return text;
  const lines = text.split(/(?<=\n)/);
  return count === 0 ? '' : lines.slice(-count).join('');
}
