import type { CertificateSigningRequest } from '../../../api/certificates_v1.js';
import type { Node } from '../../../api/core_v1.js';
import { CertificateSigningRequests, NodeRuntimes } from '../../../kinds/index.js';
import { KUBELET_SERVING } from '../../../kinds/certificates/signers.js';
import type { NodeRuntime, ServingCertificate } from '../../../kinds/terrarium/noderuntime/kind.js';
import { sha256 } from '../../../machinery/crypto/sha256.js';
import { SigningKey } from '../../../machinery/crypto/signing-key.js';
import { bits, context as tagOf, der, integer, oid, sequence, set } from '../../../machinery/crypto/x509/der.js';
import { writeAlternativeNames } from '../../../machinery/crypto/x509/extensions.js';
import { commonName } from '../../../machinery/crypto/x509/name.js';
import { encodeEcKey } from '../../../machinery/crypto/x509/ec-key.js';
import { encodePem } from '../../../machinery/crypto/x509/pem.js';
import { ECDSA_WITH_SHA256 } from '../../../machinery/crypto/x509/signature.js';
import type { Reader } from '../../../machinery/reader.js';
import { parseAddress } from '../../../machinery/net/netip.js';
import { decodeBase64, encodeBase64 } from '../../../machinery/text/base64.js';
import { decodeUtf8, encodeUtf8 } from '../../../machinery/text/utf8.js';
import type { Context } from '../../../runtime/controller.js';

const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const NODES = 'system:nodes';

/** The node whose kubelet asks by a request to serve TLS; undefined: it is no such request. */
export function nodeOfServingRequest({ spec }: CertificateSigningRequest): string | undefined {
  const { signerName, username = '' } = spec;
  return signerName === KUBELET_SERVING ? /^system:node:(.+)$/.exec(username)?.[1] : undefined;
}

/**
 * A kubelet that is told `serverTLSBootstrap` asks for the certificate that it serves with, each time that it starts
 * without one, and serves nobody until somebody has approved it. Models pkg/kubelet/certificate/kubelet.go
 * NewKubeletServerCertificateManager. Left out: what it asks again after 15 min, the renewal.
 */
export function followServing(
  { client, random }: Context,
  node: Node,
  before: ServingCertificate | undefined,
  { kubelet, configuration }: Pick<NodeRuntime, 'kubelet' | 'configuration'>,
): ServingCertificate | undefined {
  if (!configuration?.serverTLSBootstrap || kubelet.state !== 'running' || before?.certificate) return before;
  const asked = before && client.get(CertificateSigningRequests, { namespace: '', name: before.request });
  const issued = asked?.status?.certificate;
  if (before && issued) return { ...before, certificate: decodeUtf8(decodeBase64(issued)) };
  if (before?.run === kubelet.run) return before;
  const secret = sha256(`${random.uuid()}${random.uuid()}`);
  const created = client.create(CertificateSigningRequests, {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { generateName: 'csr-' },
    spec: {
      request: encodeBase64(encodeUtf8(requestOf(node, new SigningKey(secret)))),
      signerName: KUBELET_SERVING,
      usages: ['digital signature', 'server auth'],
    },
  } as CertificateSigningRequest);
  return { request: created.metadata.name ?? '', run: kubelet.run, key: encodeBase64(secret) };
}

export const SERVING_FILE = '/var/lib/kubelet/pki/kubelet-server-current.pem';

/** What the file has: certificate and key, PEM; undefined: there is none. */
export function servingPair(read: Reader, node: string): string | undefined {
  const { certificate, key } = read.get(NodeRuntimes, { namespace: '', name: node })?.serving ?? {};
  return certificate && key ? certificate + encodeEcKey(decodeBase64(key)) : undefined;
}

/** PEM of a request for the node's name and addresses. */
function requestOf({ metadata: { name = '' }, status }: Node, key: SigningKey): string {
  const of = (kinds: readonly string[]): string[] =>
    (status.addresses ?? []).filter(({ type }) => kinds.includes(type)).map(({ address }) => address);
  const addresses = of(['InternalIP', 'ExternalIP']).flatMap((text) => {
    const address = parseAddress(text);
    return address ? [Uint8Array.from(address.toByteArray())] : [];
  });
  const names = writeAlternativeNames({
    dns: [...new Set(of(['Hostname', 'InternalDNS', 'ExternalDNS']))],
    addresses,
  });
  const info = sequence(
    integer(Uint8Array.of(0)),
    commonName(`system:node:${name}`, [NODES]),
    key.publicKey,
    der(tagOf(0, true), sequence(oid(EXTENSION_REQUEST), set(sequence(names)))),
  );
  return encodePem(
    'CERTIFICATE REQUEST',
    sequence(info, sequence(oid(ECDSA_WITH_SHA256)), bits(key.sign(info, 'der'))),
  );
}
