import type { Bytes } from '../../engine/kernel/bytes.js';
import { SystemError, type ErrorCode } from '../../engine/kernel/errno.js';
import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import type { Millis } from '../../engine/machinery/time/time.js';
import type { Waits } from './serve.js';

/** A request to another host, as data: the bytes to send, and what has come back. */
export type Dial = {
  descriptor: number;
  address: string;
  port: number;
  protocol: 'tcp' | 'udp';
  unsent: Bytes;
  received: Bytes;
  isConnected: boolean;
  /** When it gives up. */
  until: number;
};

export type DialOutcome =
  | { readonly received: Bytes; readonly isEnded: boolean }
  | { readonly error: ErrorCode | 'TIMEOUT'; readonly isConnected: boolean };

const CHUNK = 65_536;

/** Throws EINVAL for a port that is none. */
export function dial(
  sys: Syscalls,
  address: string,
  port: number,
  protocol: 'tcp' | 'udp',
  bytes: Bytes,
  timeout: Millis,
): Dial {
  const descriptor = sys.connect(address, port, protocol);
  const until = sys.now + timeout;
  return { descriptor, address, port, protocol, unsent: bytes, received: '', isConnected: false, until };
}

/**
 * Goes on until `isWhole` says that all is there, or the peer ends, or it fails: then the socket is closed. Else it
 * gives what it waits for.
 */
export function continueDial(
  sys: Syscalls,
  dialed: Dial,
  isWhole: (received: Bytes) => boolean,
): DialOutcome | { readonly wait: Waits } {
  const outcome = proceed(sys, dialed, isWhole);
  if (!('wait' in outcome)) sys.close(dialed.descriptor);
  return outcome;
}

function proceed(
  sys: Syscalls,
  dialed: Dial,
  isWhole: (received: Bytes) => boolean,
): DialOutcome | { readonly wait: Waits } {
  const { descriptor, until } = dialed;
  try {
    if (!dialed.isConnected) {
      const code = connectError(sys, descriptor);
      if (code === 'EAGAIN') return sys.now >= until ? timedOut(dialed) : { wait: { writable: [descriptor], until } };
      if (code !== undefined) return { error: code, isConnected: false };
      dialed.isConnected = true;
    }
    if (dialed.unsent !== '') dialed.unsent = dialed.unsent.slice(sys.write(descriptor, dialed.unsent));
    for (let bytes = sys.read(descriptor, CHUNK); bytes !== undefined; bytes = sys.read(descriptor, CHUNK)) {
      if (bytes === '' && dialed.protocol === 'tcp') return { received: dialed.received, isEnded: true };
      dialed.received += bytes;
      if (isWhole(dialed.received)) return { received: dialed.received, isEnded: false };
    }
    if (sys.now >= until) return timedOut(dialed);
    return { wait: { readable: [descriptor], until, ...(dialed.unsent !== '' && { writable: [descriptor] }) } };
  } catch (error) {
    if (error instanceof SystemError) return { error: error.code, isConnected: dialed.isConnected };
    throw error;
  }
}

const timedOut = ({ isConnected }: Dial): DialOutcome => ({ error: 'TIMEOUT', isConnected });

/** EAGAIN: it is being connected. */
export function connectError(sys: Syscalls, descriptor: number): ErrorCode | undefined {
  try {
    return sys.connectError(descriptor);
  } catch (error) {
    if (error instanceof SystemError) return error.code;
    throw error;
  }
}

/** Whether an HTTP answer with a length, or in chunks, is complete. One without either ends with its connection. */
export function isWholeAnswer(received: Bytes): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = received.slice(0, end);
  if (/^HTTP\/1\.\d (?:1\d\d|204|304)/.test(head)) return true;
  if (/\r\ntransfer-encoding:[^\r]*chunked/i.test(head)) return received.endsWith('0\r\n\r\n');
  const length = /\r\ncontent-length:\s*(\d+)/i.exec(head)?.[1];
  return length !== undefined && received.length >= end + 4 + Number(length);
}

export interface Answer {
  readonly status: number;
  readonly head: Bytes;
  readonly body: Bytes;
}

/** Undefined for what is no HTTP answer. */
export function readAnswer(received: Bytes): Answer | undefined {
  const end = received.indexOf('\r\n\r\n');
  const status = /^HTTP\/1\.\d (\d{3})/.exec(received)?.[1];
  if (end < 0 || status === undefined) return undefined;
  const head = received.slice(0, end);
  const raw = received.slice(end + 4);
  const isChunked = /\r\ntransfer-encoding:[^\r]*chunked/i.test(head);
  return { status: Number(status), head, body: isChunked ? joinChunks(raw) : raw };
}

function joinChunks(raw: Bytes): Bytes {
  let body = '';
  for (let at = 0; at < raw.length;) {
    const lineEnd = raw.indexOf('\r\n', at);
    const size = Number.parseInt(raw.slice(at, lineEnd), 16);
    if (lineEnd < 0 || !(size > 0)) break;
    body += raw.slice(lineEnd + 2, lineEnd + 2 + size);
    at = lineEnd + 2 + size + 2;
  }
  return body;
}
