import type { ServiceAccount } from '../api/core_v1.js';
import type { Access, Auth, Authenticated, Decision, TokenOptions, UserRules } from '../machinery/requests/auth.js';
import type { Reader, User } from '../machinery/client.js';
import type { ClusterKeys } from '../machinery/crypto/cluster-keys.js';
import type { Millis } from '../machinery/time/time.js';
import { issueBoundToken } from './authentication/bound-tokens.js';
import { authenticateToken } from './authentication/tokens.js';
import { authorize, rulesFor } from './authorization/authorizer.js';

/** One cluster's authenticator and authorizer, by its state at the time of the call. */
export class ClusterAuth implements Auth {
  constructor(
    private readonly state: Reader & { readonly now: Millis },
    private readonly keys: ClusterKeys | undefined,
  ) {}

  authorize(user: User, access: Access): Decision {
    return authorize(user, access, this.state);
  }

  rulesFor(user: User, namespace: string): UserRules {
    return rulesFor(user, namespace, this.state);
  }

  authenticateToken(token: string, audiences: readonly string[]): Authenticated | string {
    return authenticateToken(this.keys?.tokens, token, audiences, this.state, this.state.now);
  }

  issueToken(account: ServiceAccount, options: TokenOptions): string | undefined {
    return this.keys && issueBoundToken(this.keys.tokens, account, options);
  }
}
