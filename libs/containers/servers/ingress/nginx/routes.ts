import type { Ingress, IngressBackend } from '../../../../engine/api/networking_v1.js';
import { compilePattern } from '../../../../engine/machinery/text/regex.js';
import { annotation, isCanary, isOn, listOf } from './config/annotations.js';

/** A path of an Ingress. */
export interface Route {
  readonly ingress: Ingress;
  /** '': all hosts. */
  readonly host: string;
  readonly path: string;
  readonly pathType: string;
  readonly backend: IngressBackend;
}

export interface Match {
  readonly route: Route;
  /** Groups of a path that is an expression. */
  readonly groups: readonly (string | undefined)[];
}

/** Ingresses and paths that one request is compared with. */
const MAX_ROUTES = 5_000;

export function routesOf(ingresses: readonly Ingress[]): Route[] {
  const routes: Route[] = [];
  for (const ingress of ingresses) {
    const { defaultBackend, rules = [] } = ingress.spec;
    for (const { host = '', http } of rules)
      for (const { path = '/', pathType, backend } of http?.paths ?? [])
        for (const name of [host, ...(host === '' ? [] : listOf(ingress, 'server-alias'))])
          routes.push({ ingress, host: name.toLowerCase(), path, pathType, backend });
    if (defaultBackend) routes.push({ ingress, host: '', path: '/', pathType: 'Prefix', backend: defaultBackend });
  }
  return routes.slice(0, MAX_ROUTES);
}

/** The routes of a host: those of its name, else of a wildcard, else of all hosts. */
export function routesOfHost(routes: readonly Route[], host: string): Route[] {
  const named = routes.filter((route) => route.host === host && host !== '');
  if (named.length > 0) return named;
  const wildcard = `*${host.slice(host.indexOf('.'))}`;
  const wild = host.includes('.') ? routes.filter((route) => route.host === wildcard) : [];
  return wild.length > 0 ? wild : routes.filter((route) => route.host === '');
}

/**
 * The route of a path. The longest path counts; an exact one before a prefix. When one Ingress of the host has
 * expressions, all paths of the host are expressions. Models the location blocks that ingress-nginx writes.
 */
export function matchPath(routes: readonly Route[], path: string): Match | undefined {
  const hasPatterns = routes.some(({ ingress }) => usesPatterns(ingress));
  const sorted = [...routes].sort((a, b) => b.path.length - a.path.length || exactness(b) - exactness(a));
  for (const route of sorted) {
    const groups = hasPatterns ? matchPattern(route, path) : matches(route, path) ? [path] : undefined;
    if (groups) return { route, groups };
  }
  return undefined;
}

const exactness = ({ pathType }: Route): number => (pathType === 'Exact' ? 1 : 0);
const usesPatterns = (ingress: Ingress): boolean =>
  isOn(ingress, 'use-regex') || annotation(ingress, 'rewrite-target') !== undefined;

function matchPattern({ path }: Route, asked: string): (string | undefined)[] | undefined {
  // nginx' own word for an expression that does not care for case. An exact path is an expression like any other.
  return compilePattern(`(?i)^${path}`)?.groups(asked);
}

function matches({ path, pathType }: Route, asked: string): boolean {
  if (pathType === 'Exact') return asked === path;
  if (pathType !== 'Prefix') return asked.startsWith(path);
  const whole = path.endsWith('/') ? path.slice(0, -1) : path;
  return asked === whole || asked.startsWith(`${whole}/`);
}

/** Another Ingress that has the same host and path already; its name with its namespace. */
export function findDuplicate(
  ingress: Ingress,
  others: readonly Ingress[],
): { host: string; path: string; by: string } | undefined {
  const own = routesOf([ingress]);
  for (const other of routesOf(others.filter((one) => !isCanary(one)))) {
    const { metadata } = other.ingress;
    if (metadata.name === ingress.metadata.name && metadata.namespace === ingress.metadata.namespace) continue;
    const same = own.find(
      ({ host, path, pathType }) => host === other.host && path === other.path && pathType === other.pathType,
    );
    if (same) return { host: same.host, path: same.path, by: `${metadata.namespace}/${metadata.name}` };
  }
  return undefined;
}
