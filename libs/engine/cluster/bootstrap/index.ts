import type { Node } from '../../api/core_v1.js';
import { Clocks, CSINodes, Leases, Nodes, Pods } from '../../kinds/index.js';
import { microTimestamp } from '../../machinery/time/time.js';
import { csiNode, nodeLease, nodeTemplate, staticPods } from '../../node/index.js';
import type { Cluster } from '../cluster.js';
import { DEFAULT_NAMES, type ClusterNames, type TemplateOptions } from '../template-options.js';
import { baseObjects } from './apiserver-objects.js';
import { createApiObjects, createIfMissing } from './create-api-objects.js';
import { rbacObjects } from './rbac.js';
import { kubeadmConfigMaps } from './kubeadm-config.js';
import { addonObjects } from './addons.js';
import { leaderLease, serverLease } from './leases.js';
import { CONTROL_PLANE_IP } from './versions.js';

const APISERVER = { name: 'system:apiserver', groups: ['system:masters'] };
const KUBEADM = {
  name: 'kubernetes-admin',
  groups: ['kubeadm:cluster-admins', 'system:masters', 'system:authenticated'],
};
const CONTROL_PLANE_TAINT = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

/** Does to an empty cluster what kubeadm init, kubeadm join and a CNI's manifest do. */
export function bootstrap(cluster: Cluster, options: TemplateOptions): void {
  const names = { ...DEFAULT_NAMES, ...options.names };
  const apiserver = cluster.client(APISERVER);
  const kubeadm = cluster.client(KUBEADM);
  apiserver.create(Clocks, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Clock',
    metadata: { name: 'clock' },
    spec: { rate: 1, paused: false, speedProfile: options.speed },
  } as never);
  const objects = [...baseObjects(names), ...rbacObjects(), ...kubeadmConfigMaps(names)];
  createApiObjects(apiserver, objects, cluster.state.now);
  const now = microTimestamp(cluster.state.now);
  apiserver.create(Leases, serverLease(names.controlPlane, now));
  for (const component of ['kube-controller-manager', 'kube-scheduler'])
    cluster
      .client({ name: `system:${component}`, groups: ['system:authenticated'] })
      .create(Leases, leaderLease(component, names.controlPlane, now));
  newNodes(options.workers, names).forEach((node, i) => {
    const kubelet = cluster.client({
      name: `system:node:${node.metadata.name}`,
      groups: ['system:nodes', 'system:authenticated'],
    });
    const created = kubelet.create(Nodes, node);
    kubelet.create(Leases, nodeLease(created, now));
    kubelet.create(CSINodes, csiNode(created));
    if (i === 0) for (const pod of staticPods(created)) kubelet.create(Pods, pod);
  });
  cluster.advance(cluster.state.now);
  for (const o of addonObjects(names)) createIfMissing(kubeadm, o);
}

function newNodes(
  workers: TemplateOptions['workers'],
  { controlPlane: name, version, dualStack, untainted }: ClusterNames,
): Node[] {
  const controlPlane = nodeTemplate({
    name,
    version,
    role: 'control-plane',
    internalIP: CONTROL_PLANE_IP,
    podCIDR: podCidr(0),
    dualStack,
    ...(untainted ? {} : { taints: [CONTROL_PLANE_TAINT] }),
  });
  const workerNodes = workers.map((w, i) =>
    nodeTemplate({ ...w, version, internalIP: nodeAddress(i + 1), podCIDR: podCidr(i + 1), dualStack }),
  );
  return [controlPlane, ...workerNodes];
}

/** 172.18.0.2 is the control plane's; workers follow. */
const nodeAddress = (i: number): string => `172.18.${Math.floor((i + 2) / 256)}.${(i + 2) % 256}`;
const podCidr = (i: number): string => `10.244.${i}.0/24`;
