import { ConfigMaps, DaemonSets } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import { KUBEADM_CONFIG } from '../views/releases-view.js';

const PROXY = { namespace: 'kube-system', name: 'kube-proxy' };

/**
 * What kubeadm writes to the API server once a control plane is of another release: its configuration, and kube-proxy's
 * image. Models cmd/kubeadm/app/phases/upgrade/postupgrade.go.
 */
export function upgradeCluster(client: Client, release: string): void {
  const config = client.get(ConfigMaps, KUBEADM_CONFIG);
  const text = config?.data?.['ClusterConfiguration'];
  if (config && text !== undefined) {
    const changed = text.replace(/^kubernetesVersion: .*$/m, `kubernetesVersion: ${release}`);
    client.update(ConfigMaps, { ...config, data: { ...config.data, ClusterConfiguration: changed } });
  }
  const proxy = client.get(DaemonSets, PROXY);
  if (!proxy) return;
  const { spec: pods } = proxy.spec.template;
  if (!pods) return;
  const containers = pods.containers.map((container) =>
    container.name === PROXY.name ? { ...container, image: `registry.k8s.io/kube-proxy:${release}` } : container,
  );
  const template = { ...proxy.spec.template, spec: { ...pods, containers } };
  client.update(DaemonSets, { ...proxy, spec: { ...proxy.spec, template } });
}
