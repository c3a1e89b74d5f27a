import type { Reader } from '@terrarium/engine';
import type { Ingress } from '../../../engine/api/networking_v1.js';
import { Services } from '../../../engine/kinds/index.js';
import { sha256 } from '../../../engine/machinery/crypto/sha256.js';
import { hex } from '../../tools/openssl/show.js';
import { ingressesOf } from '../ingress/ingresses.js';
import { backendsOf } from '../ingress/backends.js';
import { IngressRoutes, TraefikServices, type IngressRoute, type MiddlewareRef, type ServiceRef } from './resources.js';
import { parseRule, type Rule } from './rules.js';
import type { Static } from './static.js';

/** A Service of the cluster behind a router, or Traefik's own. */
export interface Target {
  readonly namespace: string;
  readonly ref: ServiceRef;
  readonly weight: number;
}
/** Models pkg/config/dynamic Router, with the services that it leads to. */
export interface Router {
  /** With its provider: 'shop-web-web-test@kubernetes'. */
  readonly name: string;
  readonly provider: 'kubernetes' | 'kubernetescrd';
  readonly entryPoints: readonly string[];
  readonly text: string;
  readonly rule: Rule | undefined;
  readonly priority: number;
  readonly isTls: boolean;
  /** Names with their provider: 'shop-strip@kubernetescrd'. */
  readonly middlewares: readonly string[];
  readonly service: string;
  readonly targets: readonly Target[];
  readonly faults: readonly string[];
}

const MAX_ROUTERS = 2_000;
const MAX_NESTED = 20;
export const INTERNAL_API = 'api@internal';
const ANNOTATION = 'traefik.ingress.kubernetes.io/router.';

export const normalize = (text: string): string =>
  text
    .split(/[^\p{L}\p{N}]/u)
    .filter(Boolean)
    .join('-');

/** Models providers' selections: class, annotation, or neither. */
export const selectedIngresses = (read: Reader, { providers, ingressClass }: Static): Ingress[] =>
  providers.includes('kubernetes')
    ? ingressesOf(read, {
        ...{ controller: 'traefik.io/ingress-controller', className: ingressClass || 'traefik' },
        ...{ takesWithoutClass: ingressClass === '', namespace: undefined },
      })
    : [];

export const ingressRoutesOf = (read: Reader, { providers }: Static): IngressRoute[] =>
  providers.includes('kubernetescrd') ? IngressRoutes.flatMap((resource) => [...read.list(resource)]) : [];

/** All routers of the moment. */
export function routersOf(read: Reader, config: Static, now: number): Router[] {
  const all = [
    ...selectedIngresses(read, config).flatMap((ingress) => ofIngress(read, config, ingress, now)),
    ...ingressRoutesOf(read, config).flatMap((route) => ofRoute(read, config, route, now)),
  ];
  return all.slice(0, MAX_ROUTERS);
}

const defaultEntries = ({ entryPoints }: Static): string[] =>
  entryPoints.filter(({ name }) => name !== 'traefik').map(({ name }) => name);

function finish(
  router: Omit<Router, 'rule' | 'faults' | 'priority'>,
  priority: number,
  faults: readonly string[],
): Router {
  const rule = parseRule(router.text);
  return {
    ...{ ...router, priority: priority || router.text.length },
    ...(typeof rule === 'string' ? { rule: undefined, faults: [...faults, rule] } : { rule, faults }),
  };
}

/** Models pkg/provider/kubernetes/ingress loadConfigurationFromIngresses. */
function ofIngress(read: Reader, config: Static, ingress: Ingress, now: number): Router[] {
  const { name = '', namespace = '', annotations = {} } = ingress.metadata;
  const of = (key: string): string | undefined => annotations[ANNOTATION + key];
  const list = (key: string): string[] =>
    (of(key) ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean);
  const entryPoints = list('entrypoints').length > 0 ? list('entrypoints') : defaultEntries(config);
  const common = {
    provider: 'kubernetes',
    entryPoints,
    isTls: of('tls') === 'true',
    middlewares: list('middlewares'),
  } as const;
  const priority = Number(of('priority') ?? 0);
  const make = (key: string, text: string, service: ServiceRef, own: number): Router[] => {
    if (!config.allowsEmpty && serversOf(read, { namespace, ref: service, weight: 1 }, now).length === 0) return [];
    const full = `${normalize(`${namespace}-${service.name}-${service.port ?? ''}`)}@kubernetes`;
    const targets = [{ namespace, ref: service, weight: 1 }];
    return [finish({ ...common, name: `${key}@kubernetes`, text, service: full, targets }, own, [])];
  };
  const { rules = [], defaultBackend } = ingress.spec;
  if (rules.length === 0 && defaultBackend?.service)
    return make('default-router', 'PathPrefix(`/`)', refOf(defaultBackend.service), Number.MIN_SAFE_INTEGER);
  return rules.flatMap(({ host = '', http }) =>
    (http?.paths ?? []).flatMap(({ path = '', pathType, backend }) => {
      if (!backend.service) return [];
      const matcher =
        pathType === 'Exact' ? 'Path' : pathType === 'Prefix' ? 'PathPrefix' : (of('pathmatcher') ?? 'PathPrefix');
      const text = [
        ...(host === '' ? [] : [`Host(${JSON.stringify(host)})`]),
        ...(path === '' ? [] : [`${matcher}(${JSON.stringify(path)})`]),
      ].join(' && ');
      return make(normalize(`${namespace}-${name}-${host}${path}`), text, refOf(backend.service), priority);
    }),
  );
}

const refOf = ({ name, port }: { name: string; port?: { name?: string; number?: number } }): ServiceRef => ({
  name,
  ...(port ? { port: port.name ?? port.number ?? 0 } : {}),
});

/** Models pkg/provider/kubernetes/crd loadIngressRouteConfiguration. */
function ofRoute(read: Reader, config: Static, { metadata, spec }: IngressRoute, now: number): Router[] {
  const { name = '', namespace = '' } = metadata;
  const entryPoints = spec.entryPoints?.length
    ? spec.entryPoints.map((one) => one.toLowerCase())
    : defaultEntries(config);
  return (spec.routes ?? []).flatMap(({ match, priority = 0, services = [], middlewares = [] }): Router[] => {
    const digest = hex(sha256(match)).slice(0, 20);
    const key = normalize(`${namespace}-${name}-${digest}`);
    const faults: string[] = [];
    const refs = middlewares.map((ref) => middlewareName(ref, namespace, config));
    if (refs.includes(undefined)) return [];
    const internal = services.length === 1 && services[0]!.name.endsWith('@internal');
    const targets = services.flatMap((ref) => targetsOf(read, ref, namespace, 0));
    if (!internal && !config.allowsEmpty && targets.every((one) => serversOf(read, one, now).length === 0)) return [];
    const router = {
      ...({
        name: `${key}@kubernetescrd`,
        provider: 'kubernetescrd',
        entryPoints,
        text: match,
        isTls: spec.tls !== undefined,
      } as const),
      ...{ middlewares: refs as string[], service: internal ? services[0]!.name : `${key}@kubernetescrd`, targets },
    };
    return [finish(router, priority, faults)];
  });
}

/** The full name of a middleware; undefined for one of a namespace that may not be named. */
export function middlewareName(
  { name, namespace }: MiddlewareRef,
  own: string,
  { allowsOtherNamespaces }: Pick<Static, 'allowsOtherNamespaces'>,
): string | undefined {
  if (name.includes('@')) return name;
  if (namespace !== undefined && namespace !== own && !allowsOtherNamespaces) return undefined;
  return `${normalize(`${namespace ?? own}-${name}`)}@kubernetescrd`;
}

/** Services of a reference: its own, or those that a TraefikService weighs. */
function targetsOf(read: Reader, ref: ServiceRef, own: string, depth: number): Target[] {
  const namespace = ref.namespace ?? own;
  const weight = ref.weight ?? 1;
  if (ref.kind !== 'TraefikService') return [{ namespace, ref, weight }];
  if (depth > MAX_NESTED || ref.name.endsWith('@internal')) return [];
  const found = TraefikServices.map((resource) => read.get(resource, { namespace, name: ref.name })).find(Boolean);
  const inner = (found?.spec.weighted?.services ?? []).flatMap((one) => targetsOf(read, one, namespace, depth + 1));
  const whole = inner.reduce((total, one) => total + one.weight, 0) || 1;
  return inner.map((one) => ({ ...one, weight: (one.weight * weight) / whole }));
}

/** Addresses of a target. */
export function serversOf(read: Reader, { namespace, ref }: Target, now: number): ReturnType<typeof backendsOf> {
  const { name, port } = ref;
  const service = read.get(Services, { namespace, name });
  const only = service?.spec.ports?.length === 1 ? service.spec.ports[0]!.port : undefined;
  const wanted = typeof port === 'string' && !/^\d+$/.test(port) ? { name: port } : { number: Number(port ?? only) };
  return backendsOf(read, namespace, name, wanted, now);
}

/** The router of a request: the one with the highest priority. */
export function chooseRouter(
  routers: readonly Router[],
  entryPoint: string,
  isTls: boolean,
  isMatch: (rule: Rule) => boolean,
): Router | undefined {
  return routers
    .filter(({ rule, entryPoints, faults }) => rule && faults.length === 0 && entryPoints.includes(entryPoint))
    .filter((router) => router.isTls === isTls)
    .sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1))
    .find(({ rule }) => isMatch(rule!));
}
