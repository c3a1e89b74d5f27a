import { ALLOWED, type Asked, type Decision, type Wired } from '../../programs/review.js';

const NOT_ACCEPTABLE = 406;

interface IssuerRef {
  readonly name?: string;
  readonly kind?: string;
  readonly group?: string;
}
interface CertificateSpec {
  readonly secretName?: string;
  readonly issuerRef?: IssuerRef;
  readonly commonName?: string;
  readonly [names: string]: unknown;
}

/** Whoever asks for a certificate is written down. Models cert-manager's CertificateRequest identity. */
export function mutate({ resource, operation, userInfo, object, subResource }: Asked): Decision {
  if (resource.resource !== 'certificaterequests' || operation !== 'CREATE' || subResource || !object) return ALLOWED;
  const { username, groups, uid, extra } = userInfo;
  const identity = { username, ...(groups ? { groups } : {}), ...(uid ? { uid } : {}), ...(extra ? { extra } : {}) };
  return {
    allowed: true,
    patch: Object.entries(identity).map(([field, value]) => ({ op: 'add', path: `/spec/${field}`, value })),
  };
}

/** Models cert-manager's internal/apis/certmanager/validation, its most usual part. */
export function validate({ resource, subResource, object }: Asked): Decision {
  if (subResource || !object) return ALLOWED;
  const errors =
    resource.resource === 'certificates'
      ? certificateFaults(object)
      : resource.resource === 'issuers' || resource.resource === 'clusterissuers'
        ? issuerFaults(object)
        : [];
  if (errors.length === 0) return ALLOWED;
  return {
    allowed: false,
    status: {
      status: 'Failure',
      message: errors.length === 1 ? errors[0]! : `[${errors.join(', ')}]`,
      reason: 'NotAcceptable',
      code: NOT_ACCEPTABLE,
    },
  };
}

function certificateFaults(object: Wired): string[] {
  const spec = (object['spec'] ?? {}) as CertificateSpec;
  const errors: string[] = [];
  if (!spec.secretName) errors.push('spec.secretName: Required value: must be specified');
  errors.push(...issuerRefFaults(spec.issuerRef ?? {}));
  const names = ['dnsNames', 'uris', 'ipAddresses', 'emailAddresses'].some(
    (field) => (spec[field] as unknown[] | undefined)?.length,
  );
  if (!spec.commonName && !names && !spec['literalSubject'])
    errors.push(
      'spec: Invalid value: "": at least one of commonName, dnsNames, uris ipAddresses, or emailAddresses must be set',
    );
  return errors;
}

function issuerRefFaults({ name, kind, group }: IssuerRef): string[] {
  const errors = name ? [] : ['spec.issuerRef.name: Required value: must be specified'];
  const own = group === undefined || group === '' || group === 'cert-manager.io';
  if (own && kind && kind !== 'Issuer' && kind !== 'ClusterIssuer')
    errors.push(`spec.issuerRef.kind: Invalid value: ${JSON.stringify(kind)}: must be one of Issuer or ClusterIssuer`);
  return errors;
}

const ISSUERS = ['acme', 'ca', 'selfSigned', 'vault', 'venafi'];

function issuerFaults(object: Wired): string[] {
  const spec = (object['spec'] ?? {}) as Record<string, unknown>;
  const given = ISSUERS.filter((type) => spec[type] !== undefined);
  if (given.length === 0) return ['spec: Required value: at least one issuer must be configured'];
  return given.slice(1).map((type) => `spec.${type}: Forbidden: may not specify more than one issuer type`);
}
