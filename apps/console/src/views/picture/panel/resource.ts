/** How kubectl names what the picture shows; and where its kind is served. */
const KINDS: Readonly<Record<string, { readonly apiVersion: string; readonly resource: string }>> = {
  Pod: { apiVersion: 'v1', resource: 'pods' },
  Node: { apiVersion: 'v1', resource: 'nodes' },
  Namespace: { apiVersion: 'v1', resource: 'namespaces' },
  Service: { apiVersion: 'v1', resource: 'services' },
  PersistentVolumeClaim: { apiVersion: 'v1', resource: 'persistentvolumeclaims' },
  PersistentVolume: { apiVersion: 'v1', resource: 'persistentvolumes' },
  ReplicationController: { apiVersion: 'v1', resource: 'replicationcontrollers' },
  Deployment: { apiVersion: 'apps/v1', resource: 'deployments.apps' },
  ReplicaSet: { apiVersion: 'apps/v1', resource: 'replicasets.apps' },
  StatefulSet: { apiVersion: 'apps/v1', resource: 'statefulsets.apps' },
  DaemonSet: { apiVersion: 'apps/v1', resource: 'daemonsets.apps' },
  Job: { apiVersion: 'batch/v1', resource: 'jobs.batch' },
  CronJob: { apiVersion: 'batch/v1', resource: 'cronjobs.batch' },
  Ingress: { apiVersion: 'networking.k8s.io/v1', resource: 'ingresses.networking.k8s.io' },
  NetworkPolicy: { apiVersion: 'networking.k8s.io/v1', resource: 'networkpolicies.networking.k8s.io' },
  VolumeAttachment: { apiVersion: 'storage.k8s.io/v1', resource: 'volumeattachments.storage.k8s.io' },
  EndpointSlice: { apiVersion: 'discovery.k8s.io/v1', resource: 'endpointslices.discovery.k8s.io' },
  HorizontalPodAutoscaler: { apiVersion: 'autoscaling/v2', resource: 'horizontalpodautoscalers.autoscaling' },
  Fault: { apiVersion: 'terrarium.dev/v1alpha1', resource: 'faults.terrarium.dev' },
};

export const resourceOf = (kind: string): string | undefined => KINDS[kind]?.resource;
export const apiVersionOf = (kind: string): string | undefined => KINDS[kind]?.apiVersion;
