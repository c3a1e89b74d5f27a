import type { CertificateRequest } from '../../machinery/crypto/x509/request.js';

export const API_CLIENT = 'kubernetes.io/kube-apiserver-client';
export const KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
export const KUBELET_SERVING = 'kubernetes.io/kubelet-serving';
export const LEGACY_UNKNOWN = 'kubernetes.io/legacy-unknown';

const NODES = 'system:nodes';
const NODE_PREFIX = 'system:node:';
const KUBELET_CLIENT_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const KUBELET_SERVING_USAGES = ['digital signature', 'key encipherment', 'server auth'];

type Rule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/**
 * What each of Kubernetes' own signers demands of a request; the text says what is missing. Models
 * pkg/controller/certificates/signer.
 */
export const SIGNERS: Readonly<Record<string, Rule>> = {
  [API_CLIENT]: (_request, usages) => apiClientFault(usages),
  [KUBELET_CLIENT]: kubeletClientFault,
  [KUBELET_SERVING]: kubeletServingFault,
  [LEGACY_UNKNOWN]: () => undefined,
};

function apiClientFault(usages: readonly string[]): string | undefined {
  const other = usages.find((u) => !KUBELET_CLIENT_USAGES.includes(u));
  if (other) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

const isNodesOnly = ({ subject: { organizations } }: CertificateRequest): boolean =>
  organizations.length === 1 && organizations[0] === NODES;

/** Models pkg/apis/certificates ValidateKubeletClientCSR. */
export function kubeletClientFault(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { names, subject } = request;
  if (!isNodesOnly(request)) return 'subject organization is not system:nodes';
  if (names.dns.length) return 'DNS subjectAltNames are not allowed';
  if (names.emails.length) return 'Email subjectAltNames are not allowed';
  if (names.addresses.length) return 'IP subjectAltNames are not allowed';
  if (names.uris.length) return 'URI subjectAltNames are not allowed';
  if (!subject.commonName.startsWith(NODE_PREFIX)) return 'subject common name does not begin with system:node:';
  return usagesFault(usages, KUBELET_CLIENT_USAGES);
}

/** Models pkg/apis/certificates ValidateKubeletServingCSR. */
function kubeletServingFault(request: CertificateRequest, usages: readonly string[]): string | undefined {
  const { names, subject } = request;
  if (!isNodesOnly(request)) return 'subject organization is not system:nodes';
  if (!names.dns.length && !names.addresses.length) return 'DNS or IP subjectAltName is required';
  if (names.emails.length) return 'Email subjectAltNames are not allowed';
  if (names.uris.length) return 'URI subjectAltNames are not allowed';
  return (
    usagesFault(usages, KUBELET_SERVING_USAGES) ??
    (subject.commonName.startsWith(NODE_PREFIX) ? undefined : 'subject common name does not begin with system:node:')
  );
}

/** Exactly these; keys that are not RSA do without key encipherment. */
function usagesFault(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const given = new Set(usages);
  const others = usages.some((u) => !wanted.includes(u));
  const missing = wanted.some((w) => w !== 'key encipherment' && !given.has(w));
  return others || missing ? `usages did not match [${wanted.join(' ')}]` : undefined;
}
