import type { PodHttpAnswer, PodHttpRequest, Reader, Start } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { hash32 } from '../../../engine/machinery/random.js';
import type { Passing } from '../../../engine/node/cri/image.js';
import { flag } from '../../programs/task.js';
import { chooseBackend } from './backends.js';
import { ingressesOf, type Selection } from './ingresses.js';
import { page } from './pages.js';
import { annotation, isCanary, isOn, matchPath, routesOf, routesOfHost, type Match, type Route } from './routes.js';

/** proxy-body-size. */
const MAX_BODY = 1_048_576;
const UNITS: Readonly<Record<string, number>> = { k: 1_024, m: 1_048_576, g: 1_073_741_824 };

export interface Look {
  readonly read: Reader;
  readonly now: number;
}

/** Command-line flags; models cmd/nginx/flags.go. */
export const selectionOf = (start: Start): Selection => ({
  controller: flag(start, 'controller-class', 'k8s.io/ingress-nginx'),
  className: flag(start, 'ingress-class', 'nginx'),
  takesWithoutClass: flag(start, 'watch-ingress-without-class') === 'true',
  namespace: flag(start, 'watch-namespace') || undefined,
});

/** What ingress-nginx does with a request to its ports 80 and 443. */
export function passRequest(request: PodHttpRequest, start: Start, look: Look): PodHttpAnswer | Passing {
  const at = request.path.indexOf('?');
  const path = at < 0 ? request.path : request.path.slice(0, at);
  const host = (request.headers['host'] ?? '').replace(/:\d{1,5}$/, '').toLowerCase();
  const ingresses = ingressesOf(look.read, selectionOf(start));
  const main = routesOf(ingresses.filter((ingress) => !isCanary(ingress)));
  const match = matchPath(routesOfHost(main, host), path);
  if (!match) return passToDefault(request, start, look);
  const { ingress } = match.route;
  const refusal = redirect(request, ingress, host, path) ?? refuse(request, ingress);
  if (refusal) return refusal;
  const canary = findCanary(ingresses, match.route, request, look.now);
  return passTo(request, { ...match, route: canary ?? match.route }, host, look);
}

/** Of --default-backend-service; else its own page. */
function passToDefault(request: PodHttpRequest, start: Start, { read, now }: Look): PodHttpAnswer | Passing {
  const [namespace = '', name = ''] = flag(start, 'default-backend-service').split('/');
  const backend =
    name === '' ? undefined : chooseBackend(read, namespace, { service: { name, port: { number: 80 } } }, now, name);
  if (!backend) return page(404);
  const next = { ...request, scheme: 'http' as const, port: backend.port };
  return { address: backend.address, request: next, finish: (answer) => answer, fail: () => page(502) };
}

function redirect(
  { scheme, path: whole }: PodHttpRequest,
  ingress: Ingress,
  host: string,
  path: string,
): PodHttpAnswer | undefined {
  const hasTls = (ingress.spec.tls ?? []).some(({ hosts }) => !hosts?.length || hosts.includes(host));
  const isForced = isOn(ingress, 'force-ssl-redirect');
  if (scheme === 'http' && (isForced || (hasTls && annotation(ingress, 'ssl-redirect') !== 'false')))
    return page(308, { location: `https://${host}${whole}` });
  const permanent = annotation(ingress, 'permanent-redirect');
  if (permanent !== undefined)
    return page(Number(annotation(ingress, 'permanent-redirect-code') ?? 301), { location: permanent });
  const temporal = annotation(ingress, 'temporal-redirect');
  if (temporal !== undefined) return page(302, { location: temporal });
  const root = annotation(ingress, 'app-root');
  return root !== undefined && path === '/' ? page(302, { location: `${scheme}://${host}${root}` }) : undefined;
}

function refuse({ body }: PodHttpRequest, ingress: Ingress): PodHttpAnswer | undefined {
  // Without the hashes of htpasswd nobody can be let in.
  if (annotation(ingress, 'auth-type') === 'basic')
    return page(401, { 'www-authenticate': `Basic realm="${annotation(ingress, 'auth-realm') ?? ''}"` });
  const limit = sizeOf(annotation(ingress, 'proxy-body-size'));
  return limit > 0 && body.length > limit ? page(413) : undefined;
}

/** '8m' in bytes; 0: no limit. */
function sizeOf(text: string | undefined): number {
  const [, number, unit = ''] = /^(\d{1,9})([kmg]?)$/i.exec(text ?? '') ?? [];
  return number === undefined ? MAX_BODY : Number(number) * (UNITS[unit.toLowerCase()] ?? 1);
}

/** The canary's route of the same host and path, when this request is one for it: header, then cookie, then weight. */
function findCanary(
  ingresses: readonly Ingress[],
  main: Route,
  request: PodHttpRequest,
  now: number,
): Route | undefined {
  const routes = routesOf(ingresses.filter(isCanary));
  const canary = routes.find(({ host, path }) => host === main.host && path === main.path);
  return canary && isForCanary(canary.ingress, request, now) ? canary : undefined;
}

function isForCanary(ingress: Ingress, { headers, path }: PodHttpRequest, now: number): boolean {
  const header = annotation(ingress, 'canary-by-header');
  const sent = header === undefined ? undefined : headers[header.toLowerCase()];
  if (sent !== undefined) {
    const value = annotation(ingress, 'canary-by-header-value');
    if (value !== undefined && sent === value) return true;
    if (value === undefined && sent === 'always') return true;
    if (value === undefined && sent === 'never') return false;
  }
  const cookie = annotation(ingress, 'canary-by-cookie');
  const baked = cookie === undefined ? undefined : cookieOf(headers['cookie'] ?? '', cookie);
  if (baked === 'always' || baked === 'never') return baked === 'always';
  const total = Number(annotation(ingress, 'canary-weight-total') ?? 100);
  const weight = Number(annotation(ingress, 'canary-weight') ?? 0);
  return hash32(`canary${path}`, now) % Math.max(1, total) < weight;
}

const cookieOf = (text: string, name: string): string | undefined =>
  text
    .split(';')
    .map((part) => part.trim().split('=', 2))
    .find(([own]) => own === name)?.[1];

function passTo(
  request: PodHttpRequest,
  { route, groups }: Match,
  host: string,
  { read, now }: Look,
): PodHttpAnswer | Passing {
  const { ingress, backend: wanted } = route;
  const backend = chooseBackend(read, ingress.metadata.namespace ?? '', wanted, now, request.path);
  if (!backend) return page(503);
  const protocol = annotation(ingress, 'backend-protocol')?.toUpperCase();
  const { scheme, path } = request;
  const headers: Record<string, string> = {
    ...request.headers,
    host: annotation(ingress, 'upstream-vhost') ?? request.headers['host'] ?? host,
    'x-request-id': requestId(request, now),
    ...{ 'x-forwarded-host': host, 'x-forwarded-proto': scheme, 'x-forwarded-scheme': scheme, 'x-scheme': scheme },
    'x-forwarded-port': scheme === 'https' ? '443' : '80',
  };
  return {
    address: backend.address,
    request: {
      ...request,
      headers,
      scheme: protocol === 'HTTPS' ? 'https' : 'http',
      port: backend.port,
      path: rewritten(ingress, groups, path),
    },
    finish: (answer) => withCors(ingress, answer),
    fail: (why) => page(why === 'refused' ? 502 : 504),
  };
}

/** rewrite-target, with `$1` for the groups of the path. */
function rewritten(ingress: Ingress, groups: readonly (string | undefined)[], path: string): string {
  const target = annotation(ingress, 'rewrite-target');
  if (target === undefined) return path;
  const at = path.indexOf('?');
  const text = target.replace(/\$(\d)/g, (_whole, index: string) => groups[Number(index)] ?? '');
  return (text.startsWith('/') ? text : `/${text}`) + (at < 0 ? '' : path.slice(at));
}

const requestId = ({ path }: PodHttpRequest, now: number): string =>
  [0, 1, 2, 3].map((part) => hash32(`${part}${path}`, now).toString(16).padStart(8, '0')).join('');

function withCors(ingress: Ingress, answer: PodHttpAnswer): PodHttpAnswer {
  if (!isOn(ingress, 'enable-cors')) return answer;
  const headers = {
    ...answer.headers,
    'access-control-allow-origin': annotation(ingress, 'cors-allow-origin') ?? '*',
    'access-control-allow-credentials': 'true',
  };
  return { ...answer, headers };
}
