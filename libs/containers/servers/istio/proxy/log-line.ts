import type { Millis } from '../../../../engine/machinery/time/time.js';
import type { ProxyRequest } from '../../proxy/proxy.js';
import type { Mesh } from '../mesh.js';

/** What a line says beside the request. */
export interface Told {
  readonly status: number;
  /** 'NR', 'UH', 'FI'; '-' for none. */
  readonly flags: string;
  readonly details: string;
  readonly sent: number;
  /** Of the upstream: '10.244.1.4:9080', its cluster, the time it took, the local ends. */
  readonly upstream?: string;
  readonly cluster?: string;
  readonly took?: Millis;
  readonly localAddress?: string;
  readonly requestId: string;
  readonly path: string;
  readonly forwardedFor?: string;
  readonly failure?: string;
  readonly destination: string;
  readonly serverName?: string;
  readonly route?: string;
}

/**
 * A line of the access log in the default format. Models pilot/pkg/model/telemetry_logging.go. JSON has the same
 * fields; `accessLogFormat` is left out.
 */
export function logLine(mesh: Mesh, request: ProxyRequest, told: Told, now: Millis): string | undefined {
  if (mesh.accessLogFile === '') return undefined;
  return mesh.isJson ? jsonLine(request, told, now) : textLine(request, told, now);
}

const orDash = (value: string | number | undefined): string =>
  value === undefined || value === '' ? '-' : String(value);

const textLine = (request: ProxyRequest, told: Told, now: Millis): string => {
  const { method, headers, at, body, client, clientPort } = request;
  const quoted = (value: string | undefined): string => `"${orDash(value)}"`;
  return [
    `[${new Date(at).toISOString()}]`,
    `"${method} ${told.path} HTTP/1.1" ${told.status} ${told.flags} ${told.details} - ${quoted(told.failure)}`,
    `${body.length} ${told.sent} ${now - at} ${orDash(told.took)}`,
    [told.forwardedFor, headers['user-agent'], told.requestId, headers['host'], told.upstream].map(quoted).join(' '),
    orDash(told.cluster),
    orDash(told.localAddress),
    told.destination,
    `${client}:${clientPort}`,
    orDash(told.serverName),
    orDash(told.route),
  ].join(' ');
};

const jsonLine = (request: ProxyRequest, told: Told, now: Millis): string => {
  const { method, headers, at, body, client, clientPort } = request;
  return JSON.stringify({
    ...{ authority: headers['host'] ?? null, bytes_received: body.length, bytes_sent: told.sent },
    ...{ connection_termination_details: null, downstream_local_address: told.destination },
    ...{ downstream_remote_address: `${client}:${clientPort}`, duration: now - at, method, path: told.path },
    ...{ protocol: 'HTTP/1.1', request_id: told.requestId, requested_server_name: told.serverName ?? null },
    ...{ response_code: told.status, response_code_details: told.details, response_flags: told.flags },
    ...{ route_name: told.route ?? null, start_time: new Date(at).toISOString() },
    ...{ upstream_cluster: told.cluster ?? null, upstream_host: told.upstream ?? null },
    ...{ upstream_local_address: told.localAddress ?? null, upstream_service_time: told.took ?? null },
    ...{ upstream_transport_failure_reason: told.failure ?? null, user_agent: headers['user-agent'] ?? null },
    x_forwarded_for: told.forwardedFor ?? null,
  });
};
