import type { AnswerParts } from '../../../../engine/node/cni/http-bytes.js';
import type { Outcome } from '../../proxy/proxy.js';

/** What Envoy says by itself: the text, the flags of its log, and the details. */
export interface Said {
  readonly answer: AnswerParts;
  readonly flags: string;
  readonly details: string;
  readonly failure?: string;
}

const said = (status: number, body: string, flags: string, details: string, failure?: string): Said => ({
  answer: { status, body, headers: body === '' ? {} : { 'content-type': 'text/plain' } },
  ...{ flags, details, ...(failure === undefined ? {} : { failure }) },
});

export const noRoute = (): Said => said(404, '', 'NR', 'route_not_found');
export const noCluster = (): Said => said(503, '', 'NC', 'cluster_not_found');
export const noHealthyUpstream = (): Said => said(503, 'no healthy upstream', 'UH', 'no_healthy_upstream');
export const blackHole = (): Said => said(502, '', '-', 'direct_response');
export const aborted = (status: number): Said => said(status, 'fault filter abort', 'FI', 'fault_filter_abort');
export const denied = (details: string): Said => said(403, 'RBAC: access denied', '-', details);
export const direct = (status: number, body: string): Said => said(status, body, '-', 'direct_response');
export const redirected = (status: number, location: string): Said => ({
  ...{ answer: { status, headers: { location }, body: '' }, flags: '-', details: 'direct_response' },
});

const REASONS = {
  refused: ['remote connection failure', 'delayed connect error: Connection refused'],
  unreachable: ['remote connection failure', 'delayed connect error: No route to host'],
  timeout: ['connection timeout', ''],
  broken: ['connection termination', ''],
} as const;

/** What comes of an upstream that has not answered. Models Envoy's router onUpstreamReset. */
export function unanswered(
  failure: Extract<Outcome, { failure: unknown }>['failure'],
  wasRetried: boolean,
  hasTimeout: boolean,
): Said {
  if (failure === 'timeout' && hasTimeout) return said(504, 'upstream request timeout', 'UT', 'response_timeout');
  const [reason, transport] = REASONS[failure];
  const text =
    `upstream connect error or disconnect/reset before headers. ${wasRetried ? 'retried and the latest ' : ''}` +
    `reset reason: ${reason}${transport ? `, transport failure reason: ${transport}` : ''}`;
  const flags = (failure === 'broken' ? ['UC'] : ['UF']).concat(wasRetried ? ['URX'] : []).join(',');
  const details = `upstream_reset_before_response_started{${reason.replaceAll(' ', '_')}${
    transport ? `|${transport.replaceAll(' ', '_')}` : ''
  }}`;
  return said(503, text, flags, details, transport);
}
