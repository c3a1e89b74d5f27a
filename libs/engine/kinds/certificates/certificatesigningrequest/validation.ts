import type { CertificateSigningRequest } from '../../../api/certificates_v1.js';
import { duplicate, forbiddenField, invalidValue, notSupported, Path, required, type FieldError } from '../../../machinery/field.js';
import { invalidEach, isDNS1123Subdomain } from '../../../machinery/validation.js';
import { each } from '../../checks.js';

const MIN_EXPIRATION_SECONDS = 600;
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const PEM = /^-----BEGIN (NEW )?CERTIFICATE REQUEST-----\r?\n[A-Za-z0-9+/=\r\n]+-----END (NEW )?CERTIFICATE REQUEST-----\s*$/;
const USAGES = [
  'any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment', 'decipher only', 'digital signature',
  'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel', 'ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc',
  'netscape sgc', 'ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping',
];

/** Models pkg/apis/certificates/validation ValidateCertificateSigningRequest; the signature inside the request is not checked. */
export function validateRequest({ spec }: CertificateSigningRequest): FieldError[] {
  const path = Path.of('spec');
  const errors: FieldError[] = [];
  if (!isPEM(spec.request ?? '')) errors.push(invalidValue(path.child('request'), spec.request ?? '', 'PEM block type must be CERTIFICATE REQUEST'));
  const usages = path.child('usages');
  if (!spec.usages?.length) errors.push(required(usages));
  const seen = new Set<string>();
  errors.push(...each(spec.usages, usages, (usage, at) => {
    const repeated = seen.has(usage) ? [duplicate(at, usage)] : [];
    seen.add(usage);
    return USAGES.includes(usage) ? repeated : [...repeated, notSupported(at, usage, USAGES)];
  }));
  errors.push(...validateSigner(spec.signerName, path.child('signerName')));
  const seconds = spec.expirationSeconds;
  if (seconds !== undefined && seconds < MIN_EXPIRATION_SECONDS) {
    errors.push(invalidValue(path.child('expirationSeconds'), seconds, `may not specify a duration less than ${MIN_EXPIRATION_SECONDS} seconds (10 minutes)`));
  }
  return errors;
}

function validateSigner(name: string | undefined, path: Path): FieldError[] {
  if (!name) return [required(path)];
  if (name === LEGACY_SIGNER) return [invalidValue(path, name, 'the legacy signerName is not allowed via this API version')];
  const [domain, rest, more] = name.split('/');
  if (rest === undefined || more !== undefined) return [invalidValue(path, name, 'must be a fully qualified domain and path of the form \'example.com/signer-name\'')];
  const errors = invalidEach(path, name, isDNS1123Subdomain(domain!).map((m) => `validating label "${domain}": ${m}`));
  if (domain!.split('.').length < 2) errors.push(invalidValue(path, domain, 'should be a domain with at least two segments separated by dots'));
  if (!rest) errors.push(required(path, 'validating path ""'));
  return errors;
}

export function validateConditions({ status }: CertificateSigningRequest): FieldError[] {
  const path = Path.of('status', 'conditions');
  const seen = new Set<string>();
  const errors = each(status.conditions, path, ({ type, status: value }, at) => {
    const problems: FieldError[] = type ? [] : [required(at.child('type'))];
    if (type && value !== 'True') problems.push(invalidValue(at.child('status'), value, 'must be "True"'));
    if (seen.has(type)) problems.push(duplicate(at.child('type'), type));
    seen.add(type);
    return problems;
  });
  if (seen.has('Approved') && seen.has('Denied')) errors.push(invalidValue(path, 'Approved', 'Approved and Denied conditions are mutually exclusive'));
  return errors;
}

/** Decisions and an issued certificate cannot be taken back. */
export function validateRequestUpdate(next: CertificateSigningRequest, old: CertificateSigningRequest): FieldError[] {
  const errors = validateConditions(next);
  for (const type of ['Approved', 'Denied', 'Failed']) {
    const had = old.status.conditions?.some((c) => c.type === type);
    const has = next.status.conditions?.some((c) => c.type === type);
    if (had && !has) errors.push(forbiddenField(Path.of('status', 'conditions'), `updates may not remove a condition of type "${type}"`));
  }
  if (old.status.certificate && old.status.certificate !== next.status.certificate) {
    errors.push(forbiddenField(Path.of('status', 'certificate'), 'updates may not set certificate content to a different value'));
  }
  return errors;
}

/** Is the base64 text a PEM block of a request? */
const isPEM = (base64: string): boolean => PEM.test(decodeBase64(base64));

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function decodeBase64(text: string): string {
  let out = '';
  let bits = 0;
  let value = 0;
  for (const c of text) {
    const digit = ALPHABET.indexOf(c);
    if (digit < 0) continue;
    value = ((value << 6) | digit) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      out += String.fromCharCode((value >> bits) & 0xff);
    }
  }
  return out;
}
