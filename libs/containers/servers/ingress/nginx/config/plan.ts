import type { Reader, Start } from '@terrarium/engine';
import type { Ingress, IngressBackend } from '../../../../../engine/api/networking_v1.js';
import { flag } from '../../../../programs/task.js';
import type { ProxyRequest } from '../../../proxy/proxy.js';
import { ingressesOf, type Selection } from '../../ingresses.js';
import { annotation, isCanary } from './annotations.js';
import { configOf, withConfig } from './config-map.js';
import { matchPath, routesOf, routesOfHost, type Match, type Route } from '../routes.js';

/** Command-line flags; models cmd/nginx/flags.go. */
export const selectionOf = (start: Start): Selection => ({
  controller: flag(start, 'controller-class', 'k8s.io/ingress-nginx'),
  className: flag(start, 'ingress-class', 'nginx'),
  takesWithoutClass: flag(start, 'watch-ingress-without-class') === 'true',
  namespace: flag(start, 'watch-namespace') || undefined,
});

/** The Ingresses that it serves, each with what the ConfigMap says where it says nothing itself. */
export const servedIngresses = (read: Reader, start: Start): Ingress[] =>
  withConfig(ingressesOf(read, selectionOf(start)), configOf(read, start));

/** Which path of which Ingress a request is for. */
export interface Plan {
  readonly match: Match;
  /** As it was asked for, without the port, in lower case. */
  readonly host: string;
  /** The canary of the same host and path. */
  readonly canary: Route | undefined;
}

export const hostOf = ({ headers }: Pick<ProxyRequest, 'headers'>): string =>
  (headers['host'] ?? '').replace(/:\d{1,5}$/, '').toLowerCase();

export function planOf(read: Reader, start: Start, request: ProxyRequest): Plan | undefined {
  const ingresses = servedIngresses(read, start);
  const host = hostOf(request);
  const main = routesOf(ingresses.filter((ingress) => !isCanary(ingress)));
  const match = matchPath(routesOfHost(main, host), request.path.split('?', 1)[0]!);
  if (!match) return undefined;
  const { route } = match;
  const canary = routesOf(ingresses.filter(isCanary)).find((one) => one.host === route.host && one.path === route.path);
  return { match, host, canary };
}

/** The Ingress whose host a server is called by, for its certificate. */
export function ingressOfHost(read: Reader, start: Start, host: string): Ingress[] {
  const ingresses = servedIngresses(read, start).filter(({ spec }) => (spec.tls ?? []).length > 0);
  return ingresses.filter((ingress) => {
    const names = routesOf([ingress]).map((route) => route.host);
    return names.includes(host) || names.includes(`*${host.slice(host.indexOf('.'))}`);
  });
}

/** As ingress-nginx names what is behind a path. */
export const upstreamName = (namespace: string, { service }: IngressBackend): string =>
  service ? `${namespace}-${service.name}-${service.port?.name ?? service.port?.number ?? ''}` : '';

/** rewrite-target, with `$1` for the groups of the path. */
export function rewritten(ingress: Ingress, groups: readonly (string | undefined)[], path: string): string {
  const target = annotation(ingress, 'rewrite-target');
  if (target === undefined) return path;
  const at = path.indexOf('?');
  const text = target.replace(/\$(\d)/g, (_whole, index: string) => groups[Number(index)] ?? '');
  return (text.startsWith('/') ? text : `/${text}`) + (at < 0 ? '' : path.slice(at));
}
