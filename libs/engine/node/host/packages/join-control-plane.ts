import type { Taint } from '../../../api/core_v1.js';
import { keyOfBootstrapToken, makeBootstrapSecret } from '../../../kinds/core/secret/bootstrap-token.js';
import { Nodes, Secrets } from '../../../kinds/index.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import type { Client } from '../../../machinery/client.js';
import { CONTROL_PLANE } from '../files/config-files.js';
import { KUBEADM_CERTS } from '../views/releases-view.js';
import { viewTokens } from '../views/tokens-view.js';

const EXCLUDED = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** Marks a node as one of the control plane, for who has a bootstrap token. */
export function joinControlPlane(client: Client, name: string, token: string): void {
  if (viewTokens(client).some((one) => one.token === token))
    markControlPlane(client, name, [{ key: CONTROL_PLANE, effect: 'NoSchedule' }]);
}

/** Models cmd/kubeadm/app/phases/markcontrolplane. */
export function markControlPlane(client: Client, name: string, taints: readonly Taint[]): void {
  const node = client.get(Nodes, { namespace: '', name });
  if (!node) return;
  const { metadata, spec } = node;
  const others = (spec.taints ?? []).filter(({ key }) => taints.every((taint) => taint.key !== key));
  client.update(Nodes, {
    ...node,
    metadata: { ...metadata, labels: { ...metadata.labels, [CONTROL_PLANE]: '', [EXCLUDED]: '' } },
    spec: { ...spec, taints: [...others, ...taints] },
  });
}

/** Certificates for other control planes, sealed: by the names of their files. They go with a token that expires. */
export interface Upload {
  readonly seals: Readonly<Record<string, string>>;
  readonly token: string;
  /** RFC 3339. */
  readonly expiration: string;
}

const PROXY = 'Proxy for managing TTL for the kubeadm-certs secret';

/**
 * The Secret belongs to a bootstrap token that is good for nothing but to expire. Models
 * cmd/kubeadm/app/phases/copycerts.
 */
export function uploadCertificates(client: Client, { seals, token, expiration }: Upload): void {
  const [id = '', secret = ''] = token.split('.');
  const proxy = { id, secret, expiration, usages: [], description: PROXY, groups: '' };
  const known = client.get(Secrets, keyOfBootstrapToken(id));
  const { name = '', uid = '' } = (known ?? client.create(Secrets, makeBootstrapSecret(proxy))).metadata;
  const owner = { apiVersion: 'v1', kind: 'Secret', name, uid, controller: true, blockOwnerDeletion: true };
  const data = Object.fromEntries(Object.entries(seals).map(([file, seal]) => [file, encodeBase64(seal)]));
  if (client.get(Secrets, KUBEADM_CERTS)) client.delete(Secrets, KUBEADM_CERTS);
  client.create(Secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...KUBEADM_CERTS, ownerReferences: [owner] },
    type: 'Opaque',
    data,
  });
}
