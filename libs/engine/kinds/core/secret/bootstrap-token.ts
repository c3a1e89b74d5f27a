import type { Secret } from '../../../api/core_v1.js';
import { decodeBase64Text, encodeBase64 } from '../../../machinery/text/base64.js';
import type { Key } from '../../../machinery/meta/object.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';

export const BOOTSTRAP_TOKEN_TYPE = 'bootstrap.kubernetes.io/token';
const NAMESPACE = 'kube-system';
const PREFIX = 'bootstrap-token-';
const USAGES = ['authentication', 'signing'];

/** 'abcdef.0123456789abcdef' in its two halves. Models cluster-bootstrap/token/util ParseToken. */
export function parseBootstrapToken(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(text) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/** Texts are empty where the Secret says nothing. */
export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** RFC 3339. */
  readonly expiration: string;
  readonly usages: readonly string[];
  readonly description: string;
  readonly groups: string;
}

export const isBootstrapToken = ({ metadata, type }: Secret): boolean =>
  metadata.namespace === NAMESPACE && type === BOOTSTRAP_TOKEN_TYPE;

export const keyOfBootstrapToken = (id: string): Key => ({ namespace: NAMESPACE, name: PREFIX + id });

export function readBootstrapToken({ data = {} }: Secret): BootstrapToken {
  const value = (name: string): string => (data[name] === undefined ? '' : decodeBase64Text(data[name]));
  return {
    id: value('token-id'),
    secret: value('token-secret'),
    expiration: value('expiration'),
    usages: USAGES.filter((name) => value(`usage-bootstrap-${name}`) === 'true'),
    description: value('description'),
    groups: value('auth-extra-groups'),
  };
}

/** Models kubeadm's apis/bootstraptoken ToSecret. */
export function makeBootstrapSecret({ id, secret, usages, description, expiration, groups }: BootstrapToken): Secret {
  const texts = {
    'token-id': id,
    'token-secret': secret,
    ...Object.fromEntries(usages.map((usage) => [`usage-bootstrap-${usage}`, 'true'])),
    'auth-extra-groups': groups,
    ...{ expiration, description },
  };
  const said = Object.entries(texts).filter(([, text]) => text !== '');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: keyOfBootstrapToken(id),
    type: BOOTSTRAP_TOKEN_TYPE,
    data: Object.fromEntries(said.map(([name, text]) => [name, encodeBase64(text)])),
  };
}

/**
 * How long a token is good yet, in ms; Infinity: it does not expire; 0: it has, or its time cannot be read. Models
 * cluster-bootstrap/token/util GetExpiration.
 */
export function lifeOf({ expiration }: BootstrapToken, now: Millis): Millis {
  if (expiration === '') return Infinity;
  const at = parseTimestamp(expiration);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}

/** The token signs the cluster's information. Models bootstrap/util.go validateSecretForSigning. */
export function signsFor(secret: Secret, token: BootstrapToken, now: Millis): boolean {
  const isNamed = secret.metadata.name === PREFIX + token.id;
  const isWellFormed = parseBootstrapToken(`${token.id}.${token.secret}`) !== undefined;
  return isNamed && isWellFormed && token.usages.includes('signing') && lifeOf(token, now) > 0;
}
