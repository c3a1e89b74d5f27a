import { decodeBase64Text, encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { compareBytes, DerError } from '../../../engine/machinery/crypto/x509/der.js';
import {
  parseRequest,
  requestFault,
  type CertificateRequest as Parsed,
} from '../../../engine/machinery/crypto/x509/request.js';
import { Secrets } from '../../../engine/kinds/index.js';
import { DAY, timestamp } from '../../../engine/machinery/time/time.js';
import { readPrivateKey } from '../../tools/openssl/keys.js';
import { parseDuration } from '../go.js';
import { textOfSecret } from '../ingress/secrets.js';
import { followOrder } from './acme/request.js';
import { authorityOf, issuerOf } from './issuers.js';
import { CertificateRequests, GROUP, type CertificateRequest, type Issuer } from './resources.js';
import { conditionOf, secretNamespaceOf, withCondition, writeStatus, type Outcome, type Work } from './work.js';
import { bundleOf, signRequest, type Signer } from './x509.js';

export const KEY_SECRET = 'cert-manager.io/private-key-secret-name';
const DEFAULT_DURATION = 90 * DAY;
const APPROVED = 'Certificate request has been approved by cert-manager.io';
const FETCHED = 'Certificate fetched from issuer successfully';

/** Requests are approved and signed. Models pkg/controller/certificaterequests. */
export function tendRequests(work: Work): void {
  for (const request of work.api.list(CertificateRequests)) {
    const { group = GROUP } = request.spec.issuerRef;
    if (group !== GROUP || request.metadata.deletionTimestamp) continue;
    const ready = conditionOf(request, 'Ready')?.reason;
    if (ready === 'Issued' || ready === 'Failed' || ready === 'Denied') continue;
    if (conditionOf(request, 'Denied')?.status === 'True') deny(work, request);
    else if (conditionOf(request, 'Approved')?.status !== 'True') approve(work, request);
    else sign(work, request);
  }
}

function approve(work: Work, request: CertificateRequest): void {
  setCondition(work, request, 'Approved', true, 'cert-manager.io', APPROVED);
  work.say(request, true, 'cert-manager.io', APPROVED, 'certificaterequests-approver');
}

const deny = (work: Work, request: CertificateRequest): void =>
  setCondition(work, request, 'Ready', false, 'Denied', 'The CertificateRequest was denied by an approval controller', {
    failureTime: timestamp(work.now),
  });

function setCondition(
  work: Work,
  request: CertificateRequest,
  type: string,
  isTrue: boolean,
  reason: string,
  message: string,
  more: object = {},
): void {
  const said = { type, status: isTrue ? 'True' : 'False', reason, message } as const;
  const conditions = withCondition(request.status?.conditions, said, work.now);
  writeStatus(work, request, { ...request.status, ...more, conditions });
}

function sign(work: Work, request: CertificateRequest): void {
  const { issuerRef } = request.spec;
  const { kind = 'Issuer', name } = issuerRef;
  const issuer = issuerOf(work, issuerRef, request.metadata.namespace ?? '');
  const resource = `${kind.toLowerCase()}.${GROUP}`;
  const outcome: Outcome | undefined = !issuer
    ? { pending: 'IssuerNotFound', message: `Referenced "${kind}" not found: ${resource} "${name}" not found` }
    : conditionOf(issuer, 'Ready')?.status !== 'True'
      ? { pending: 'IssuerNotReady', message: 'Referenced issuer does not have a Ready status condition' }
      : askIssuer(work, request, issuer);
  if (outcome) settle(work, request, outcome, `certificaterequests-issuer-${typeOf(issuer)}`);
}

/** As its controllers call it; who does not know the issuer says it for all. */
const typeOf = (issuer: Issuer | undefined): string =>
  issuer?.spec.selfSigned ? 'selfsigned' : issuer?.spec.ca ? 'ca' : 'acme';

function settle(work: Work, request: CertificateRequest, outcome: Outcome, controller: string): void {
  if ('pending' in outcome) {
    const { pending, message } = outcome;
    if (conditionOf(request, 'Ready')?.reason !== 'Pending') work.say(request, true, pending, message, controller);
    setCondition(work, request, 'Ready', false, 'Pending', message);
  } else if ('failed' in outcome) {
    work.say(request, false, outcome.failed, outcome.message, controller);
    setCondition(work, request, 'Ready', false, 'Failed', outcome.message, { failureTime: timestamp(work.now) });
  } else {
    const { certificate, ca } = outcome;
    work.say(request, true, 'CertificateIssued', FETCHED, controller);
    setCondition(work, request, 'Ready', true, 'Issued', FETCHED, {
      ...(ca === undefined ? {} : { ca: encodeBase64(ca) }),
      certificate: encodeBase64(certificate),
    });
  }
}

function askIssuer(work: Work, request: CertificateRequest, issuer: Issuer): Outcome | undefined {
  const parsed = parsedRequest(request);
  if (typeof parsed === 'string')
    return { failed: 'SigningError', message: `Error generating certificate template: ${parsed}` };
  const { selfSigned, ca } = issuer.spec;
  if (selfSigned) return signBySelf(work, request, parsed);
  if (ca) return signByAuthority(work, request, parsed, secretNamespaceOf(work, issuer), ca.secretName);
  return followOrder(work, request, issuer, parsed);
}

/** The request in it, or what is wrong with that. */
export function parsedRequest({ spec }: { readonly spec: { readonly request: string } }): Parsed | string {
  try {
    const parsed = parseRequest(decodeBase64Text(spec.request));
    return requestFault(parsed) ?? parsed;
  } catch (error) {
    if (error instanceof DerError) return 'error decoding certificate request PEM block';
    throw error;
  }
}

/** Models pkg/controller/certificaterequests/selfsigned. */
function signBySelf(work: Work, request: CertificateRequest, parsed: Parsed): Outcome {
  const { namespace = '', annotations } = request.metadata;
  const name = annotations?.[KEY_SECRET];
  if (!name)
    return {
      failed: 'MissingAnnotation',
      message: `Annotation "${KEY_SECRET}" missing or reference empty: secret name missing`,
    };
  const secret = work.api.get(Secrets, { namespace, name });
  if (!secret)
    return {
      pending: 'MissingSecret',
      message: `Referenced secret ${namespace}/${name} not found: secret "${name}" not found`,
    };
  const key = readPrivateKey(textOfSecret(secret.data?.['tls.key']) ?? '');
  if (!key)
    return {
      pending: 'ErrorParsingKey',
      message: `Failed to get key "${name}" referenced in annotation "${KEY_SECRET}": error decoding private key PEM block`,
    };
  if (compareBytes(key.publicKey, parsed.publicKey) !== 0)
    return {
      failed: 'ErrorKeyMatch',
      message: 'Error generating certificate template: CSR not signed by referenced private key',
    };
  const certificate = makeLeaf(work, request, parsed, { key });
  return { certificate, ca: certificate };
}

/** Models pkg/controller/certificaterequests/ca. */
function signByAuthority(
  work: Work,
  request: CertificateRequest,
  parsed: Parsed,
  namespace: string,
  name: string,
): Outcome {
  const found = authorityOf(work, namespace, name);
  if ('fault' in found)
    return found.isMissing
      ? { pending: 'SecretMissing', message: `Referenced secret ${namespace}/${name} not found: ${found.fault}` }
      : {
          pending: 'SecretInvalidData',
          message: `Failed to parse signing CA keypair from secret ${namespace}/${name}: ${found.fault}`,
        };
  const { chain, key } = found;
  const leaf = makeLeaf(work, request, parsed, { key, name: chain[0]!.subject.whole });
  const bundle = bundleOf(leaf, chain);
  return { certificate: bundle.chain, ...(bundle.ca === undefined ? {} : { ca: bundle.ca }) };
}

export function makeLeaf(work: Work, request: CertificateRequest, parsed: Parsed, signer: Signer): string {
  const { duration = '', isCA, usages } = request.spec;
  const notBefore = Math.floor(work.now / 1_000) * 1_000;
  const times = { notBefore, notAfter: notBefore + (parseDuration(duration) ?? DEFAULT_DURATION) };
  return signRequest(parsed, { usages, isCA }, signer, times, work.seed(`serial ${request.metadata.uid}`));
}
