import { bytesOf, textOf, type Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import type { AnswerParts } from '../../../engine/node/cni/http-bytes.js';
import { formatHello, parseHello, type ClientHello, type ServerHello } from '../../../engine/node/cni/tls.js';
import { continueDial, dial, isWholeAnswer, readAnswer, type Dial } from '../dial.js';
import { lookUp } from '../lookup.js';
import type { Waits } from '../serve.js';
import type { Forward, Outcome } from './proxy.js';

/** A request to another server, as plain data. */
export type Asked = {
  dial: Dial | null;
  isTls: boolean;
  isHead: boolean;
  /** The client wants to go on in another protocol. */
  isUpgrade: boolean;
  startedAt: number;
  failure: string;
};

const SWITCHING = 'HTTP/1.1 101';
/** Bytes of an answer; a longer one breaks off. */
const MAX_ANSWER = 8 << 20;
/** Nothing waits longer than this, whatever a proxy is told. */
const MAX_TIMEOUT = 86_400_000;

export function askUpstream(sys: Syscalls, forward: Forward): Asked {
  const { address, port, isTls, method, path, headers, body, timeout, hello: own } = forward;
  const isUpgrade = headers['upgrade'] !== undefined;
  const lines = Object.entries({
    ...headers,
    ...(body === '' && (method === 'GET' || method === 'HEAD') ? {} : { 'content-length': String(body.length) }),
    connection: isUpgrade ? 'Upgrade' : 'close',
  }).map(([name, value]) => `${canonical(name)}: ${oneLine(bytesOf(value))}\r\n`);
  const host = headers['host'] ?? '';
  const named = (): ClientHello => ({ serverName: /^[\d.:]*$/.test(host) ? '' : host.replace(/:\d+$/, '') });
  const hello = isTls ? formatHello(own ?? named()) : '';
  const bytes = `${hello}${method} ${inPath(path)} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
  const asked = { isTls, isHead: method === 'HEAD', isUpgrade, startedAt: sys.now };
  try {
    const [found] = lookUp(sys, address).addresses;
    if (found === undefined) return { ...asked, dial: null, failure: 'EHOSTUNREACH' };
    return { ...asked, dial: dial(sys, found, port, 'tcp', bytes, Math.min(timeout, MAX_TIMEOUT)), failure: '' };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return { ...asked, dial: null, failure: error.code };
  }
}

/** Nothing in a value begins another header, or another request. */
const oneLine = (value: Bytes): Bytes => value.replace(/[\0-\x08\x0a-\x1f\x7f]/g, '');
const inPath = (path: Bytes): Bytes => path.replace(/[\0-\x20\x7f]/g, (char) => encodeURIComponent(char));

const canonical = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());

/** An open connection with what has come on it after the head of an answer that upgrades it. */
export interface Upgraded {
  readonly descriptor: number;
  readonly received: Bytes;
}

/** Goes on until there is an outcome; else what it waits for. */
export function continueUpstream(
  sys: Syscalls,
  asked: Asked,
): { readonly outcome: Outcome } | { readonly upgraded: Upgraded } | { readonly wait: Waits } {
  const took = sys.now - asked.startedAt;
  if (asked.dial === null) return { outcome: { failure: failureOf(asked.failure), took } };
  const plain = (received: Bytes): Bytes | undefined =>
    asked.isTls ? (parseHello<ServerHello>(received)?.rest ?? undefined) : received;
  const isWhole = (received: Bytes): boolean => {
    if (received.length > MAX_ANSWER) return true;
    const bytes = plain(received);
    if (bytes === undefined) return asked.isTls && parseHello(received) === null;
    // The connection goes on.
    if (asked.isUpgrade && bytes.startsWith(SWITCHING)) return false;
    return asked.isHead ? bytes.includes('\r\n\r\n') : isWholeAnswer(bytes);
  };
  const outcome = continueDial(sys, asked.dial, isWhole);
  if ('wait' in outcome) return switchedOf(asked, plain(asked.dial.received)) ?? outcome;
  if ('error' in outcome) return { outcome: { failure: failureOf(outcome.error), took } };
  if (outcome.received.length > MAX_ANSWER) return { outcome: { failure: 'broken', took } };
  const answer = answerOf(plain(outcome.received) ?? '');
  // One that switches protocols and leaves, or that nobody has asked to, has not answered.
  return { outcome: answer && answer.status >= 200 ? { answer, took } : { failure: 'broken', took } };
}

const failureOf = (code: string): 'refused' | 'unreachable' | 'timeout' | 'broken' => {
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EINVAL') return 'unreachable';
  return code === 'TIMEOUT' || code === 'ETIMEDOUT' ? 'timeout' : 'broken';
};

/** A server that has switched protocols: its connection is another one's from now on. */
function switchedOf(
  { isUpgrade, dial: dialed }: Asked,
  received: Bytes | undefined,
): { readonly upgraded: Upgraded } | undefined {
  if (!isUpgrade || !dialed || !received?.startsWith(SWITCHING) || !received.includes('\r\n\r\n')) return undefined;
  return { upgraded: { descriptor: dialed.descriptor, received } };
}

/** Header names in lower case; one that was sent more than once has all of its values. */
export function answerOf(bytes: Bytes): AnswerParts | undefined {
  const found = readAnswer(bytes);
  if (!found) return undefined;
  const headers: Record<string, string | string[]> = {};
  for (const line of found.head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = textOf(line.slice(colon + 1).trim());
    const before = headers[name];
    headers[name] = before === undefined ? value : [before, value].flat();
  }
  return { status: found.status, headers, body: found.body };
}
