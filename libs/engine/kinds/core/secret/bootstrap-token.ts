import type { Secret } from '../../../api/core_v1.js';
import { decodeBase64Text } from '../../../machinery/text/base64.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';

export const BOOTSTRAP_TOKEN_TYPE = 'bootstrap.kubernetes.io/token';
const PREFIX = 'bootstrap-token-';
const ID = /^[a-z0-9]{6}$/;
const SECRET = /^[a-z0-9]{16}$/;

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
  metadata.namespace === 'kube-system' && type === BOOTSTRAP_TOKEN_TYPE;

export const nameOfBootstrapToken = (id: string): string => PREFIX + id;

export function readBootstrapToken({ data = {} }: Secret): BootstrapToken {
  const value = (name: string): string => (data[name] === undefined ? '' : decodeBase64Text(data[name]));
  return {
    id: value('token-id'),
    secret: value('token-secret'),
    expiration: value('expiration'),
    usages: ['authentication', 'signing'].filter((name) => value(`usage-bootstrap-${name}`) === 'true'),
    description: value('description'),
    groups: value('auth-extra-groups'),
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
  const isNamed = secret.metadata.name === nameOfBootstrapToken(token.id);
  const isWellFormed = ID.test(token.id) && SECRET.test(token.secret);
  return isNamed && isWellFormed && token.usages.includes('signing') && lifeOf(token, now) > 0;
}
