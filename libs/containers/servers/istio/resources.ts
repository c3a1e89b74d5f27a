import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';

/** A text that is to be equal, or has to begin or fit so. */
export interface StringMatch {
  readonly exact?: string;
  readonly prefix?: string;
  readonly regex?: string;
}
export interface Destination {
  readonly host: string;
  readonly subset?: string;
  readonly port?: { readonly number?: number };
}
export interface HeaderOperations {
  readonly set?: Readonly<Record<string, string>>;
  readonly add?: Readonly<Record<string, string>>;
  readonly remove?: readonly string[];
}
export interface Headers {
  readonly request?: HeaderOperations;
  readonly response?: HeaderOperations;
}
export interface WeightedDestination {
  readonly destination: Destination;
  readonly weight?: number;
  readonly headers?: Headers;
}
export interface HttpMatch {
  readonly name?: string;
  readonly uri?: StringMatch;
  readonly ignoreUriCase?: boolean;
  readonly scheme?: StringMatch;
  readonly method?: StringMatch;
  readonly authority?: StringMatch;
  readonly headers?: Readonly<Record<string, StringMatch>>;
  readonly withoutHeaders?: Readonly<Record<string, StringMatch>>;
  readonly queryParams?: Readonly<Record<string, StringMatch>>;
  readonly port?: number;
  readonly sourceLabels?: Readonly<Record<string, string>>;
  readonly sourceNamespace?: string;
  readonly gateways?: readonly string[];
}
export interface Percent {
  readonly value?: number;
}
export interface Fault {
  readonly delay?: { readonly fixedDelay?: string; readonly percentage?: Percent; readonly percent?: number };
  readonly abort?: { readonly httpStatus?: number; readonly grpcStatus?: string; readonly percentage?: Percent };
}
export interface Retries {
  readonly attempts?: number;
  readonly perTryTimeout?: string;
  readonly retryOn?: string;
}
export interface HttpRoute {
  readonly name?: string;
  readonly match?: readonly HttpMatch[];
  readonly route?: readonly WeightedDestination[];
  readonly redirect?: {
    readonly uri?: string;
    readonly authority?: string;
    readonly scheme?: string;
    readonly port?: number;
    readonly redirectCode?: number;
  };
  readonly directResponse?: { readonly status: number; readonly body?: { readonly string?: string } };
  readonly rewrite?: {
    readonly uri?: string;
    readonly authority?: string;
    readonly uriRegexRewrite?: { readonly match?: string; readonly rewrite?: string };
  };
  readonly timeout?: string;
  readonly retries?: Retries;
  readonly fault?: Fault;
  readonly mirror?: Destination;
  readonly mirrorPercentage?: Percent;
  readonly mirrors?: readonly { readonly destination: Destination; readonly percentage?: Percent }[];
  readonly headers?: Headers;
  readonly delegate?: object;
}
export interface VirtualService extends KubeObject {
  readonly spec: {
    readonly hosts?: readonly string[];
    readonly gateways?: readonly string[];
    readonly http?: readonly HttpRoute[];
    readonly tcp?: readonly { readonly route?: readonly WeightedDestination[] }[];
    readonly tls?: readonly {
      readonly match?: readonly { readonly sniHosts?: readonly string[]; readonly port?: number }[];
      readonly route?: readonly WeightedDestination[];
    }[];
    readonly exportTo?: readonly string[];
  };
}

export type TlsMode = 'DISABLE' | 'SIMPLE' | 'MUTUAL' | 'ISTIO_MUTUAL';
export interface TrafficPolicy {
  readonly tls?: { readonly mode?: TlsMode };
  readonly loadBalancer?: { readonly simple?: string; readonly consistentHash?: object };
  readonly portLevelSettings?: readonly (TrafficPolicy & { readonly port?: { readonly number?: number } })[];
}
export interface Subset {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly trafficPolicy?: TrafficPolicy;
}
export interface DestinationRule extends KubeObject {
  readonly spec: {
    readonly host: string;
    readonly subsets?: readonly Subset[];
    readonly trafficPolicy?: TrafficPolicy;
    readonly exportTo?: readonly string[];
  };
}
export interface GatewayServer {
  readonly name?: string;
  readonly hosts?: readonly string[];
  readonly port?: { readonly number: number; readonly name?: string; readonly protocol?: string };
  readonly tls?: {
    readonly mode?: 'PASSTHROUGH' | 'SIMPLE' | 'MUTUAL' | 'AUTO_PASSTHROUGH' | 'ISTIO_MUTUAL' | 'OPTIONAL_MUTUAL';
    readonly credentialName?: string;
    readonly serverCertificate?: string;
    readonly privateKey?: string;
    readonly httpsRedirect?: boolean;
  };
}
export interface Gateway extends KubeObject {
  readonly spec: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly servers?: readonly GatewayServer[];
  };
}
export interface ServiceEntry extends KubeObject {
  readonly spec: {
    readonly hosts?: readonly string[];
    readonly ports?: readonly {
      readonly number: number;
      readonly targetPort?: number;
      readonly name?: string;
      readonly protocol?: string;
    }[];
    readonly resolution?: string;
    readonly endpoints?: readonly { readonly address?: string; readonly ports?: Readonly<Record<string, number>> }[];
  };
}
interface Selected {
  readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
}
export type MtlsMode = 'UNSET' | 'DISABLE' | 'PERMISSIVE' | 'STRICT';
export interface PeerAuthentication extends KubeObject {
  readonly spec?: Selected & {
    readonly mtls?: { readonly mode?: MtlsMode };
    readonly portLevelMtls?: Readonly<Record<string, { readonly mode?: MtlsMode }>>;
  };
}
export interface Source {
  readonly [field: string]: readonly string[] | undefined;
}
export interface Rule {
  readonly from?: readonly { readonly source?: Source }[];
  readonly to?: readonly { readonly operation?: Source }[];
  readonly when?: readonly {
    readonly key: string;
    readonly values?: readonly string[];
    readonly notValues?: readonly string[];
  }[];
}
export interface AuthorizationPolicy extends KubeObject {
  readonly spec?: Selected & {
    readonly action?: 'ALLOW' | 'DENY' | 'AUDIT' | 'CUSTOM';
    readonly rules?: readonly Rule[];
  };
}

/** Kinds are stored by group and name, whichever version they were applied in. */
const resource = <T extends KubeObject>(group: string, kind: string, plural: string): Resource<T> => ({
  ...{ group: `${group}.istio.io`, version: 'v1', kind, plural, scope: 'Namespaced' },
});
export const VirtualServices = resource<VirtualService>('networking', 'VirtualService', 'virtualservices');
export const DestinationRules = resource<DestinationRule>('networking', 'DestinationRule', 'destinationrules');
export const Gateways = resource<Gateway>('networking', 'Gateway', 'gateways');
export const ServiceEntries = resource<ServiceEntry>('networking', 'ServiceEntry', 'serviceentries');
export const PeerAuthentications = resource<PeerAuthentication>(
  'security',
  'PeerAuthentication',
  'peerauthentications',
);
export const AuthorizationPolicies = resource<AuthorizationPolicy>(
  'security',
  'AuthorizationPolicy',
  'authorizationpolicies',
);
