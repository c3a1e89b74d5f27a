import type { Secret } from '../../../engine/api/core_v1.js';
import { Secrets } from '../../../engine/kinds/index.js';
import { decodeBase64Text, encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { readName } from '../../../engine/machinery/crypto/x509/name.js';
import type { CertificateParts } from '../../tools/openssl/show.js';
import type { Certificate, CertificateRequest } from './resources.js';
import type { Work } from './work.js';
import { namesOfCertificate, readChain } from './x509.js';

const PREFIX = 'cert-manager.io/';
const LABELS_SECRETS = 12;

/** The Secret of a Certificate. Models issuing/internal/secret.go. */
export function writeSecret(work: Work, certificate: Certificate, request: CertificateRequest, key: string): void {
  const { api, minor } = work;
  const { secretName: name, secretTemplate } = certificate.spec;
  const namespace = certificate.metadata.namespace ?? '';
  const found = api.get(Secrets, { namespace, name });
  const { certificate: chain = '', ca } = request.status ?? {};
  const [leaf] = readChain(decodeBase64Text(chain)) ?? [];
  const { name: issuer, kind = 'Issuer', group = '' } = request.spec.issuerRef;
  const annotations = {
    ...found?.metadata.annotations,
    ...secretTemplate?.annotations,
    ...(leaf ? detailsOf(leaf) : {}),
    ...{ [`${PREFIX}certificate-name`]: certificate.metadata.name!, [`${PREFIX}issuer-name`]: issuer },
    ...{ [`${PREFIX}issuer-kind`]: kind, [`${PREFIX}issuer-group`]: group },
  };
  const labels = {
    ...found?.metadata.labels,
    ...secretTemplate?.labels,
    ...(minor >= LABELS_SECRETS ? { 'controller.cert-manager.io/fao': 'true' } : {}),
  };
  const data = {
    ...found?.data,
    ...(ca ? { 'ca.crt': ca } : {}),
    ...{ 'tls.crt': chain, 'tls.key': encodeBase64(key) },
  };
  const metadata = { annotations, ...(Object.keys(labels).length > 0 ? { labels } : {}) };
  if (found) api.update(Secrets, { ...found, metadata: { ...found.metadata, ...metadata }, data });
  else
    api.create(Secrets, {
      ...{ apiVersion: 'v1', kind: 'Secret', type: 'kubernetes.io/tls', data },
      metadata: { name, namespace, ...metadata },
    } as Secret);
}

/** What is written beside a certificate of what is in it. Models AnnotationsForCertificate. */
function detailsOf(leaf: CertificateParts): Record<string, string> {
  const { dns, uris, addresses, emails } = namesOfCertificate(leaf);
  const { commonName, organizations } = readName(leaf.subject);
  const ips = addresses.map((bytes) => (bytes.length === 4 ? bytes.join('.') : hexAddress(bytes)));
  return {
    ...{ [`${PREFIX}alt-names`]: dns.join(','), [`${PREFIX}common-name`]: commonName },
    ...{ [`${PREFIX}ip-sans`]: ips.join(','), [`${PREFIX}uri-sans`]: uris.join(',') },
    ...(emails.length > 0 ? { [`${PREFIX}email-sans`]: emails.join(',') } : {}),
    ...(organizations.length > 0 ? { [`${PREFIX}subject-organizations`]: organizations.join(',') } : {}),
  };
}

const hexAddress = (bytes: Uint8Array): string =>
  Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16)).join(':');
