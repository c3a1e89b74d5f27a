import { SigningKey } from './signing-key.js';
import { TokenKey } from './token-key.js';
import { Authority } from './x509/authority.js';

/** What one cluster signs with: derived from its secret when it is first asked for, and nothing is stored. */
export class ClusterKeys {
  private ca: Authority | undefined;
  private key: TokenKey | undefined;

  constructor(private readonly secret: string) {}

  /** Issues and recognizes client certificates. */
  get authority(): Authority {
    return (this.ca ??= new Authority(SigningKey.derived(this.secret, 'certificate authority')));
  }

  /** Signs service accounts' tokens. */
  get tokens(): TokenKey {
    return (this.key ??= new TokenKey(SigningKey.derived(this.secret, 'service account tokens')));
  }
}
