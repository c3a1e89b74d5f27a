import { apiEndpoints, apiEndpointSlice, apiService } from '../../controllers/kubernetesservice/objects.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import type { ClusterNames } from '../template-options.js';
import { CONTROL_PLANE_IP, KUBERNETES_SERVICE_IP, SERVICE_SUBNET, SERVICE_SUBNETS_OF_BOTH } from './versions.js';

const object = (apiVersion: string, kind: string, name: string, rest: object, namespace?: string): KubeObject =>
  ({ apiVersion, kind, metadata: { name, ...(namespace ? { namespace } : {}) }, ...rest }) as KubeObject;

const namespace = (name: string): KubeObject => object('v1', 'Namespace', name, {});

const priorityClass = (name: string, value: number, description: string): KubeObject =>
  object('scheduling.k8s.io/v1', 'PriorityClass', name, {
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  });

const storageClass = (name: string): KubeObject =>
  ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'rancher.io/local-path',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'WaitForFirstConsumer',
  }) as KubeObject;

const componentStatus = (name: string, message: string): KubeObject =>
  object('v1', 'ComponentStatus', name, { conditions: [{ type: 'Healthy', status: 'True', message }] });

/** What kube-apiserver makes by itself when it starts on an empty etcd. */
export function baseObjects({ storageClass: className, dualStack }: ClusterNames): KubeObject[] {
  return [
    ...['default', 'kube-node-lease', 'kube-public', 'kube-system'].map(namespace),
    priorityClass(
      'system-node-critical',
      2_000_001_000,
      'Used for system critical pods that must not be moved from their current node.',
    ),
    priorityClass(
      'system-cluster-critical',
      2_000_000_000,
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
    ),
    object('networking.k8s.io/v1', 'ServiceCIDR', 'kubernetes', {
      spec: { cidrs: dualStack ? SERVICE_SUBNETS_OF_BOTH.split(',') : [SERVICE_SUBNET] },
    }),
    apiService(KUBERNETES_SERVICE_IP),
    apiEndpoints([CONTROL_PLANE_IP]),
    apiEndpointSlice([CONTROL_PLANE_IP]),
    storageClass(className),
    ...['scheduler', 'controller-manager', 'etcd-0'].map((name) => componentStatus(name, 'ok')),
  ];
}
