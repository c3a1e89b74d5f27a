import type { LabelSelector } from '../../../engine/api/meta_v1.js';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';

export const GROUP = 'gateway.networking.k8s.io';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

export interface ObjectReference {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}
export interface ParentReference extends ObjectReference {
  readonly sectionName?: string;
  readonly port?: number;
}
export interface BackendRef extends ObjectReference {
  readonly port?: number;
  readonly weight?: number;
  readonly filters?: readonly Filter[];
}

export interface GatewayClass extends KubeObject {
  readonly spec: { readonly controllerName: string; readonly parametersRef?: ObjectReference };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface RouteGroupKind {
  readonly group?: string;
  readonly kind: string;
}
export interface Listener {
  readonly name: string;
  readonly hostname?: string;
  readonly port: number;
  readonly protocol: string;
  readonly tls?: { readonly mode?: string; readonly certificateRefs?: readonly ObjectReference[] };
  readonly allowedRoutes?: {
    readonly namespaces?: { readonly from?: string; readonly selector?: LabelSelector };
    readonly kinds?: readonly RouteGroupKind[];
  };
}
export interface ListenerStatus {
  readonly name: string;
  readonly supportedKinds: readonly RouteGroupKind[];
  readonly attachedRoutes: number;
  readonly conditions: readonly Condition[];
}
export interface Gateway extends KubeObject {
  readonly spec: {
    readonly gatewayClassName: string;
    readonly listeners: readonly Listener[];
    readonly addresses?: readonly { readonly type?: string; readonly value?: string }[];
    readonly infrastructure?: {
      readonly labels?: Readonly<Record<string, string>>;
      readonly annotations?: Readonly<Record<string, string>>;
      readonly parametersRef?: ObjectReference;
    };
  };
  readonly status?: {
    readonly addresses?: readonly { readonly type?: string; readonly value: string }[];
    readonly conditions?: readonly Condition[];
    readonly listeners?: readonly ListenerStatus[];
  };
}

export interface ValueMatch {
  readonly type?: string;
  readonly name: string;
  readonly value: string;
}
export interface RouteMatch {
  readonly path?: { readonly type?: string; readonly value?: string };
  readonly headers?: readonly ValueMatch[];
  readonly queryParams?: readonly ValueMatch[];
  readonly method?: string;
}
export interface HeaderChange {
  readonly set?: readonly { readonly name: string; readonly value: string }[];
  readonly add?: readonly { readonly name: string; readonly value: string }[];
  readonly remove?: readonly string[];
}
export interface PathChange {
  readonly type?: string;
  readonly replaceFullPath?: string;
  readonly replacePrefixMatch?: string;
}
export interface Cors {
  readonly allowOrigins?: readonly string[];
  readonly allowCredentials?: boolean;
  readonly allowMethods?: readonly string[];
  readonly allowHeaders?: readonly string[];
  readonly exposeHeaders?: readonly string[];
  readonly maxAge?: number;
}
export interface Mirror {
  readonly backendRef: BackendRef;
  readonly percent?: number;
  readonly fraction?: { readonly numerator: number; readonly denominator?: number };
}
export interface Filter {
  readonly type: string;
  readonly requestHeaderModifier?: HeaderChange;
  readonly responseHeaderModifier?: HeaderChange;
  readonly requestMirror?: Mirror;
  readonly requestRedirect?: {
    readonly scheme?: string;
    readonly hostname?: string;
    readonly path?: PathChange;
    readonly port?: number;
    readonly statusCode?: number;
  };
  readonly urlRewrite?: { readonly hostname?: string; readonly path?: PathChange };
  readonly cors?: Cors;
  readonly extensionRef?: ObjectReference;
}
export interface Rule {
  readonly matches?: readonly RouteMatch[];
  readonly filters?: readonly Filter[];
  readonly backendRefs?: readonly BackendRef[];
  readonly timeouts?: object;
}
export interface RouteParentStatus {
  readonly parentRef: ParentReference;
  readonly controllerName: string;
  readonly conditions: readonly Condition[];
}
export interface Route extends KubeObject {
  readonly spec: {
    readonly parentRefs?: readonly ParentReference[];
    readonly hostnames?: readonly string[];
    readonly rules?: readonly Rule[];
  };
  readonly status?: { readonly parents?: readonly RouteParentStatus[] };
}
export interface ReferenceGrant extends KubeObject {
  readonly spec: {
    readonly from: readonly { readonly group: string; readonly kind: string; readonly namespace: string }[];
    readonly to: readonly { readonly group: string; readonly kind: string; readonly name?: string }[];
  };
}

const resource = <T extends KubeObject>(
  kind: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster',
): Resource<T> => ({
  ...{ group: GROUP, version: 'v1', kind, plural, scope },
});
export const GatewayClasses = resource<GatewayClass>('GatewayClass', 'gatewayclasses', 'Cluster');
export const Gateways = resource<Gateway>('Gateway', 'gateways', 'Namespaced');
export const HTTPRoutes = resource<Route>('HTTPRoute', 'httproutes', 'Namespaced');
export const GRPCRoutes = resource<Route>('GRPCRoute', 'grpcroutes', 'Namespaced');
export const TLSRoutes = resource<Route>('TLSRoute', 'tlsroutes', 'Namespaced');
export const ReferenceGrants = resource<ReferenceGrant>('ReferenceGrant', 'referencegrants', 'Namespaced');

/** The kinds of routes that are served. */
export const ROUTES = [HTTPRoutes, GRPCRoutes, TLSRoutes] as const;
export type RouteKind = 'HTTPRoute' | 'GRPCRoute' | 'TLSRoute';
