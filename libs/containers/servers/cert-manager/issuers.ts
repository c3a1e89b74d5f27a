import { Secrets } from '../../../engine/kinds/index.js';
import { readPrivateKey, type PrivateKey } from '../../tools/openssl/keys.js';
import type { CertificateParts } from '../../tools/openssl/show.js';
import { textOfSecret } from '../ingress/secrets.js';
import { settleAccount } from './acme/account.js';
import { ClusterIssuers, Issuers, type Issuer, type IssuerRef } from './resources.js';
import { conditionOf, secretNamespaceOf, withCondition, writeStatus, type Verdict, type Work } from './work.js';
import { isAuthority, readChain } from './x509.js';

/** Issuers and ClusterIssuers say whether they can sign. Models pkg/controller/issuers and clusterissuers. */
export function tendIssuers(work: Work): void {
  for (const resource of [Issuers, ClusterIssuers])
    for (const issuer of work.api.list(resource)) if (!issuer.metadata.deletionTimestamp) tendIssuer(work, issuer);
}

function tendIssuer(work: Work, issuer: Issuer): void {
  const verdict = judge(work, issuer);
  if (!verdict) return;
  const { isReady, reason, message, error, acme } = verdict;
  const before = conditionOf(issuer, 'Ready');
  const controller = issuer.kind === 'ClusterIssuer' ? 'clusterissuers' : 'issuers';
  if (before?.message !== message || before.reason !== reason) {
    if (issuer.spec.ca) work.say(issuer, isReady, reason, message, controller);
    if (error !== undefined)
      work.say(issuer, false, 'ErrInitIssuer', `Error initializing issuer: ${error}`, controller);
  }
  const generation = issuer.metadata.generation;
  const status = isReady ? 'True' : 'False';
  const said = { type: 'Ready', status, reason, message, observedGeneration: generation ?? 0 } as const;
  writeStatus(work, issuer, {
    ...issuer.status,
    ...(acme ? { acme } : {}),
    conditions: withCondition(issuer.status?.conditions, said, work.now),
  });
}

function judge(work: Work, issuer: Issuer): Verdict | undefined {
  const { selfSigned, ca, acme } = issuer.spec;
  if (selfSigned) return { isReady: true, reason: 'IsReady', message: '' };
  if (ca) return judgeAuthority(work, issuer, ca.secretName);
  // Vault and Venafi are elsewhere: nothing here speaks to them.
  return acme ? settleAccount(work, issuer, acme) : undefined;
}

/** Models pkg/issuer/ca/setup.go. */
function judgeAuthority(work: Work, issuer: Issuer, name: string): Verdict {
  const found = authorityOf(work, secretNamespaceOf(work, issuer), name);
  const fault = (reason: string, error: string, isFinal = false): Verdict => ({
    ...{ isReady: false, reason, message: `Error getting keypair for CA issuer: ${error}` },
    ...(isFinal ? {} : { error }),
  });
  if ('fault' in found) return fault('ErrGetKeyPair', found.fault);
  if (!isAuthority(found.chain[0]!)) return fault('ErrInvalidKeyPair', 'certificate is not a CA', true);
  return { isReady: true, reason: 'KeyPairVerified', message: 'Signing CA verified' };
}

export interface AuthorityPair {
  /** The signing certificate first; at the end what `ca.crt` has. */
  readonly chain: readonly CertificateParts[];
  readonly key: PrivateKey;
}

/** The keypair of a Secret, or what is wrong with it in client-go's and pkg/util/kube's words. */
export function authorityOf(
  { api }: Work,
  namespace: string,
  name: string,
): AuthorityPair | { readonly fault: string; readonly isMissing?: true } {
  const secret = api.get(Secrets, { namespace, name });
  if (!secret) return { fault: `secret "${name}" not found`, isMissing: true };
  const text = (key: string): string | undefined => textOfSecret(secret.data?.[key]);
  const certificate = text('tls.crt');
  if (certificate === undefined) return { fault: `no data for "tls.crt" in secret '${namespace}/${name}'` };
  const chain = readChain(certificate);
  if (!chain) return { fault: 'error decoding certificate PEM block' };
  const pem = text('tls.key');
  if (pem === undefined) return { fault: `no data for "tls.key" in secret '${namespace}/${name}'` };
  const key = readPrivateKey(pem);
  if (!key) return { fault: 'error decoding private key PEM block' };
  return { chain: [...chain, ...(readChain(text('ca.crt'))?.slice(0, 1) ?? [])], key };
}

/** The issuer that something refers to; a group of another program's is nobody's here. */
export function issuerOf({ api }: Work, { name, kind = 'Issuer' }: IssuerRef, namespace: string): Issuer | undefined {
  return kind === 'ClusterIssuer'
    ? api.get(ClusterIssuers, { namespace: '', name })
    : api.get(Issuers, { namespace, name });
}
