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
import { parseCertificate } from '../../../machinery/crypto/x509/certificate.js';
import { decodePem, encodePem } from '../../../machinery/crypto/x509/pem.js';
import { ECDSA_WITH_SHA256 } from '../../../machinery/crypto/x509/signature.js';
import type { Reader } from '../../../machinery/reader.js';
import { hash32 } from '../../../machinery/random.js';
import { MINUTE, parseTimestamp, type Millis } from '../../../machinery/time/time.js';
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

/** What comes of a look at a kubelet's certificate; `wakeAt`: when it has to be looked at again. */
export interface FollowedServing {
  readonly serving: ServingCertificate | undefined;
  readonly wakeAt: Millis;
}

/** So long it waits for the certificate that it has asked for, then it asks again. */
const WAIT: Millis = 15 * MINUTE;
/** A kubelet never gives up; of a cluster that nobody looks at so many requests are enough. */
const MAX_ASKS = 8;
/** The share of a certificate's life after which it is renewed, and what is added for a node at most. */
const EARLIEST = 0.7;
const JITTER = 0.2;
const RANGE = 2 ** 32;

/**
 * A kubelet that is told `serverTLSBootstrap` asks for the certificate that it serves with, and serves nobody until
 * somebody has approved it; it asks again after 15 min, and for the next one when most of its life is over.
 * Models pkg/kubelet/certificate/kubelet.go NewKubeletServerCertificateManager, and client-go's certificate manager.
 * Left out: that it asks at once after a denial.
 */
export function followServing(
  context: Context,
  node: Node,
  before: ServingCertificate | undefined,
  { kubelet, configuration }: Pick<NodeRuntime, 'kubelet' | 'configuration'>,
): FollowedServing {
  if (!configuration?.serverTLSBootstrap || kubelet.state !== 'running') return { serving: before, wakeAt: Infinity };
  if (before?.certificate) return renew(context, node, before, before.certificate);
  if (before) {
    const certificate = issuedFor(context.client, before.request);
    if (certificate !== undefined) return { serving: { ...before, certificate }, wakeAt: renewalOf(node, certificate) };
  }
  if (before?.run === kubelet.run) return waitOn(context, node, before);
  const { request, key } = ask(context, node);
  return { serving: { request, run: kubelet.run, key }, wakeAt: context.now + WAIT };
}

function waitOn(context: Context, node: Node, before: ServingCertificate): FollowedServing {
  const { asks = 1 } = before;
  const due = askedAt(context.client, before.request) + WAIT;
  if (asks >= MAX_ASKS) return { serving: before, wakeAt: Infinity };
  if (context.now < due) return { serving: before, wakeAt: due };
  return { serving: { ...before, ...ask(context, node), asks: asks + 1 }, wakeAt: context.now + WAIT };
}

/** The certificate that is there serves on until the next one is issued. */
function renew(context: Context, node: Node, before: ServingCertificate, certificate: string): FollowedServing {
  const { client, now } = context;
  const { next } = before;
  const renewed = next && issuedFor(client, next.request);
  if (next && renewed !== undefined) {
    const { next: _next, asks: _asks, ...rest } = before;
    const serving = { ...rest, request: next.request, key: next.key, certificate: renewed };
    return { serving, wakeAt: renewalOf(node, renewed) };
  }
  const { asks = 0 } = before;
  const due = next ? askedAt(client, next.request) + WAIT : renewalOf(node, certificate);
  if (now < due) return { serving: before, wakeAt: due };
  if (asks >= MAX_ASKS) return { serving: before, wakeAt: Infinity };
  return { serving: { ...before, next: ask(context, node), asks: asks + 1 }, wakeAt: now + WAIT };
}

/** When a certificate is to be renewed; Infinity: it is none. Models certificate_manager.go nextRotationDeadline. */
export function renewalOf({ metadata: { name = '' } }: Node, certificate: string): Millis {
  const [block] = decodePem(certificate);
  if (!block) return Infinity;
  const { notBefore, notAfter } = parseCertificate(block.bytes);
  const share = EARLIEST + (JITTER * hash32(`${name}/${notAfter}`)) / RANGE;
  return Math.round(notBefore + share * (notAfter - notBefore));
}

function issuedFor(client: Reader, name: string): string | undefined {
  const issued = client.get(CertificateSigningRequests, { namespace: '', name })?.status?.certificate;
  return issued ? decodeUtf8(decodeBase64(issued)) : undefined;
}

/** What was asked for, and is not there any more, was asked for long ago. */
function askedAt(client: Reader, name: string): Millis {
  const asked = client.get(CertificateSigningRequests, { namespace: '', name })?.metadata.creationTimestamp;
  return asked === undefined ? 0 : parseTimestamp(asked);
}

function ask({ client, random }: Context, node: Node): Pick<ServingCertificate, 'request' | 'key'> {
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
  return { request: created.metadata.name ?? '', key: encodeBase64(secret) };
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
