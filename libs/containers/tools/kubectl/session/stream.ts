import { SESSIONS_PATH } from '../../../../engine/cluster/users/inner-sessions.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../filter.js';
import type { Fetch } from '../../network/fetch.js';
import { VERSION } from '../version.js';
import type { ClientConfig } from './config.js';
import { KubectlFailure } from './failure.js';
import { type ApiCall, readAnswer } from './session.js';
import type { Answer, StreamRequest } from './task.js';
import { receive, send } from './transport.js';

const FIRST_WAIT = 20;
const LONGEST_WAIT = 2_000;
const MAX_PENDING = 65_536;
const JSON_TYPE = 'application/json';

/** The session, as far as it has come. */
export type Stream = {
  request: StreamRequest;
  /** '' before it is open. */
  ticket: string;
  stdoutFrom: number;
  stderrFrom: number;
  /** Bytes of standard input that the program has not taken. */
  pending: string;
  isStdinOver: boolean;
  isEndSent: boolean;
  /** The end of standard input stands behind the bytes that are under way. */
  isClosing: boolean;
  wait: number;
  dueAt: number;
  fetch: Fetch | null;
};

interface Exchanged {
  readonly ticket?: string;
  readonly failure?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly stdoutFrom?: number;
  readonly stderrFrom?: number;
  readonly taken?: number;
  readonly exit?: { readonly code: number };
  /** Virtual ms: there may be more then. */
  readonly wakeAt?: number;
}

export const newStream = (request: StreamRequest): Stream => ({
  ...{ request, ticket: '', stdoutFrom: 0, stderrFrom: 0, pending: '', isEndSent: false },
  ...{ isStdinOver: false, isClosing: false, wait: FIRST_WAIT, dueAt: 0, fetch: null },
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
  readStdin(tool, stream);
  const hasInput = stream.pending !== '' || (stream.isStdinOver && !stream.isEndSent);
  if (stream.ticket !== '' && sys.now < stream.dueAt && !hasInput) return waitFor(stream);
  stream.fetch = send(sys, config, VERSION, stream.ticket === '' ? openCall(stream) : exchangeCall(tool, stream));
  return { type: 'yield' };
}

const openCall = ({ request }: Stream): ApiCall => ({
  ...{ method: 'POST', path: request.path, accept: JSON_TYPE, contentType: '', body: '', isUpgrade: true },
});

function exchangeCall({ sys }: FilterContext, stream: Stream): ApiCall {
  const { request, ticket, stdoutFrom, stderrFrom, pending } = stream;
  stream.isClosing = request.stdin && stream.isStdinOver && !stream.isEndSent;
  const resize = request.tty && sys.isTerminal(1) ? { resize: sys.terminalSize(1) } : {};
  const input = { ...resize, stdin: pending, ...(stream.isClosing ? { closeStdin: true } : {}) };
  const body = JSON.stringify({ ticket, stdoutFrom, stderrFrom, input });
  return { method: 'POST', path: SESSIONS_PATH, accept: JSON_TYPE, contentType: JSON_TYPE, body };
}

/** The exit code, when the session is over. */
function takeExchanged(tool: FilterContext, stream: Stream, answer: Answer): number | undefined {
  const exchanged = readAnswer(answer) as Exchanged;
  if (exchanged.failure !== undefined) throw new KubectlFailure(exchanged.failure);
  if (stream.ticket === '') {
    stream.ticket = exchanged.ticket ?? '';
    if (stream.request.tty) tool.sys.setTerminalMode(0, 'raw');
    return undefined;
  }
  const { stdout = '', stderr = '', taken = 0, exit, wakeAt } = exchanged;
  if (stdout !== '') tool.out(stdout);
  if (stderr !== '') tool.err(stderr);
  const isQuiet = stdout === '' && stderr === '' && taken === 0;
  stream.stdoutFrom = exchanged.stdoutFrom ?? stream.stdoutFrom;
  stream.stderrFrom = exchanged.stderrFrom ?? stream.stderrFrom;
  stream.pending = stream.pending.slice(taken);
  stream.isEndSent ||= stream.isClosing && stream.pending === '';
  if (exit) return exit.code;
  stream.wait = isQuiet ? Math.min(LONGEST_WAIT, stream.wait * 2) : FIRST_WAIT;
  const { now } = tool.sys;
  stream.dueAt = Math.max(now + 1, Math.min(now + stream.wait, wakeAt ?? Infinity));
  return undefined;
}

/** Gives the terminal back, however the session ends. */
export function closeStream({ sys }: FilterContext, { request, ticket }: Stream): void {
  if (request.tty && ticket !== '') sys.setTerminalMode(0, 'cooked');
}

const readsStdin = ({ request, isStdinOver }: Stream): boolean => request.stdin && !isStdinOver;

const waitFor = (stream: Stream): Wait => ({
  type: 'wait',
  until: stream.dueAt,
  ...(readsStdin(stream) ? { readable: [0] } : {}),
});

function readStdin({ sys }: FilterContext, stream: Stream): void {
  while (readsStdin(stream) && stream.pending.length < MAX_PENDING) {
    const bytes = sys.read(0);
    if (bytes === undefined) return;
    if (bytes === '') stream.isStdinOver = true;
    stream.pending += bytes;
  }
}
