import type { Container } from '../../../api/core_v1.js';
import { Nodes } from '../../../kinds/index.js';
import type { PodSync } from './pod-sync.js';

const KUBE_PROXY = 'kube-proxy';

/** kube-proxy tells of its start, of its node and without words. Models cmd/kube-proxy/app/server.go Run. */
export function tellOfComponentStart({ context, pod }: PodSync, container: Container): void {
  const { metadata, spec } = pod;
  const isProxy = container.name === KUBE_PROXY && metadata.labels?.['k8s-app'] === KUBE_PROXY;
  if (!isProxy || metadata.namespace !== 'kube-system') return;
  const node = context.client.get(Nodes, { namespace: '', name: spec.nodeName ?? '' });
  const source = { component: KUBE_PROXY, host: spec.nodeName ?? '' };
  if (node) context.event(node, 'Normal', 'Starting', '', { source, action: 'StartKubeProxy' });
}
