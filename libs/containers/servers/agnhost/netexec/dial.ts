import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import { joinHostPort } from '../../../../engine/machinery/net/netip.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial, type DialOutcome } from '../../dial.js';
import { errnoText, marshal, quote } from '../../go.js';
import { httpError, plainText, type HttpReply } from '../../http.js';
import { goLookupError, lookUp } from '../../lookup.js';
import type { Running } from '../../serve.js';
import { logTo } from '../command/command.js';

/** A request of /dial: it asks another server a number of times. */
export type DialTask = {
  kind: 'dial';
  protocol: 'http' | 'udp';
  request: Bytes;
  address: string;
  port: number;
  tries: number;
  /** When the name is resolved. */
  startsAt: number;
  dial: Dial | null;
  responses: string[];
  errors: string[];
  last: string;
};

const TIMEOUT_MS = 5_000;

export function beginDial<Own extends Plain>(server: Running<Own>, query: ReadonlyMap<string, string>): HttpReply {
  const value = (name: string): string => query.get(name) ?? '';
  const [host, port, request] = [value('host'), value('port'), value('request')];
  const [protocol, tries] = [value('protocol'), value('tries')];
  logTo(server, bytesOf(`GET /dial?host=${host}&protocol=${protocol}&port=${port}&request=${request}&tries=${tries}`));
  if (tries !== '' && !/^[-+]?\d+$/.test(tries)) {
    return httpError(`tries parameter is invalid. strconv.Atoi: parsing ${quote(tries)}: invalid syntax`, 400);
  }
  if (request === '') return httpError('request parameter not specified. <nil>', 400);
  const kind = protocol.toLowerCase() || 'http';
  if (kind !== 'http' && kind !== 'udp') return httpError(`unsupported protocol. ${protocol}`, 400);
  const found = lookUp(server.sys, bytesOf(host));
  const [address] = found.addresses;
  if (address === undefined || !/^\d{1,5}$/.test(port)) {
    const reason = address === undefined ? goLookupError(host, found) : `address ${host}:${port}: invalid port`;
    return httpError(`host and/or port param are invalid. ${reason}`, 400);
  }
  const task: DialTask = {
    ...{ kind: 'dial', protocol: kind, request: bytesOf(request), address, port: Number(port) },
    ...{ tries: Math.min(1_000, tries === '' ? 1 : Number(tries)), startsAt: server.sys.now + found.delay },
    ...{ dial: null, responses: [], errors: [], last: '' },
  };
  return continueDialing(server, task);
}

export function continueDialing<Own extends Plain>(server: Running<Own>, task: DialTask): HttpReply {
  const { sys } = server;
  if (sys.now < task.startsAt) return { task, wait: { until: task.startsAt } };
  while (task.responses.length + task.errors.length < task.tries) {
    task.dial ??= start(server, task);
    const outcome = continueDial(sys, task.dial, task.protocol === 'udp' ? () => true : isWholeAnswer);
    if ('wait' in outcome) return { task, wait: outcome.wait };
    takeOutcome(task, outcome);
    task.dial = null;
  }
  const { responses, errors, last } = task;
  const output = { ...(last !== '' && { responses }), ...(errors.length > 0 && { errors }) };
  return plainText(marshal(output));
}

function start<Own extends Plain>({ sys }: Running<Own>, task: DialTask): Dial {
  const { address, port, protocol, request } = task;
  if (protocol === 'udp') return dial(sys, address, port, 'udp', request, TIMEOUT_MS);
  const head = `GET /${request} HTTP/1.1\r\nHost: ${joinHostPort(address, port)}\r\nUser-Agent: Go-http-client/1.1\r\n`;
  return dial(sys, address, port, 'tcp', `${head}Accept-Encoding: gzip\r\nConnection: close\r\n\r\n`, TIMEOUT_MS);
}

function takeOutcome(task: DialTask, outcome: DialOutcome): void {
  const answer = 'error' in outcome ? undefined : read(task, outcome.received);
  task.last = answer ?? '';
  if (answer === undefined) task.errors.push(explain(task, outcome));
  else task.responses.push(answer);
}

const read = ({ protocol }: DialTask, received: Bytes): string | undefined => {
  const body = protocol === 'udp' ? received : readAnswer(received)?.body;
  return body === undefined ? undefined : textOf(body);
};

function explain({ protocol, address, port, request }: DialTask, outcome: DialOutcome): string {
  const target = joinHostPort(address, port);
  const prefix = protocol === 'udp' ? '' : `Get "http://${target}/${request}": `;
  if (!('error' in outcome)) return `${prefix}EOF`;
  const isTimeout = outcome.error === 'TIMEOUT' || outcome.error === 'ETIMEDOUT';
  if (protocol === 'udp') {
    const reason = isTimeout ? 'i/o timeout' : `read: ${errnoText(new SystemError(outcome.error as 'EIO'))}`;
    return `reading from udp connection failed. err:'read udp ${target}: ${reason}'`;
  }
  if (isTimeout) {
    return outcome.isConnected
      ? `${prefix}context deadline exceeded (Client.Timeout exceeded while awaiting headers)`
      : `${prefix}dial tcp ${target}: i/o timeout`;
  }
  const reason = errnoText(new SystemError(outcome.error as 'EIO'));
  return outcome.isConnected
    ? `${prefix}read tcp ${target}: read: ${reason}`
    : `${prefix}dial tcp ${target}: connect: ${reason}`;
}
