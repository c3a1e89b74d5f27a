import type { Duplex } from 'node:stream';
import { ConnectionTimers } from '../upgrades/connection-timers.js';
import type { PortDialer } from '../ports/port-dialer.js';
import { PortForwarder } from '../ports/port-forwarder.js';
import { SESSION_LIMITS, type SessionLimits } from '../session-limits.js';
import { SpdyConnection } from './connection.js';
import type { SpdyStream } from './stream.js';

/** The value of X-Stream-Protocol-Version. */
export const PORT_FORWARD_PROTOCOL = 'portforward.k8s.io';
/** SPDY in the messages of a WebSocket, as kubectl sends it since 1.31. */
export const TUNNEL_PROTOCOL = 'SPDY/3.1+portforward.k8s.io';

const MAX_PORT = 65_535;
const CREATION_TIMEOUT_MS = 30_000;

/** The streams of one forwarded connection. */
interface StreamPair {
  data?: SpdyStream;
  error?: SpdyStream;
  readonly creation: NodeJS.Timeout;
}

/**
 * Forwards connections over SPDY: each has two streams, data and error, which name its port and have the same request
 * id. Models kubelet/pkg/cri/streaming/portforward/httpstream.go.
 */
export function serveSpdyPortForward(
  transport: Duplex,
  dialer: PortDialer,
  limits: Pick<SessionLimits, 'idleMs' | 'sessionMs'> = SESSION_LIMITS,
): void {
  const forwarder = new PortForwarder(dialer);
  const pairs = new Map<string, StreamPair>();
  const add = (stream: SpdyStream): void => {
    const type = stream.headers.get('streamtype');
    const port = portOf(stream);
    if (port === undefined || (type !== 'data' && type !== 'error')) return void stream.destroy();
    const id = requestId(stream, type);
    const pair = pairs.get(id) ?? { creation: setTimeout(() => drop(id), CREATION_TIMEOUT_MS).unref() };
    pairs.set(id, pair);
    if (pair[type]) return void stream.destroy();
    pair[type] = stream;
    const { data, error } = pair;
    if (!data || !error) return;
    clearTimeout(pair.creation);
    pairs.delete(id);
    void forwarder.forward({ port: portOf(data)!, data, done: (message) => void error.resume().end(message) });
  };
  const drop = (id: string): void => {
    const { data, error } = pairs.get(id)!;
    pairs.delete(id);
    data?.destroy();
    error?.resume().end(`(request=${id}) timed out waiting for streams`);
  };
  const connection = new SpdyConnection(transport, { onStream: add, onActivity: () => timers.restart() });
  const timers = new ConnectionTimers(limits, () => connection.close());
  void connection.serve().then(() => {
    timers.stop();
    for (const { creation } of pairs.values()) clearTimeout(creation);
    forwarder.close();
  });
}

function portOf({ headers }: SpdyStream): number | undefined {
  const text = headers.get('port') ?? '';
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port <= MAX_PORT ? port : undefined;
}

/** Clients without request ids open the error stream, then the data stream: ids that follow each other. */
function requestId({ headers, id }: SpdyStream, type: 'data' | 'error'): string {
  return headers.get('requestid') || String(type === 'error' ? id : id - 2);
}
