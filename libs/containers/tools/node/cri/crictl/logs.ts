import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import type { Wait } from '../../../../../engine/kernel/process/program.js';
import { SECOND } from '../../../../../engine/machinery/time/time.js';
import { parseDuration } from '../../../../servers/go.js';
import type { FilterContext } from '../../../framework/filter.js';
import { parseOptions } from '../../../framework/options.js';
import { defineSteps } from '../../../framework/steps.js';
import { ToolFailure } from '../../../framework/tool.js';
import { askLogs, askRuntime } from '../../runtime.js';
import { tryRuntime } from '../client.js';
import { fail, GLOBAL, note } from '../failure.js';
import { findContainer } from './find.js';

const OPTIONS = ['f,follow', 'tail:', 't,timestamps', 'p,previous', 'r,reopen', 'since:', 'limit-bytes:', 's,stream:'];
const RETRY_MS = 20;
/** How often a log that is followed is read. */
const PERIOD_MS = SECOND;

type LogsState = {
  id: string;
  follow: boolean;
  timestamps: boolean;
  /** Virtual ms before which nothing is shown; -1: from the beginning. */
  since: number;
  /** 'stdout', 'stderr'; '': both. */
  stream: string;
  /** Lines from the end that are shown first; -1: all. */
  tail: number;
  limit: number;
  /** Characters of the log that were seen; -1: none yet. */
  seen: number;
};

/** `crictl logs`. Models cmd/crictl/logs.go. A stream is both in the output. */
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
  const stream = options.value('s') ?? '';
  if (!['', 'stdout', 'stderr'].includes(stream))
    throw new ToolFailure(`invalid stream ${JSON.stringify(stream)}, must be "stdout" or "stderr"`);
  if (options.has('tail') && options.has('s')) throw new ToolFailure('--tail and --stream are mutually exclusive');
  const view = askRuntime(tool.sys);
  let found = findContainer(view, given);
  if (options.has('p')) {
    const before = view.containers.find(
      ({ podId, name, attempt }) => podId === found.podId && name === found.name && attempt === found.attempt - 1,
    );
    if (!before) throw new ToolFailure(`previous terminated container ${found.name} not found`);
    found = before;
  }
  if (found.logPath === '') throw new ToolFailure('the container has not set log path');
  if (options.has('r')) note(tool, 'info', 'Container logs reopened');
  const number = (name: string): number => Number(options.value(name) ?? -1);
  const flags = { follow: options.has('f'), timestamps: options.has('t') };
  const since = sinceOf(options.value('since') ?? '', tool.sys.now);
  return { id: found.id, ...flags, since, stream, tail: number('tail'), limit: number('limit-bytes'), seen: -1 };
}

function advance(tool: FilterContext, state: LogsState): number | Wait {
  const { sys } = tool;
  const { id, timestamps, since, stream } = state;
  // What a summary says needs nobody to be asked.
  const known = timestamps || since >= 0 || stream !== '' ? undefined : askLogs(sys)[id];
  const answer = known && !state.follow ? undefined : tryRuntime(sys, 'Logs', { id, timestamps, since, stream });
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

/** A duration, a time, or seconds since the epoch; -1 when nothing is given. Models timetype.GetTimestamp. */
function sinceOf(text: string, now: number): number {
  if (text === '') return -1;
  const duration = parseDuration(text);
  if (duration !== undefined) return now - duration;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * SECOND;
  const at = Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`);
  if (Number.isNaN(at)) throw new ToolFailure(`failed to parse value as time or duration: ${JSON.stringify(text)}`);
  return at;
}

function lastLines(text: string, count: number): string {
  if (count < 0) return text;
  const lines = text.split(/(?<=\n)/);
  return count === 0 ? '' : lines.slice(-count).join('');
}
