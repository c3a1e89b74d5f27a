import type { Ingress } from '../../../engine/api/networking_v1.js';
import { Events, Ingresses } from '../../../engine/kinds/index.js';
import { parseAddress } from '../../../engine/machinery/net/netip.js';
import { Certificates, GROUP, type Certificate, type CertificateSpec, type IssuerRef } from './resources.js';
import { controlledBy, create, ownedBy, remove, update, type Work } from './work.js';

const PREFIX = 'cert-manager.io/';
const CONTROLLER = 'ingress-shim';
/** Annotations of an Ingress that its Certificate gets in other words. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'acme.cert-manager.io/http01-ingress-class': 'acme.cert-manager.io/http01-override-ingress-class',
  'acme.cert-manager.io/http01-ingress-ingressclassname':
    'acme.cert-manager.io/http01-override-ingress-ingressclassname',
};

/** Ingresses that name an issuer have a Certificate for each Secret of their TLS. Models certificate-shim/sync.go. */
export function tendIngresses(work: Work): void {
  for (const ingress of work.api.list(Ingresses)) {
    const ref = issuerFor(ingress);
    if (!ref || ingress.metadata.deletionTimestamp) continue;
    if ('fault' in ref) {
      sayOnce(work, ingress, 'BadConfig', ref.fault);
      continue;
    }
    const wanted = (ingress.spec.tls ?? []).flatMap(({ hosts = [], secretName }, index) => {
      const faults = [
        ...(hosts.length === 0 ? [`spec.tls[${index}].hosts: Required value`] : []),
        ...(secretName ? [] : [`spec.tls[${index}].secretName: Required value`]),
      ];
      const fault = faults.length > 1 ? `[${faults.join(', ')}]` : faults[0];
      if (fault !== undefined) sayOnce(work, ingress, 'BadConfig', `Skipped a TLS block: ${fault}`);
      return fault === undefined ? [certificateOf(ingress, secretName!, hosts, ref)] : [];
    });
    for (const certificate of wanted) keepCertificate(work, ingress, certificate);
    const names = wanted.map(({ metadata }) => metadata.name);
    for (const certificate of controlledBy(work, Certificates, ingress)) {
      if (names.includes(certificate.metadata.name)) continue;
      remove(work, certificate);
      const message = `Successfully deleted unrequired Certificate "${certificate.metadata.name}"`;
      work.say(ingress, true, 'DeleteCertificate', message, CONTROLLER);
    }
  }
}

function sayOnce(work: Work, ingress: Ingress, reason: string, message: string): void {
  const said = work.api.byIndex(Events, 'involvedUid', ingress.metadata.uid ?? '');
  if (!said.some((one) => one.reason === reason && one.message === message))
    work.say(ingress, false, reason, message, CONTROLLER);
}

function issuerFor({ metadata }: Ingress): IssuerRef | { readonly fault: string } | undefined {
  const { annotations = {} } = metadata;
  const [own, cluster] = [annotations[`${PREFIX}issuer`], annotations[`${PREFIX}cluster-issuer`]];
  if (own === undefined && cluster === undefined) return undefined;
  const prefix = 'Could not determine issuer for ingress due to bad annotations: ';
  if (own !== undefined && cluster !== undefined)
    return { fault: `${prefix}both "${PREFIX}issuer" and "${PREFIX}cluster-issuer" may not be set` };
  const kind = annotations[`${PREFIX}issuer-kind`] ?? (own === undefined ? 'ClusterIssuer' : 'Issuer');
  const group = annotations[`${PREFIX}issuer-group`] ?? GROUP;
  const name = own ?? cluster ?? '';
  return name === ''
    ? { fault: `${prefix}failed to determine issuer name to be used for ingress resource` }
    : { name, kind, group };
}

function certificateOf(ingress: Ingress, name: string, hosts: readonly string[], issuerRef: IssuerRef): Certificate {
  const { namespace, labels, annotations = {} } = ingress.metadata;
  const overrides = Object.entries(OVERRIDES).flatMap(([from, to]) =>
    annotations[from] ? [[to, annotations[from]]] : [],
  );
  const isInPlace = annotations['acme.cert-manager.io/http01-edit-in-place'] === 'true';
  const own = {
    ...Object.fromEntries(overrides),
    ...(isInPlace ? { 'acme.cert-manager.io/http01-override-ingress-name': ingress.metadata.name! } : {}),
  };
  const addresses = hosts.filter((host) => parseAddress(host) !== undefined);
  const names = hosts.filter((host) => parseAddress(host) === undefined);
  return {
    ...{ apiVersion: `${GROUP}/v1`, kind: 'Certificate' },
    metadata: {
      ...{
        name,
        namespace,
        ownerReferences: ownedBy({ ...ingress, ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' } }),
      },
      ...(labels ? { labels } : {}),
      ...(Object.keys(own).length > 0 ? { annotations: own } : {}),
    },
    spec: {
      ...(names.length > 0 ? { dnsNames: names } : {}),
      ...(addresses.length > 0 ? { ipAddresses: addresses } : {}),
      ...{ issuerRef, secretName: name, usages: ['digital signature', 'key encipherment'] },
      ...translated(annotations),
    },
  };
}

/** Annotations that a Certificate's fields have. Models translateAnnotations. */
function translated(annotations: Readonly<Record<string, string>>): Partial<CertificateSpec> {
  const of = (name: string): string | undefined => annotations[PREFIX + name];
  const usages = of('usages');
  const [algorithm, size] = [of('private-key-algorithm'), of('private-key-size')];
  const rotation = of('private-key-rotation-policy');
  return {
    ...(of('common-name') === undefined ? {} : { commonName: of('common-name') }),
    ...(of('duration') === undefined ? {} : { duration: of('duration') }),
    ...(of('renew-before') === undefined ? {} : { renewBefore: of('renew-before') }),
    ...(usages === undefined ? {} : { usages: usages.split(',').map((one) => one.trim()) }),
    ...(algorithm === undefined && size === undefined && rotation === undefined
      ? {}
      : {
          privateKey: {
            ...(algorithm === undefined ? {} : { algorithm }),
            ...(size === undefined ? {} : { size: Number(size) }),
            ...(rotation === undefined ? {} : { rotationPolicy: rotation }),
          },
        }),
  };
}

function keepCertificate(work: Work, ingress: Ingress, wanted: Certificate): void {
  const { namespace = '', name = '' } = wanted.metadata;
  const found = work.api.get(Certificates, { namespace, name });
  if (!found) {
    create(work, Certificates, wanted);
    work.say(ingress, true, 'CreateCertificate', `Successfully created Certificate "${name}"`, CONTROLLER);
    return;
  }
  const isOurs = found.metadata.ownerReferences?.some(
    ({ controller, uid }) => controller && uid === ingress.metadata.uid,
  );
  if (!isOurs || sorted({ ...found.spec, ...wanted.spec }) === sorted(found.spec)) return;
  update(work, Certificates, { ...found, spec: { ...found.spec, ...wanted.spec } });
  work.say(ingress, true, 'UpdateCertificate', `Successfully updated Certificate "${name}"`, CONTROLLER);
}

const sorted = (spec: object): string => JSON.stringify(Object.entries(spec).sort(([a], [b]) => (a < b ? -1 : 1)));
