import { Nodes, Secrets } from '../../../kinds/index.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import type { Client } from '../../../machinery/client.js';
import { CONTROL_PLANE } from '../files/config-files.js';
import { KUBEADM_CERTS } from '../views/releases-view.js';
import { viewTokens } from '../views/tokens-view.js';

const EXCLUDED = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** Marks a node as one of the control plane. Models cmd/kubeadm/app/phases/markcontrolplane. */
export function joinControlPlane(client: Client, name: string, token: string): void {
  const node = client.get(Nodes, { namespace: '', name });
  if (!node || !viewTokens(client).some((one) => one.token === token)) return;
  const { metadata, spec } = node;
  const taints = (spec.taints ?? []).filter(({ key }) => key !== CONTROL_PLANE);
  client.update(Nodes, {
    ...node,
    metadata: { ...metadata, labels: { ...metadata.labels, [CONTROL_PLANE]: '', [EXCLUDED]: '' } },
    spec: { ...spec, taints: [...taints, { key: CONTROL_PLANE, effect: 'NoSchedule' }] },
  });
}

/** Models cmd/kubeadm/app/phases/copycerts. */
export function uploadCertificates(client: Client, seals: Readonly<Record<string, string>>): void {
  const data = Object.fromEntries(Object.entries(seals).map(([name, seal]) => [name, encodeBase64(seal)]));
  if (client.get(Secrets, KUBEADM_CERTS)) client.delete(Secrets, KUBEADM_CERTS);
  client.create(Secrets, { apiVersion: 'v1', kind: 'Secret', metadata: KUBEADM_CERTS, type: 'Opaque', data });
}
