import type { ConfigMap, Secret } from '../../api/core_v1.js';
import { isBootstrapToken, readBootstrapToken, signsFor } from '../../kinds/core/secret/bootstrap-token.js';
import { ConfigMaps, Secrets } from '../../kinds/index.js';
import { deepEqual } from '../../machinery/meta/equal.js';
import { defineController, watch, type Context } from '../../runtime/controller.js';
import { signDetached } from './detached-signature.js';

const CLUSTER_INFO = { namespace: 'kube-public', name: 'cluster-info' };
const SIGNATURE = 'jws-kubeconfig-';

/**
 * Signs the cluster's information with each bootstrap token, so that who joins with one knows it from a forged one.
 * Models pkg/controller/bootstrap/bootstrapsigner.go.
 */
export const controller = defineController<ConfigMap>({
  name: 'bootstrapsigner',
  actor: 'system:serviceaccount:kube-system:bootstrap-signer',
  eventSource: 'bootstrap-signer',
  for: {
    kind: ConfigMaps,
    when: ({ metadata: { namespace, name } }) => namespace === CLUSTER_INFO.namespace && name === CLUSTER_INFO.name,
  },
  watches: [watch<Secret>({ kind: Secrets, when: isBootstrapToken, keys: () => [CLUSTER_INFO] })],
  reconcile(context, key) {
    const { client } = context;
    const map = client.get(ConfigMaps, key);
    const content = map?.data?.['kubeconfig'];
    if (!map || content === undefined) return;
    const unsigned = Object.entries(map.data!).filter(([name]) => !name.startsWith(SIGNATURE));
    const data = Object.fromEntries([...unsigned, ...signaturesOf(context, content)]);
    if (!deepEqual(data, map.data)) client.update(ConfigMaps, { ...map, data });
  },
});

const signaturesOf = ({ client, now }: Context, content: string): [string, string][] =>
  client.list(Secrets, 'kube-system').flatMap((secret): [string, string][] => {
    if (!isBootstrapToken(secret)) return [];
    const token = readBootstrapToken(secret);
    return signsFor(secret, token, now) ? [[SIGNATURE + token.id, signDetached(content, token)]] : [];
  });
