import { deriveKey, SigningKey } from './signing-key.js';
import { TokenKey } from './token-key.js';
import { Authority } from './x509/authority.js';

/** The private P-256 keys that a cluster's secret leads to. */
export const authorityKey = (secret: string): Uint8Array => deriveKey(secret, 'certificate authority');
export const tokenKey = (secret: string): Uint8Array => deriveKey(secret, 'service account tokens');

/** What one cluster signs with: derived from its secret when it is first asked for, and nothing is stored. */
export class ClusterKeys {
  private ca: Authority | undefined;
  private key: TokenKey | undefined;

  constructor(private readonly secret: string) {}

  /** Issues and recognizes client certificates. */
  get authority(): Authority {
    return (this.ca ??= new Authority(new SigningKey(authorityKey(this.secret))));
  }

  /** Signs service accounts' tokens. */
  get tokens(): TokenKey {
    return (this.key ??= new TokenKey(new SigningKey(tokenKey(this.secret))));
  }
}
