import type { Secret, ServiceAccount } from '../../api/core_v1.js';
import { ConfigMaps, Secrets, ServiceAccounts } from '../../kinds/index.js';
import { issueLegacyToken } from '../../auth/authentication/legacy-tokens.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { defineController, index, watch } from '../../runtime/controller.js';

const TYPE = 'kubernetes.io/service-account-token';
const NAME = 'kubernetes.io/service-account.name';
const UID = 'kubernetes.io/service-account.uid';
const BY_ACCOUNT = 'serviceaccounttoken/account';

const accountOf = (secret: Secret): string | undefined =>
  secret.type === TYPE ? secret.metadata.annotations?.[NAME] : undefined;

/**
 * Fills Secrets that ask for a token, and removes those whose account is gone. Models
 * pkg/controller/serviceaccount/tokens_controller.go.
 */
export const controller = defineController({
  name: 'serviceaccounttoken',
  actor: 'system:kube-controller-manager',
  eventSource: 'serviceaccount-token-controller',
  for: { kind: Secrets, when: (secret: Secret) => accountOf(secret) !== undefined },
  indexes: [
    index(Secrets, BY_ACCOUNT, (secret) => {
      const name = accountOf(secret);
      return name ? [`${secret.metadata.namespace}/${name}`] : [];
    }),
  ],
  watches: [
    watch<ServiceAccount>({
      kind: ServiceAccounts,
      keys: (account, reader): Key[] =>
        reader.byIndex(Secrets, BY_ACCOUNT, `${account.metadata.namespace}/${account.metadata.name}`).map(keyOf),
    }),
  ],
  reconcile({ client, keys }, key) {
    const secret = client.get(Secrets, key);
    const name = secret && accountOf(secret);
    if (!secret || !name || secret.metadata.deletionTimestamp !== undefined || !keys) return;
    const account = client.get(ServiceAccounts, { namespace: key.namespace, name });
    const wanted = secret.metadata.annotations?.[UID];
    if (!account || (wanted && wanted !== account.metadata.uid)) {
      client.delete(Secrets, key, { preconditions: { uid: secret.metadata.uid } });
      return;
    }
    const { data = {} } = secret;
    if (wanted && data['token'] && data['namespace'] && data['ca.crt']) return;
    const authority = client.get(ConfigMaps, { namespace: 'kube-system', name: 'kube-root-ca.crt' })?.data?.['ca.crt'];
    client.update(Secrets, {
      ...secret,
      metadata: { ...secret.metadata, annotations: { ...secret.metadata.annotations, [UID]: account.metadata.uid! } },
      data: {
        ...data,
        ...(authority ? { 'ca.crt': encodeBase64(authority) } : {}),
        namespace: encodeBase64(key.namespace),
        token: data['token'] || encodeBase64(issueLegacyToken(keys.tokens, account, secret)),
      },
    });
  },
});
