import { SigningKey } from './signing-key.js';
import { Authority } from './x509/authority.js';

/** What one cluster signs with: derived from its secret when it is first asked for. */
export class ClusterKeys {
  private ca: Authority | undefined;
  private key: SigningKey | undefined;

  constructor(private readonly secret: string) {}

  /** Issues and recognizes client certificates. */
  get authority(): Authority {
    return (this.ca ??= new Authority(SigningKey.derived(this.secret, 'certificate authority')));
  }

  /** Signs service accounts' tokens. */
  get tokens(): SigningKey {
    return (this.key ??= SigningKey.derived(this.secret, 'service account tokens'));
  }
}
