import type { Secret } from '../../../api/core_v1.js';
import { decodeBase64Text } from '../../../machinery/text/base64.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import {
  forbiddenField,
  invalidValue,
  Path,
  required,
  tooLong,
  type FieldError,
} from '../../../machinery/meta/field.js';
import { immutable, invalidEach, isConfigMapKey } from '../../../machinery/meta/validation.js';
import { own } from '../../../machinery/meta/object.js';

const MAX_BYTES = 1024 * 1024;
const SERVICE_ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const IMMUTABLE_SET = 'field is immutable when `immutable` is set';
const data = Path.of('data');

/** Type -> the keys that its data must have. */
const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

/** Models ValidateSecret of pkg/apis/core/validation. */
export function validateSecret(secret: Secret): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(secret.data ?? {})) {
    errors.push(...invalidEach(data.key(key), key, isConfigMapKey(key)));
    bytes += Math.floor((value.length * 3) / 4);
  }
  if (bytes > MAX_BYTES) errors.push(tooLong(data, MAX_BYTES));
  return [...errors, ...validateType(secret)];
}

function validateType(secret: Secret): FieldError[] {
  const has = (key: string): boolean => secret.data?.[key] !== undefined;
  if (secret.type === 'kubernetes.io/service-account-token') {
    const named = secret.metadata.annotations?.[SERVICE_ACCOUNT_NAME];
    return named ? [] : [required(Path.of('metadata', 'annotations').key(SERVICE_ACCOUNT_NAME))];
  }
  if (secret.type === 'kubernetes.io/basic-auth') {
    return has('username') || has('password') ? [] : [required(data.key('username')), required(data.key('password'))];
  }
  const errors: FieldError[] = [];
  for (const key of own(REQUIRED_KEYS, secret.type ?? '') ?? []) {
    if (!has(key) || (key === 'ssh-privatekey' && secret.data![key] === '')) errors.push(required(data.key(key)));
    else if (key.startsWith('.docker') && !isJson(decodeBase64Text(secret.data![key]!))) {
      errors.push(invalidValue(data.key(key), '<secret contents redacted>', 'invalid character in JSON'));
    }
  }
  return errors;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function validateSecretUpdate(secret: Secret, old: Secret): FieldError[] {
  const errors = immutable(Path.of('type'), secret.type, secret.type === old.type);
  if (!old.immutable) return errors;
  if (!secret.immutable) errors.push(forbiddenField(Path.of('immutable'), IMMUTABLE_SET));
  if (!deepEqual(secret.data ?? {}, old.data ?? {})) errors.push(forbiddenField(data, IMMUTABLE_SET));
  return errors;
}

/** Warns of a TLS Secret that no server could load. Models warningsForSecret of pkg/registry/core/secret. */
export function secretWarnings({ type, data: entries }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  const isPem = (key: string, block: RegExp): boolean => block.test(decodeBase64Text(entries?.[key] ?? ''));
  if (!isPem('tls.crt', /-----BEGIN /)) return ['tls: failed to find any PEM data in certificate input'];
  return isPem('tls.crt', /-----BEGIN CERTIFICATE-----/) && !isPem('tls.key', /-----BEGIN /)
    ? ['tls: failed to find any PEM data in key input']
    : [];
}
