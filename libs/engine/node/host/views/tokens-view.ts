import { Secrets } from '../../../kinds/index.js';
import { decodeBase64Text } from '../../../machinery/text/base64.js';
import type { Reader } from '../../../machinery/client.js';

/** Where kubeadm finds the bootstrap tokens: TokenView as JSON, made when it is read. */
export const TOKENS_FILE = '/run/kubeadm/tokens.json';
const TYPE = 'bootstrap.kubernetes.io/token';

export interface TokenView {
  readonly token: string;
  readonly expiration: string;
  readonly usages: readonly string[];
  readonly description: string;
  readonly groups: string;
}

export const viewTokens = (read: Reader): TokenView[] =>
  read
    .list(Secrets, 'kube-system')
    .filter(({ type }) => type === TYPE)
    .map(({ data = {} }) => {
      const value = (name: string): string => (data[name] === undefined ? '' : decodeBase64Text(data[name]));
      const usages = ['authentication', 'signing'].filter((name) => value(`usage-bootstrap-${name}`) === 'true');
      return {
        token: `${value('token-id')}.${value('token-secret')}`,
        expiration: value('expiration'),
        usages,
        description: value('description'),
        groups: value('auth-extra-groups'),
      };
    });
