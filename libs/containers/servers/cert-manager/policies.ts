import type { Secret } from '../../../engine/api/core_v1.js';
import { compareBytes } from '../../../engine/machinery/crypto/x509/der.js';
import { parseTimestamp, type Millis } from '../../../engine/machinery/time/time.js';
import { readPrivateKey } from '../../tools/openssl/keys.js';
import type { CertificateParts } from '../../tools/openssl/show.js';
import { formatTime, parseDuration } from '../go.js';
import { textOfSecret } from '../ingress/secrets.js';
import { keyViolations } from './private-keys.js';
import { parsedRequest } from './requests.js';
import { GROUP, type Certificate, type CertificateRequest, type CertificateSpec, type IssuerRef } from './resources.js';
import { attributesOf, readChain } from './x509.js';

/** What a Certificate is judged by. */
export interface Input {
  readonly certificate: Certificate;
  readonly secret: Secret | undefined;
  /** The request whose answer is in the Secret. */
  readonly current: CertificateRequest | undefined;
}
export interface Violation {
  readonly reason: string;
  readonly message: string;
}

const violation = (reason: string, message: string): Violation => ({ reason, message });
const text = (secret: Secret, key: string): string => textOfSecret(secret.data?.[key]) ?? '';
export const leafOf = (secret: Secret | undefined): CertificateParts | undefined =>
  secret && readChain(text(secret, 'tls.crt'))?.[0];

/** Why a certificate is made anew; undefined: it is not. Models policies.NewTriggerPolicyChain. */
export function findTrigger(input: Input, now: Millis): Violation | undefined {
  const found = commonViolation(input);
  if (found) return found;
  const at = renewalTimeOf(input.certificate.spec, leafOf(input.secret)!);
  if (at > now) return undefined;
  const { renewalTime } = input.certificate.status ?? {};
  const shown = formatTime(renewalTime === undefined ? at : parseTimestamp(renewalTime));
  return violation('Renewing', `Renewing certificate as renewal was scheduled at ${shown}`);
}

/** Why a certificate is of no use; undefined: it is. Models policies.NewReadinessPolicyChain. */
export function findFault(input: Input, now: Millis): Violation | undefined {
  const found = commonViolation(input);
  if (found) return found;
  const { notAfter } = leafOf(input.secret)!;
  if (now <= notAfter) return undefined;
  return violation('Expired', `Certificate expired on ${new Date(notAfter).toUTCString().replace('GMT', 'UTC')}`);
}

function commonViolation({ certificate, secret, current }: Input): Violation | undefined {
  if (!secret) return violation('DoesNotExist', 'Issuing certificate as Secret does not exist');
  if (!secret.data) return violation('MissingData', 'Issuing certificate as Secret does not contain any data');
  if (!secret.data['tls.key'])
    return violation('MissingData', 'Issuing certificate as Secret does not contain a private key');
  if (!secret.data['tls.crt'])
    return violation('MissingData', 'Issuing certificate as Secret does not contain a certificate');
  const key = readPrivateKey(text(secret, 'tls.key'));
  if (!key)
    return violation(
      'InvalidKeyPair',
      'Issuing certificate as Secret contains invalid private key data: error decoding private key PEM block',
    );
  const leaf = leafOf(secret);
  if (!leaf)
    return violation(
      'InvalidCertificate',
      'Issuing certificate as Secret contains an invalid certificate: error decoding certificate PEM block',
    );
  if (compareBytes(leaf.publicKey.whole, key.publicKey) !== 0)
    return violation(
      'InvalidKeyPair',
      'Issuing certificate as Secret contains a private key that does not match the certificate',
    );
  return ownerViolation(certificate, secret) ?? specViolation(certificate, key, current);
}

/** The annotations of a Secret say whose it is. */
function ownerViolation({ metadata, spec }: Certificate, { metadata: own }: Secret): Violation | undefined {
  const { annotations = {} } = own;
  const name = annotations['cert-manager.io/issuer-name'];
  const said: IssuerRef = {
    name: name ?? '',
    kind: annotations['cert-manager.io/issuer-kind'] || 'Issuer',
    group: annotations['cert-manager.io/issuer-group'] || GROUP,
  };
  const { kind = 'Issuer', group = GROUP } = spec.issuerRef;
  if (name !== undefined && (said.name !== spec.issuerRef.name || said.kind !== kind || said.group !== group))
    return violation(
      'IncorrectIssuer',
      `Issuing certificate as Secret was previously issued by "${said.kind}.${said.group}/${said.name}"`,
    );
  const other = annotations['cert-manager.io/certificate-name'];
  if (other !== undefined && other !== metadata.name)
    return violation(
      'IncorrectCertificate',
      `Secret was issued for "${other}". If this message is not transient, you might have two conflicting Certificates pointing to the same secret.`,
    );
  return undefined;
}

function specViolation(
  { spec }: Certificate,
  key: NonNullable<ReturnType<typeof readPrivateKey>>,
  current: CertificateRequest | undefined,
): Violation | undefined {
  const wrong = keyViolations(key, spec.privateKey);
  if (wrong.length > 0)
    return violation('SecretMismatch', `Existing private key is not up to date for spec: [${wrong.join(' ')}]`);
  const changed = current ? requestViolations(current, spec) : [];
  if (changed.length === 0) return undefined;
  return violation(
    'RequestChanged',
    `Fields on existing CertificateRequest resource not up to date: [${changed.join(' ')}]`,
  );
}

const SUBJECT_FIELDS: Readonly<Record<string, string>> = {
  '2.5.4.3': 'spec.commonName',
  '2.5.4.10': 'spec.subject.organizations',
  '2.5.4.6': 'spec.subject.countries',
  '2.5.4.11': 'spec.subject.organizationalUnits',
  '2.5.4.7': 'spec.subject.localities',
  '2.5.4.8': 'spec.subject.provinces',
  '2.5.4.9': 'spec.subject.streetAddresses',
  '2.5.4.17': 'spec.subject.postCodes',
  '2.5.4.5': 'spec.subject.serialNumber',
};

/** Fields that a request does not have as its Certificate says. Models RequestMatchesSpec. */
export function requestViolations(request: CertificateRequest, spec: CertificateSpec): string[] {
  const parsed = parsedRequest(request);
  if (typeof parsed === 'string') return [];
  const same = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
    JSON.stringify([...a].sort()) === JSON.stringify([...b].sort());
  const { names, subject } = parsed;
  const wanted = attributesOf(spec);
  const addresses = names.addresses.map((bytes) => (bytes.length === 4 ? bytes.join('.') : ''));
  const fourth = (spec.ipAddresses ?? []).map((address) => (address.includes(':') ? '' : address));
  const { duration, issuerRef, isCA = false, usages } = request.spec;
  const span = (value: string | undefined): number | undefined => parseDuration(value ?? '');
  return [
    ...Object.entries(SUBJECT_FIELDS).flatMap(([id, field]) =>
      same(subject.attributes.get(id), wanted.get(id)) ? [] : [field],
    ),
    ...(same(names.dns, spec.dnsNames) ? [] : ['spec.dnsNames']),
    ...(same(addresses, fourth) ? [] : ['spec.ipAddresses']),
    ...(same(names.uris, spec.uris) ? [] : ['spec.uris']),
    ...(same(names.emails, spec.emailAddresses) ? [] : ['spec.emailAddresses']),
    ...(isCA === (spec.isCA ?? false) ? [] : ['spec.isCA']),
    ...(same(usages, spec.usages) ? [] : ['spec.usages']),
    ...(span(duration) === span(spec.duration) ? [] : ['spec.duration']),
    ...(JSON.stringify(full(issuerRef)) === JSON.stringify(full(spec.issuerRef)) ? [] : ['spec.issuerRef']),
  ];
}

const full = ({ name, kind = 'Issuer', group = GROUP }: IssuerRef): IssuerRef => ({ name, kind, group });

/** A third of its time before its end, or as long before as `renewBefore` says. Models pki.RenewalTime. */
export function renewalTimeOf({ renewBefore }: CertificateSpec, leaf: CertificateParts): Millis {
  const whole = leaf.notAfter - leaf.notBefore;
  const given = parseDuration(renewBefore ?? '');
  const before = given !== undefined && given < whole ? given : whole / 3;
  return Math.floor((leaf.notAfter - before) / 1_000) * 1_000;
}
