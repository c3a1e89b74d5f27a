import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { ServicePort } from '../../../../engine/api/core_v1.js';

export type Protocol = 'http' | 'tcp' | 'unknown';

const HTTP = new Set(['http', 'http2', 'grpc', 'grpc-web']);
const TCP = new Set(['tcp', 'tls', 'https', 'mongo', 'mysql', 'redis', 'udp']);
/** Ports whose servers speak first, which cannot be told from their first bytes. */
const SERVER_FIRST = new Set([3_306, 27_017]);

/** By a port's appProtocol, or the prefix of its name. Models pkg/config/kube/conversion.go ConvertProtocol. */
export function protocolOf(port: Pick<ServicePort, 'name' | 'appProtocol' | 'port'> | undefined): Protocol {
  if (!port) return 'unknown';
  for (const text of [port.appProtocol?.replace(/^kubernetes\.io\/(h2c|ws)$/, 'http'), port.name]) {
    const [prefix = ''] = (text ?? '').toLowerCase().split('-', 1);
    const whole = (text ?? '').toLowerCase();
    if (HTTP.has(whole) || HTTP.has(prefix)) return 'http';
    if (TCP.has(prefix)) return 'tcp';
  }
  return SERVER_FIRST.has(port.port) ? 'tcp' : 'unknown';
}

const METHOD = /^(?:GET|HEAD|POST|PUT|DELETE|CONNECT|OPTIONS|TRACE|PATCH) /;
const LONGEST = 8;

/** What the first bytes of a connection are; undefined: more of them are needed. Models Envoy's HTTP inspector. */
export function sniff(received: Bytes): 'http' | 'tcp' | undefined {
  if (METHOD.test(received)) return 'http';
  if (received.startsWith('PRI * HTTP/2.0')) return 'tcp';
  if (!/^[A-Z]{0,7}$/.test(received.slice(0, LONGEST))) return 'tcp';
  return received.length >= LONGEST ? 'tcp' : undefined;
}
