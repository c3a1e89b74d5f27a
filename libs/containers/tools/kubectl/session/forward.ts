import { SESSIONS_PATH } from '../../../../engine/cluster/users/inner-sessions.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Wait } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../framework/filter.js';
import type { Fetch } from '../../network/fetch.js';
import {
  type Exchange,
  type Exchanged,
  hasInput,
  newExchange,
  nextRequest,
  takeAnswer,
} from '../../sessions/exchange.js';
import { AGENT } from '../version.js';
import type { ClientConfig } from './config.js';
import { PlainFailure } from './failure.js';
import { readAnswer } from './session.js';
import { receive, send } from './transport.js';

const CHUNK = 65_536;
const JSON_TYPE = 'application/json';

/** A connection of a client's, and its other end: a session of the pod's, or a socket. */
export type Forward = Exchange & {
  client: number;
  local: number;
  remote: number;
  /** Of the session; '': it is not open, or the other end is `peer`. */
  ticket: string;
  peer: number;
  toClient: string;
  /** The program in the pod has closed its end. */
  isOver: boolean;
  dueAt: number;
  fetch: Fetch | null;
};

export const newForward = (client: number, local: number, remote: number): Forward => ({
  ...newExchange(true, false),
  ...{ client, local, remote, ticket: '', peer: -1, toClient: '', isOver: false, dueAt: 0, fetch: null },
});

export interface ForwardContext {
  /** Of pods/portforward. */
  readonly ticket: string;
  readonly ip: string;
  readonly config: ClientConfig;
}

/**
 * Carries bytes in both directions; undefined: the connection is closed. Throws PlainFailure when nothing listens in
 * the pod. Models client-go's tools/portforward handleConnection.
 */
export function proceedForward(tool: FilterContext, link: Forward, context: ForwardContext): Wait | undefined {
  const { sys } = tool;
  readClient(tool, link);
  if (link.fetch) {
    const outcome = receive(sys, link.fetch, context.config);
    if ('wait' in outcome) return outcome.wait;
    link.fetch = null;
    const answer = readAnswer(outcome.answer) as Opened;
    if (link.ticket === '') open(tool, link, context.ip, answer);
    else take(tool, link, answer);
  }
  if (link.peer >= 0) return exchangeWithPeer(tool, link);
  const isWritten = writeClient(tool, link);
  if (link.isOver && isWritten) return closeForward(tool, link);
  const readable = link.isStdinOver ? [] : [link.client];
  if (link.isOver || (link.ticket !== '' && sys.now < link.dueAt && !hasInput(link)))
    return {
      type: 'wait',
      readable,
      until: Math.max(sys.now + 1, link.dueAt),
      ...(isWritten ? {} : { writable: [link.client] }),
    };
  const body =
    link.ticket === ''
      ? { ticket: context.ticket, port: link.remote }
      : { ticket: link.ticket, ...nextRequest(tool, link) };
  link.fetch = send(sys, context.config, AGENT, {
    ...{ method: 'POST', path: SESSIONS_PATH, accept: JSON_TYPE, contentType: JSON_TYPE, body: JSON.stringify(body) },
  });
  return { type: 'yield' };
}

interface Opened extends Exchanged {
  readonly ticket?: string;
  readonly failure?: string;
  /** It is a server that answers at its address. */
  readonly http?: boolean;
  readonly wakeAt?: number;
}

function open({ sys }: FilterContext, link: Forward, ip: string, { ticket, failure, http }: Opened): void {
  if (http) link.peer = sys.connect(ip, link.remote);
  else if (ticket !== undefined) link.ticket = ticket;
  else {
    const what = `an error occurred forwarding ${link.local} -> ${link.remote}: ${failure ?? 'EOF'}`;
    throw new PlainFailure(
      `${klogHead(sys)} portforward.go:424] "Unhandled Error" err=${JSON.stringify(what)}\nerror: lost connection to pod`,
    );
  }
}

/** `E1128 04:00:39.484556   24187`. Models klog's header. */
function klogHead({ now, pid }: FilterContext['sys']): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  return `E${date.slice(5).replace('-', '')} ${time.slice(0, 12)}000 ${String(pid).padStart(7)}`;
}

function take({ sys }: FilterContext, link: Forward, answer: Opened): void {
  link.toClient += answer.stdout ?? '';
  link.isOver = takeAnswer(link, answer) !== undefined;
  link.dueAt = Math.max(sys.now + 1, Math.min(sys.now + link.wait, answer.wakeAt ?? Infinity));
}

function readClient({ sys }: FilterContext, link: Forward): void {
  while (!link.isStdinOver && link.pending.length < CHUNK) {
    const bytes = tryRead(sys, link.client);
    if (bytes === undefined) return;
    link.isStdinOver = bytes === '';
    link.pending += bytes;
  }
}

/** A broken connection is at its end. */
function tryRead(sys: FilterContext['sys'], descriptor: number): string | undefined {
  try {
    return sys.read(descriptor, CHUNK);
  } catch (error) {
    if (error instanceof SystemError) return '';
    throw error;
  }
}

/** Whether all that has come is written. */
function writeClient({ sys }: FilterContext, link: Forward): boolean {
  try {
    if (link.toClient !== '') link.toClient = link.toClient.slice(sys.write(link.client, link.toClient));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    link.toClient = '';
    link.isOver = true;
  }
  return link.toClient === '';
}

function exchangeWithPeer(tool: FilterContext, link: Forward): Wait | undefined {
  const { sys } = tool;
  try {
    if (sys.connectError(link.peer) !== undefined) return closeForward(tool, link);
    if (link.pending !== '') link.pending = link.pending.slice(sys.write(link.peer, link.pending));
    if (link.isStdinOver && link.pending === '' && !link.isEndSent) {
      link.isEndSent = true;
      sys.shutdown(link.peer);
    }
    for (let bytes = sys.read(link.peer, CHUNK); bytes !== undefined; bytes = sys.read(link.peer, CHUNK)) {
      if (bytes === '') link.isOver = true;
      if (bytes === '' || link.toClient.length > CHUNK) break;
      link.toClient += bytes;
    }
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (error.code === 'EAGAIN') return { type: 'wait', writable: [link.peer] };
    link.isOver = true;
  }
  const isWritten = writeClient(tool, link);
  if (link.isOver && isWritten) return closeForward(tool, link);
  const readable = [...(link.isStdinOver ? [] : [link.client]), ...(link.isOver ? [] : [link.peer])];
  const writable = [...(isWritten ? [] : [link.client]), ...(link.pending === '' ? [] : [link.peer])];
  return { type: 'wait', readable, writable };
}

export function closeForward({ sys }: FilterContext, { client, peer }: Forward): undefined {
  sys.close(client);
  if (peer >= 0) sys.close(peer);
}
