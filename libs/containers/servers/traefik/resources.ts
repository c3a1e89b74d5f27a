import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';

export interface ServiceRef {
  readonly name: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly port?: number | string;
  readonly scheme?: string;
  readonly weight?: number;
  readonly passHostHeader?: boolean;
}
export interface MiddlewareRef {
  readonly name: string;
  readonly namespace?: string;
}
export interface IngressRoute extends KubeObject {
  readonly spec: {
    readonly ingressClassName?: string;
    readonly entryPoints?: readonly string[];
    readonly routes?: readonly {
      readonly match: string;
      readonly kind?: string;
      readonly priority?: number;
      readonly services?: readonly ServiceRef[];
      readonly middlewares?: readonly MiddlewareRef[];
    }[];
    readonly tls?: { readonly secretName?: string };
  };
}
export interface TraefikService extends KubeObject {
  readonly spec: { readonly weighted?: { readonly services?: readonly ServiceRef[] } };
}
/** What each kind of middleware is told; a Middleware has one. */
export interface MiddlewareSpec {
  readonly stripPrefix?: { readonly prefixes?: readonly string[] };
  readonly stripPrefixRegex?: { readonly regex?: readonly string[] };
  readonly addPrefix?: { readonly prefix?: string };
  readonly replacePath?: { readonly path?: string };
  readonly replacePathRegex?: { readonly regex?: string; readonly replacement?: string };
  readonly redirectScheme?: { readonly scheme?: string; readonly port?: string; readonly permanent?: boolean };
  readonly redirectRegex?: { readonly regex?: string; readonly replacement?: string; readonly permanent?: boolean };
  readonly basicAuth?: {
    readonly secret?: string;
    readonly realm?: string;
    readonly removeHeader?: boolean;
    readonly headerField?: string;
  };
  readonly headers?: {
    readonly customRequestHeaders?: Readonly<Record<string, string>>;
    readonly customResponseHeaders?: Readonly<Record<string, string>>;
    readonly frameDeny?: boolean;
    readonly browserXssFilter?: boolean;
    readonly contentTypeNosniff?: boolean;
    readonly stsSeconds?: number;
  };
  readonly rateLimit?: { readonly average?: number; readonly burst?: number; readonly period?: string | number };
  readonly ipAllowList?: { readonly sourceRange?: readonly string[]; readonly rejectStatusCode?: number };
  readonly ipWhiteList?: { readonly sourceRange?: readonly string[] };
  readonly chain?: { readonly middlewares?: readonly MiddlewareRef[] };
  readonly [others: string]: unknown;
}
export interface Middleware extends KubeObject {
  readonly spec: MiddlewareSpec;
}

const GROUPS = ['traefik.io', 'traefik.containo.us'];
/** Of both groups: the old one is of releases before 3. */
const resources = <T extends KubeObject>(kind: string, plural: string): readonly Resource<T>[] =>
  GROUPS.map((group) => ({ ...{ group, version: 'v1alpha1', kind, plural }, scope: 'Namespaced' }));
export const IngressRoutes = resources<IngressRoute>('IngressRoute', 'ingressroutes');
export const Middlewares = resources<Middleware>('Middleware', 'middlewares');
export const TraefikServices = resources<TraefikService>('TraefikService', 'traefikservices');
