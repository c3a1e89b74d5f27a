import { Secrets } from '../../../engine/kinds/index.js';
import type { Secret } from '../../../engine/api/core_v1.js';
import { encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { compareBytes } from '../../../engine/machinery/crypto/x509/der.js';
import { HOUR, parseTimestamp, timestamp } from '../../../engine/machinery/time/time.js';
import { readPrivateKey, type PrivateKey } from '../../tools/openssl/keys.js';
import { textOfSecret } from '../ingress/secrets.js';
import { makePrivateKey, keyViolations } from './private-keys.js';
import { findFault, findTrigger, leafOf, renewalTimeOf, requestViolations } from './policies.js';
import { KEY_SECRET, parsedRequest } from './requests.js';
import { CertificateRequests, Certificates, type Certificate, type CertificateRequest } from './resources.js';
import { writeSecret } from './secret.js';
import {
  conditionOf,
  controlledBy,
  create,
  ownedBy,
  remove,
  shortened,
  withCondition,
  writeStatus,
  type Work,
} from './work.js';
import { writeRequest } from './x509.js';

export const REVISION = 'cert-manager.io/certificate-revision';
const NEXT_KEY = 'cert-manager.io/next-private-key';
const FIRST_BACK_OFF = HOUR;
const MAX_BACK_OFF = 32 * HOUR;
/** The first release whose requests are named by their revision, and that makes a new key each time. */
const STABLE_NAMES = 13;
const ALWAYS_ROTATES = 18;
const LABELS_SECRETS = 12;

const isIssuing = (certificate: Certificate): boolean => conditionOf(certificate, 'Issuing')?.status === 'True';

/** Certificates are asked for, stored and renewed. Models pkg/controller/certificates, a folder a step. */
export function tendCertificates(work: Work): void {
  for (const { metadata } of work.api.list(Certificates)) {
    if (metadata.deletionTimestamp) continue;
    const key = { namespace: metadata.namespace ?? '', name: metadata.name! };
    for (const step of [trigger, manageKey, manageRequest, issue, tellReadiness, forgetRequests]) {
      const certificate = work.api.get(Certificates, key);
      if (certificate) step(work, certificate);
    }
  }
}

const secretOf = ({ api }: Work, { metadata, spec }: Certificate): Secret | undefined =>
  api.get(Secrets, { namespace: metadata.namespace ?? '', name: spec.secretName });

function requestOfRevision(work: Work, certificate: Certificate, revision: number): CertificateRequest | undefined {
  return controlledBy(work, CertificateRequests, certificate).find(
    ({ metadata }) => metadata.annotations?.[REVISION] === String(revision),
  );
}

const inputOf = (work: Work, certificate: Certificate) => {
  const { revision } = certificate.status ?? {};
  const current = revision === undefined ? undefined : requestOfRevision(work, certificate, revision);
  return { certificate, secret: secretOf(work, certificate), current };
};

function setCondition(
  work: Work,
  certificate: Certificate,
  type: string,
  isTrue: boolean,
  reason: string,
  message: string,
  more: object = {},
): void {
  const { generation = 0 } = certificate.metadata;
  const said = { type, status: isTrue ? 'True' : 'False', reason, message, observedGeneration: generation } as const;
  const conditions = withCondition(certificate.status?.conditions, said, work.now);
  writeStatus(work, certificate, { ...certificate.status, ...more, conditions });
}

/** Models trigger/trigger_controller.go. */
function trigger(work: Work, certificate: Certificate): void {
  if (isIssuing(certificate) || isOthers(work, certificate)) return;
  const retryAt = retryTimeOf(work, certificate);
  if (retryAt > work.now) return work.wakeAt(retryAt);
  const found = findTrigger(inputOf(work, certificate), work.now);
  if (!found) return;
  setCondition(work, certificate, 'Issuing', true, found.reason, found.message);
  work.say(certificate, true, 'Issuing', found.message, 'certificates-trigger');
}

/** Of Certificates with one Secret the oldest has it. */
function isOthers({ api }: Work, { metadata, spec }: Certificate): boolean {
  const age = (one: Certificate): string => `${one.metadata.creationTimestamp} ${one.metadata.name}`;
  const rivals = api.list(Certificates, metadata.namespace).filter((one) => one.spec.secretName === spec.secretName);
  const [first] = rivals.sort((a, b) => (age(a) < age(b) ? -1 : 1));
  return first !== undefined && first.metadata.uid !== metadata.uid;
}

/** An hour after a failure, twice as long after each further one, at once when what is asked for has changed. */
function retryTimeOf(work: Work, certificate: Certificate): number {
  const { lastFailureTime, failedIssuanceAttempts = 1, revision = 0 } = certificate.status ?? {};
  if (lastFailureTime === undefined) return 0;
  const failed = requestOfRevision(work, certificate, revision + 1);
  if (!failed || requestViolations(failed, certificate.spec).length > 0) return 0;
  const delay = Math.min(FIRST_BACK_OFF * 2 ** Math.max(0, failedIssuanceAttempts - 1), MAX_BACK_OFF);
  return parseTimestamp(lastFailureTime) + delay;
}

const nextKeys = (work: Work, certificate: Certificate): Secret[] =>
  controlledBy(work, Secrets, certificate).filter(({ metadata }) => metadata.labels?.[NEXT_KEY] === 'true');

/** A key for what comes next lies in a Secret of its own. Models keymanager/keymanager_controller.go. */
function manageKey(work: Work, certificate: Certificate): void {
  const { namespace = '' } = certificate.metadata;
  const found = nextKeys(work, certificate);
  const { nextPrivateKeySecretName: named, ...status } = certificate.status ?? {};
  if (!isIssuing(certificate)) {
    for (const { metadata } of found) work.api.delete(Secrets, { namespace, name: metadata.name! });
    if (named !== undefined) writeStatus(work, certificate, status);
    return;
  }
  const [secret] = found;
  if (!secret) return makeNextKey(work, certificate);
  if (named !== secret.metadata.name)
    writeStatus(work, certificate, { ...status, nextPrivateKeySecretName: secret.metadata.name });
  const key = readPrivateKey(textOfSecret(secret.data?.['tls.key']) ?? '');
  const wrong = key ? keyViolations(key, certificate.spec.privateKey) : ['spec.privateKey'];
  if (wrong.length === 0) return;
  const message = `Regenerating private key due to change in fields: [${wrong.join(' ')}]`;
  work.say(certificate, true, 'Deleted', message, 'certificates-key-manager');
  work.api.delete(Secrets, { namespace, name: secret.metadata.name! });
}

function makeNextKey(work: Work, certificate: Certificate): void {
  const { privateKey, secretName } = certificate.spec;
  const policy = privateKey?.rotationPolicy ?? (work.minor >= ALWAYS_ROTATES ? 'Always' : 'Never');
  const stored = textOfSecret(secretOf(work, certificate)?.data?.['tls.key']);
  const kept = policy === 'Never' && stored !== undefined ? readPrivateKey(stored) : undefined;
  const wrong = kept ? keyViolations(kept, privateKey) : [];
  if (wrong.length > 0) return;
  const pem = kept ? stored : makePrivateKey(privateKey, work.seed(`key ${certificate.metadata.uid}`));
  if (pem === undefined) {
    if (conditionOf(certificate, 'Issuing')?.reason === 'NotSimulated') return;
    const message = 'Private keys are simulated of RSA with 2048, 3072 or 4096 bits, and of ECDSA with 256';
    work.say(certificate, false, 'NotSimulated', message, 'certificates-key-manager');
    return setCondition(work, certificate, 'Issuing', true, 'NotSimulated', message);
  }
  const { namespace, name } = certificate.metadata;
  const labels = { [NEXT_KEY]: 'true', ...(work.minor >= LABELS_SECRETS ? FOR_ATTENTION : {}) };
  const made = work.api.create(Secrets, {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', data: { 'tls.key': encodeBase64(pem) } },
    metadata: { generateName: `${shortened(name!)}-`, namespace, labels, ownerReferences: ownedBy(certificate) },
  });
  if (kept) {
    const message = `Reusing private key stored in existing Secret resource "${secretName}"`;
    work.say(certificate, true, 'Reused', message, 'certificates-key-manager');
  } else {
    const message = `Stored new private key in temporary Secret resource "${made.metadata.name}"`;
    work.say(certificate, true, 'Generated', message, 'certificates-key-manager');
  }
  writeStatus(work, certificate, { ...certificate.status, nextPrivateKeySecretName: made.metadata.name });
}

const FOR_ATTENTION = { 'controller.cert-manager.io/fao': 'true' };

/** The key of the issuance that is under way. */
function nextKeyOf({ api }: Work, { metadata, status }: Certificate): { pem: string; key: PrivateKey } | undefined {
  const name = status?.nextPrivateKeySecretName;
  const secret = name === undefined ? undefined : api.get(Secrets, { namespace: metadata.namespace ?? '', name });
  const pem = textOfSecret(secret?.data?.['tls.key']);
  const key = pem === undefined ? undefined : readPrivateKey(pem);
  return key && { pem: pem!, key };
}

/** Models requestmanager/requestmanager_controller.go. */
function manageRequest(work: Work, certificate: Certificate): void {
  const next = isIssuing(certificate) ? nextKeyOf(work, certificate) : undefined;
  if (!next) return;
  const revision = (certificate.status?.revision ?? 0) + 1;
  const found = requestOfRevision(work, certificate, revision);
  if (!found) return makeRequest(work, certificate, next.key, revision);
  const parsed = parsedRequest(found);
  const isOurs = typeof parsed !== 'string' && compareBytes(parsed.publicKey, next.key.publicKey) === 0;
  if (isOurs && requestViolations(found, certificate.spec).length === 0 && !hasFailedBefore(certificate, found)) return;
  remove(work, found);
}

/** It is of the issuance before this one. */
function hasFailedBefore(certificate: Certificate, request: CertificateRequest): boolean {
  const { failureTime } = request.status ?? {};
  const since = conditionOf(certificate, 'Issuing')?.lastTransitionTime ?? '';
  return conditionOf(request, 'Ready')?.reason === 'Failed' && failureTime !== undefined && failureTime < since;
}

function makeRequest(work: Work, certificate: Certificate, key: PrivateKey, revision: number): void {
  const { name, namespace, labels, annotations = {} } = certificate.metadata;
  const { duration, issuerRef, isCA, usages } = certificate.spec;
  const copied = Object.entries(annotations).filter(
    ([one]) => !/^(kubectl\.kubernetes\.io|fluxcd\.io|argocd\.argoproj\.io)\//.test(one),
  );
  const made = create(work, CertificateRequests, {
    ...{ apiVersion: certificate.apiVersion, kind: CertificateRequests.kind },
    metadata: {
      ...(work.minor >= STABLE_NAMES ? { name: `${name}-${revision}` } : { generateName: `${shortened(name!)}-` }),
      namespace,
      annotations: {
        ...Object.fromEntries(copied),
        ...{ 'cert-manager.io/certificate-name': name!, [REVISION]: String(revision) },
        [KEY_SECRET]: certificate.status!.nextPrivateKeySecretName!,
      },
      ...(labels ? { labels } : {}),
      ownerReferences: ownedBy(certificate),
    },
    spec: {
      ...(duration === undefined ? {} : { duration }),
      ...(isCA === undefined ? {} : { isCA }),
      issuerRef,
      request: encodeBase64(writeRequest(certificate.spec, key)),
      ...(usages === undefined ? {} : { usages }),
    },
  });
  const message = `Created new CertificateRequest resource "${made.metadata.name}"`;
  work.say(certificate, true, 'Requested', message, 'certificates-request-manager');
}

/** Models issuing/issuing_controller.go. */
function issue(work: Work, certificate: Certificate): void {
  const next = isIssuing(certificate) ? nextKeyOf(work, certificate) : undefined;
  const revision = (certificate.status?.revision ?? 0) + 1;
  const request = next && requestOfRevision(work, certificate, revision);
  if (!next || !request || hasFailedBefore(certificate, request)) return;
  const ready = conditionOf(request, 'Ready');
  if (ready?.reason === 'Failed' || ready?.reason === 'Denied')
    return fail(work, certificate, ready.reason, ready.message ?? '');
  if (ready?.reason !== 'Issued') return;
  writeSecret(work, certificate, request, next.pem);
  const { lastFailureTime: _last, failedIssuanceAttempts: _attempts, conditions = [], ...status } = certificate.status!;
  const others = conditions.filter(({ type }) => type !== 'Issuing');
  writeStatus(work, certificate, { ...status, conditions: others, revision });
  const message = 'The certificate has been successfully issued';
  work.say(certificate, true, 'Issuing', message, 'certificates-issuing');
}

function fail(work: Work, certificate: Certificate, reason: string, cause: string): void {
  const message = `The certificate request has failed to complete and will be retried: ${cause}`;
  const { failedIssuanceAttempts = 0 } = certificate.status ?? {};
  setCondition(work, certificate, 'Issuing', false, reason, message, {
    ...{ lastFailureTime: timestamp(work.now), failedIssuanceAttempts: failedIssuanceAttempts + 1 },
  });
  work.say(certificate, false, reason, message, 'certificates-issuing');
}

/** Models readiness/readiness_controller.go. */
function tellReadiness(work: Work, certificate: Certificate): void {
  const input = inputOf(work, certificate);
  const found = findFault(input, work.now);
  const leaf = leafOf(input.secret);
  const { notBefore: _b, notAfter: _a, renewalTime: _r, ...status } = certificate.status ?? {};
  const renewal = leaf && renewalTimeOf(certificate.spec, leaf);
  const times = leaf && {
    notAfter: timestamp(leaf.notAfter),
    notBefore: timestamp(leaf.notBefore),
    renewalTime: timestamp(renewal!),
  };
  for (const at of leaf ? [renewal!, leaf.notAfter + 1_000] : []) if (at > work.now) work.wakeAt(at);
  const fine = { reason: 'Ready', message: 'Certificate is up to date and has not expired' };
  const { reason, message } = found ?? fine;
  setCondition(work, { ...certificate, status }, 'Ready', !found, reason, message, times);
}

/** Models revisionmanager/revisionmanager_controller.go. */
function forgetRequests(work: Work, certificate: Certificate): void {
  const limit = certificate.spec.revisionHistoryLimit ?? (work.minor >= ALWAYS_ROTATES ? 1 : undefined);
  if (limit === undefined || conditionOf(certificate, 'Ready')?.status !== 'True' || isIssuing(certificate)) return;
  const numberOf = ({ metadata }: CertificateRequest): number => Number(metadata.annotations?.[REVISION] ?? 0);
  const all = controlledBy(work, CertificateRequests, certificate).sort((a, b) => numberOf(b) - numberOf(a));
  for (const request of all.slice(limit)) remove(work, request);
}
