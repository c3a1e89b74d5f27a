import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';

export const GROUP = 'cert-manager.io';
export const ACME_GROUP = 'acme.cert-manager.io';

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}
export interface IssuerRef {
  readonly name: string;
  readonly kind?: string;
  readonly group?: string;
}
export interface Subject {
  readonly organizations?: readonly string[];
  readonly countries?: readonly string[];
  readonly organizationalUnits?: readonly string[];
  readonly localities?: readonly string[];
  readonly provinces?: readonly string[];
  readonly streetAddresses?: readonly string[];
  readonly postalCodes?: readonly string[];
  readonly serialNumber?: string;
}
export interface PrivateKeySpec {
  readonly algorithm?: string;
  readonly encoding?: string;
  readonly size?: number;
  readonly rotationPolicy?: string;
}
export interface CertificateSpec {
  readonly secretName: string;
  readonly issuerRef: IssuerRef;
  readonly commonName?: string;
  readonly subject?: Subject;
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly uris?: readonly string[];
  readonly emailAddresses?: readonly string[];
  /** As Go writes it: '2160h0m0s'. */
  readonly duration?: string;
  readonly renewBefore?: string;
  readonly isCA?: boolean;
  readonly usages?: readonly string[];
  readonly privateKey?: PrivateKeySpec;
  readonly revisionHistoryLimit?: number;
  readonly secretTemplate?: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
}
export interface CertificateStatus {
  readonly conditions?: readonly Condition[];
  readonly nextPrivateKeySecretName?: string;
  readonly notBefore?: string;
  readonly notAfter?: string;
  readonly renewalTime?: string;
  readonly revision?: number;
  readonly lastFailureTime?: string;
  readonly failedIssuanceAttempts?: number;
}
export interface Certificate extends KubeObject {
  readonly spec: CertificateSpec;
  readonly status?: CertificateStatus;
}

export interface CertificateRequestStatus {
  readonly conditions?: readonly Condition[];
  /** PEM in base64. */
  readonly certificate?: string;
  readonly ca?: string;
  readonly failureTime?: string;
}
export interface CertificateRequest extends KubeObject {
  readonly spec: {
    readonly issuerRef: IssuerRef;
    /** PEM in base64. */
    readonly request: string;
    readonly duration?: string;
    readonly isCA?: boolean;
    readonly usages?: readonly string[];
  };
  readonly status?: CertificateRequestStatus;
}

export interface Solver {
  readonly selector?: {
    readonly matchLabels?: Readonly<Record<string, string>>;
    readonly dnsNames?: readonly string[];
    readonly dnsZones?: readonly string[];
  };
  readonly http01?: {
    readonly ingress?: {
      readonly class?: string;
      readonly ingressClassName?: string;
      readonly name?: string;
      readonly serviceType?: string;
      readonly [others: string]: unknown;
    };
    readonly [others: string]: unknown;
  };
  readonly dns01?: object;
}
export interface Acme {
  readonly server: string;
  readonly email?: string;
  readonly privateKeySecretRef: { readonly name: string; readonly key?: string };
  readonly solvers?: readonly Solver[];
}
export interface Issuer extends KubeObject {
  readonly spec: {
    readonly selfSigned?: object;
    readonly ca?: { readonly secretName: string };
    readonly acme?: Acme;
    readonly vault?: object;
    readonly venafi?: object;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly acme?: { readonly uri?: string; readonly lastRegisteredEmail?: string };
  };
}

export interface Authorization {
  readonly url: string;
  readonly identifier: string;
  readonly wildcard: boolean;
  readonly initialState: string;
  readonly challenges: readonly { readonly url: string; readonly token: string; readonly type: string }[];
}
export interface Order extends KubeObject {
  readonly spec: {
    readonly request: string;
    readonly issuerRef: IssuerRef;
    readonly commonName?: string;
    readonly dnsNames?: readonly string[];
    readonly ipAddresses?: readonly string[];
  };
  readonly status?: {
    readonly url?: string;
    readonly finalizeURL?: string;
    readonly state?: string;
    readonly reason?: string;
    readonly failureTime?: string;
    readonly authorizations?: readonly Authorization[];
    readonly certificate?: string;
  };
}
export interface Challenge extends KubeObject {
  readonly spec: {
    readonly url: string;
    readonly authorizationURL: string;
    readonly dnsName: string;
    readonly wildcard: boolean;
    readonly type: string;
    readonly token: string;
    readonly key: string;
    readonly solver: Solver;
    readonly issuerRef: IssuerRef;
  };
  readonly status?: {
    readonly processing?: boolean;
    readonly presented?: boolean;
    readonly state?: string;
    readonly reason?: string;
  };
}

const resource = <T extends KubeObject>(
  group: string,
  kind: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster' = 'Namespaced',
): Resource<T> => ({ ...{ group, version: 'v1', kind, plural, scope } });
export const Certificates = resource<Certificate>(GROUP, 'Certificate', 'certificates');
export const CertificateRequests = resource<CertificateRequest>(GROUP, 'CertificateRequest', 'certificaterequests');
export const Issuers = resource<Issuer>(GROUP, 'Issuer', 'issuers');
export const ClusterIssuers = resource<Issuer>(GROUP, 'ClusterIssuer', 'clusterissuers', 'Cluster');
export const Orders = resource<Order>(ACME_GROUP, 'Order', 'orders');
export const Challenges = resource<Challenge>(ACME_GROUP, 'Challenge', 'challenges');
