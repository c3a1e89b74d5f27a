import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../../../api/certificates_v1.js';
import { decodeBase64Text } from '../../../machinery/text/base64.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  duplicate,
  forbiddenField,
  invalidValue,
  notSupported,
  Path,
  required,
  tooLong,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { isDNS1123Label, isDNS1123Subdomain } from '../../../machinery/meta/validation.js';
import { parseCertificate } from '../../../machinery/crypto/x509/certificate.js';
import { DerError } from '../../../machinery/crypto/x509/der.js';
import { decodePem } from '../../../machinery/crypto/x509/pem.js';
import { parseRequest, requestFault } from '../../../machinery/crypto/x509/request.js';
import { validateEach } from '../../field-validation.js';
import { LEGACY_UNKNOWN } from '../signers.js';
import { USAGES } from '../usages.js';

const MIN_EXPIRATION_SECONDS = 600;
const MAX_SUBDOMAIN = 253;
const MAX_SIGNER_NAME = MAX_SUBDOMAIN + 1 + MAX_SUBDOMAIN + 63 + 1;
const TRUE_ONLY = ['Approved', 'Denied', 'Failed'];
const STATUSES = ['False', 'True', 'Unknown'];
const conditionsPath = Path.of('status', 'conditions');
const certificatePath = Path.of('status', 'certificate');

/** Models pkg/apis/certificates/validation ValidateCertificateSigningRequestCreate. */
export function validateRequest(csr: CertificateSigningRequest): FieldError[] {
  const { spec } = csr;
  const path = Path.of('spec');
  const errors: FieldError[] = [];
  const fault = faultOf(spec.request ?? '');
  if (fault) errors.push(invalidValue(path.child('request'), spec.request, fault));
  errors.push(
    ...validateUsages(spec.usages, path.child('usages')),
    ...validateSigner(spec.signerName, path.child('signerName')),
  );
  const seconds = spec.expirationSeconds;
  if (seconds !== undefined && seconds < MIN_EXPIRATION_SECONDS) {
    errors.push(
      invalidValue(
        path.child('expirationSeconds'),
        seconds,
        `may not specify a duration less than ${MIN_EXPIRATION_SECONDS} seconds (10 minutes)`,
      ),
    );
  }
  return errors;
}

function faultOf(request: string): string | undefined {
  try {
    return requestFault(parseRequest(decodeBase64Text(request)));
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

function validateUsages(usages: readonly string[] | undefined, path: Path): FieldError[] {
  if (!usages?.length) return [required(path)];
  const unknown = validateEach(usages, path, (usage, at) =>
    USAGES.includes(usage) ? [] : [notSupported(at, usage, USAGES)],
  );
  return [
    ...unknown,
    ...usages.flatMap((usage, i) => (usages.indexOf(usage) < i ? [duplicate(path.index(i), usage)] : [])),
  ];
}

/** Models pkg/apis/core/validation ValidateSignerName. */
function validateSigner(name: string | undefined, path: Path): FieldError[] {
  if (!name) return [required(path)];
  if (name === LEGACY_UNKNOWN)
    return [invalidValue(path, name, 'the legacy signerName is not allowed via this API version')];
  const [domain = '', rest, ...more] = name.split('/');
  if (rest === undefined || more.length > 0)
    return [
      invalidValue(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  return [
    ...(domain.length > MAX_SUBDOMAIN ? [tooLong(path, MAX_SUBDOMAIN)] : []),
    ...firstFault(path, domain, isDNS1123Label),
    ...(domain.includes('.')
      ? []
      : [invalidValue(path, domain, 'should be a domain with at least two segments separated by dots')]),
    ...firstFault(path, rest, isDNS1123Subdomain),
    ...(name.length > MAX_SIGNER_NAME ? [tooLong(path, MAX_SIGNER_NAME)] : []),
  ];
}

/** Of the first segment between dots that breaks the rule. */
function firstFault(path: Path, text: string, rule: (label: string) => readonly string[]): FieldError[] {
  for (const label of text.split('.')) {
    const faults = rule(label);
    if (faults.length)
      return faults.map((fault) => invalidValue(path, text, `validating label ${JSON.stringify(label)}: ${fault}`));
  }
  return [];
}

function validateConditions({ status }: CertificateSigningRequest): FieldError[] {
  const conditions = status.conditions ?? [];
  const earlier = (i: number, type: string): boolean =>
    conditions.findIndex((c) => c.type === type) < i && conditions.some((c) => c.type === type);
  return conditions.flatMap(({ type, status: value }, i) => {
    const at = conditionsPath.index(i);
    const errors: FieldError[] = [];
    const allowed = TRUE_ONLY.includes(type) ? ['True'] : STATUSES;
    if (!type) errors.push(required(at.child('type')));
    if (!value) errors.push(required(at.child('status')));
    else if (!allowed.includes(value)) errors.push(notSupported(at.child('status'), value, allowed));
    const opposite = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (opposite && earlier(i, opposite))
      errors.push(invalidValue(conditionsPath, type, 'Approved and Denied conditions are mutually exclusive'));
    if (earlier(i, type)) errors.push(duplicate(at.child('type'), type));
    return errors;
  });
}

/** The text says what is wrong with an issued certificate. */
function certificateFault(certificate: string): string | undefined {
  const blocks = decodePem(decodeBase64Text(certificate));
  if (blocks.length === 0) return 'must contain at least one CERTIFICATE PEM block';
  for (const { type, bytes, hasHeaders } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    try {
      parseCertificate(bytes);
    } catch (error) {
      if (error instanceof DerError) return 'x509: malformed certificate';
      throw error;
    }
  }
  return undefined;
}

/**
 * Of a change to the status through the subresource 'status', where certificates come from, or 'approval', where
 * decisions do. Models ValidateCertificateSigningRequestStatusUpdate and …ApprovalUpdate.
 */
export function validateStatusUpdate(
  next: CertificateSigningRequest,
  old: CertificateSigningRequest,
  through: 'status' | 'approval',
): FieldError[] {
  const errors = validateConditions(next);
  const { certificate } = next.status;
  const fault = certificate && certificate !== old.status.certificate ? certificateFault(certificate) : undefined;
  if (fault) errors.push(invalidValue(certificatePath, '<certificate data>', fault));
  for (const type of TRUE_ONLY)
    if (of(next, type).length < of(old, type).length)
      errors.push(forbiddenField(conditionsPath, `updates may not remove a condition of type ${JSON.stringify(type)}`));
  if (through === 'status') errors.push(...decisionChanges(next, old));
  if (old.status.certificate && certificate !== old.status.certificate)
    errors.push(forbiddenField(certificatePath, 'updates may not modify existing certificate content'));
  return errors;
}

const of = ({ status }: CertificateSigningRequest, type: string): CertificateSigningRequestCondition[] =>
  (status.conditions ?? []).filter((c) => c.type === type);

function decisionChanges(next: CertificateSigningRequest, old: CertificateSigningRequest): FieldError[] {
  return ['Approved', 'Denied'].flatMap((type) => {
    const [before, after] = [of(old, type), of(next, type)];
    if (after.length < before.length || deepEqual(before, after)) return [];
    const verb = after.length > before.length ? 'add' : 'modify';
    return [forbiddenField(conditionsPath, `updates may not ${verb} a condition of type ${JSON.stringify(type)}`)];
  });
}
