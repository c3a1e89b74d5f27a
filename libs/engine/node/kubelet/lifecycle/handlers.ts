import type { Container, HTTPGetAction } from '../../../api/core_v1.js';
import type { PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/http.js';
import { findPort } from '../prober/prober.js';

/** Sends a kubelet's request to an address. Undefined: the server takes its time. */
export type Send = (address: string, request: PodHttpRequest) => PodHttpAnswer | { readonly error: string } | undefined;

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/**
 * Why an HTTP lifecycle hook failed; undefined: it did not, whatever the status code. A server that answers HTTPS in
 * plain HTTP is asked again. Models pkg/kubelet/lifecycle/handlers.go runHTTPHandler.
 */
export function runHTTPHandler(
  action: HTTPGetAction,
  container: Container,
  podIP: string,
  send: Send,
): string | undefined {
  const host = action.host || podIP;
  const scheme = action.scheme === 'HTTPS' ? 'https' : 'http';
  const text = action.path ?? '';
  const path = text.startsWith('/') ? text : `/${text}`;
  // Upstream's handlers take an absent port for that of the scheme.
  const port = action.port === '' ? DEFAULT_PORTS[scheme] : findPort(action.port, container);
  const request = { port, method: 'GET', path, headers: hookHeaders(action), body: '' };
  const answer = send(host, { ...request, scheme });
  const isPlain = answer && ('error' in answer ? /malformed/.test(answer.error) : answer.status === 400);
  const last = scheme === 'https' && isPlain ? send(host, { ...request, scheme: 'http' }) : answer;
  if (!last || !('error' in last)) return undefined;
  return `Get "${scheme}://${host}:${port}${path}": ${last.error}`;
}

const hookHeaders = ({ httpHeaders = [] }: HTTPGetAction): Record<string, string> =>
  Object.fromEntries([
    ['user-agent', 'kube-lifecycle/1.36'],
    ['accept', '*/*'],
    ...httpHeaders.map(({ name, value }) => [name.toLowerCase(), value]),
  ]);
