import {
  isBootstrapToken,
  readBootstrapToken,
  type BootstrapToken,
} from '../../../kinds/core/secret/bootstrap-token.js';
import { Secrets } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';

/** Where kubeadm finds the bootstrap tokens: TokenView as JSON, made when it is read. */
export const TOKENS_FILE = '/run/kubeadm/tokens.json';

/** `token`: `ID.SECRET`. */
export interface TokenView extends Omit<BootstrapToken, 'id' | 'secret'> {
  readonly token: string;
}

export const viewTokens = (read: Reader): TokenView[] =>
  read
    .list(Secrets, 'kube-system')
    .filter(isBootstrapToken)
    .map((stored) => {
      const { id, secret, ...token } = readBootstrapToken(stored);
      return { token: `${id}.${secret}`, ...token };
    });
