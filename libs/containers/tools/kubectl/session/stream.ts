import { SESSIONS_PATH } from '../../../../engine/cluster/users/inner-sessions.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../framework/filter.js';
import type { Fetch } from '../../network/fetch.js';
import {
  type Exchange,
  type Exchanged,
  hasInput,
  newExchange,
  nextRequest,
  readStdin,
  takeAnswer,
  waitFor,
} from '../../sessions/exchange.js';
import { AGENT } from '../version.js';
import type { ClientConfig } from './config.js';
import { KubectlFailure } from './failure.js';
import { type ApiCall, readAnswer } from './session.js';
import type { Answer, StreamRequest } from './task.js';
import { receive, send } from './transport.js';

const JSON_TYPE = 'application/json';
/** Bytes that are collected for a task. */
const MAX_COLLECTED = 32 << 20;

/** The session, as far as it has come. */
export type Stream = Exchange & {
  request: StreamRequest;
  /** '' before it is open. */
  ticket: string;
  /** Of the given input, what is still to be sent. */
  given: string;
  /** Standard output that the next task wants. */
  collected: string;
  dueAt: number;
  fetch: Fetch | null;
};

const CHUNK = 65_536;

export const newStream = (request: StreamRequest): Stream => ({
  ...newExchange(request.stdin, request.tty),
  ...{ request, ticket: '', given: request.input ?? '', collected: '', dueAt: 0, fetch: null },
});

/**
 * Goes on with a session: bytes of standard input there, its output back. A number is the exit code of the session's
 * program. Models client-go's tools/remotecommand, by requests instead of an upgraded connection. Throws as a request
 * of kubectl does.
 */
export function advanceStream(tool: FilterContext, stream: Stream, config: ClientConfig): number | Wait {
  const { sys } = tool;
  if (stream.fetch) {
    const outcome = receive(sys, stream.fetch, config);
    if ('wait' in outcome) return outcome.wait;
    stream.fetch = null;
    const code = takeExchanged(tool, stream, outcome.answer);
    if (code !== undefined) return code;
  }
  if (stream.request.input === undefined) readStdin(tool, stream);
  else takeGiven(stream);
  if (stream.ticket !== '' && sys.now < stream.dueAt && !hasInput(stream)) return waitFor(stream, stream.dueAt);
  stream.fetch = send(sys, config, AGENT, stream.ticket === '' ? openCall(stream) : exchangeCall(tool, stream));
  return { type: 'yield' };
}

/** Input that a task has given instead of standard input. */
function takeGiven(stream: Stream): void {
  const room = CHUNK - stream.pending.length;
  stream.pending += stream.given.slice(0, room);
  stream.given = stream.given.slice(room);
  stream.isStdinOver = stream.given === '';
}

const openCall = ({ request }: Stream): ApiCall => ({
  ...{ method: 'POST', path: request.path, accept: JSON_TYPE, contentType: '', body: '', isUpgrade: true },
});

const exchangeCall = (tool: FilterContext, stream: Stream): ApiCall => ({
  ...{ method: 'POST', path: SESSIONS_PATH, accept: JSON_TYPE, contentType: JSON_TYPE },
  body: JSON.stringify({ ticket: stream.ticket, ...nextRequest(tool, stream) }),
});

interface Opened extends Exchanged {
  readonly ticket?: string;
  readonly failure?: string;
  /** Virtual ms: there may be more then. */
  readonly wakeAt?: number;
}

/** The exit code, when the session is over. */
function takeExchanged(tool: FilterContext, stream: Stream, answer: Answer): number | undefined {
  const exchanged = readAnswer(answer) as Opened;
  if (exchanged.failure !== undefined) throw new KubectlFailure(exchanged.failure);
  if (stream.ticket === '') {
    stream.ticket = exchanged.ticket ?? '';
    if (stream.tty) tool.sys.setTerminalMode(0, 'raw');
    return undefined;
  }
  const { stdout = '', stderr = '', wakeAt } = exchanged;
  const { output = 'shown' } = stream.request;
  if (stdout !== '' && output === 'shown') tool.out(stdout);
  if (stderr !== '' && output !== 'dropped') tool.err(stderr);
  if (output === 'collected') stream.collected += stdout;
  if (stream.collected.length > MAX_COLLECTED) throw new KubectlFailure('more than 32 MiB at once are not simulated');
  const code = takeAnswer(stream, exchanged);
  if (code !== undefined) return code;
  const { now } = tool.sys;
  stream.dueAt = Math.max(now + 1, Math.min(now + stream.wait, wakeAt ?? Infinity));
  return undefined;
}

/** Gives the terminal back, however the session ends. */
export function closeStream({ sys }: FilterContext, { tty, ticket }: Stream): void {
  if (tty && ticket !== '') sys.setTerminalMode(0, 'cooked');
}
