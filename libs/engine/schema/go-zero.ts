import { definition, shortName } from './definitions.js';

/**
 * Go writes a field that is no pointer to protobuf even when it is zero, and leaves it out of JSON (omitempty).
 * So a zero that arrives is dropped for these optional numbers and booleans, and kept for all others (pointers).
 * Models the struct tags of k8s.io/api's types.go.
 */
const VALUES: Readonly<Record<string, string>> = {
  APIServiceSpec: 'insecureSkipTLSVerify',
  AWSElasticBlockStoreVolumeSource: 'partition readOnly',
  AzureFilePersistentVolumeSource: 'readOnly',
  AzureFileVolumeSource: 'readOnly',
  CSIPersistentVolumeSource: 'readOnly',
  CephFSPersistentVolumeSource: 'readOnly',
  CephFSVolumeSource: 'readOnly',
  CinderPersistentVolumeSource: 'readOnly',
  CinderVolumeSource: 'readOnly',
  Condition: 'observedGeneration',
  Container: 'stdin stdinOnce tty',
  ContainerImage: 'sizeBytes',
  ContainerPort: 'hostPort',
  ContainerStateTerminated: 'signal',
  CustomResourceColumnDefinition: 'priority',
  CustomResourceDefinitionCondition: 'observedGeneration',
  CustomResourceDefinitionSpec: 'preserveUnknownFields',
  CustomResourceDefinitionStatus: 'observedGeneration',
  CustomResourceDefinitionVersion: 'deprecated',
  DaemonSetSpec: 'minReadySeconds',
  DaemonSetStatus: 'numberAvailable numberUnavailable observedGeneration updatedNumberScheduled',
  DeploymentSpec: 'minReadySeconds paused',
  DeploymentStatus: 'availableReplicas observedGeneration readyReplicas replicas unavailableReplicas updatedReplicas',
  DeviceRequest: 'count',
  DeviceSubRequest: 'count',
  EphemeralContainer: 'stdin stdinOnce tty',
  Event: 'count deprecatedCount',
  EventSeries: 'count',
  ExactDeviceRequest: 'count',
  FCVolumeSource: 'readOnly',
  FlexPersistentVolumeSource: 'readOnly',
  FlexVolumeSource: 'readOnly',
  GCEPersistentDiskVolumeSource: 'partition readOnly',
  GlusterfsVolumeSource: 'readOnly',
  HorizontalPodAutoscalerStatus: 'currentReplicas',
  ISCSIPersistentVolumeSource: 'chapAuthDiscovery chapAuthSession readOnly',
  ISCSIVolumeSource: 'chapAuthDiscovery chapAuthSession readOnly',
  JSONSchemaProps: 'exclusiveMaximum exclusiveMinimum nullable uniqueItems x-kubernetes-embedded-resource x-kubernetes-int-or-string',
  JobStatus: 'active failed succeeded',
  NFSVolumeSource: 'readOnly',
  NodeSpec: 'unschedulable',
  ObjectMeta: 'generation',
  PersistentVolumeClaimVolumeSource: 'readOnly',
  PodCondition: 'observedGeneration',
  PodDisruptionBudgetStatus: 'observedGeneration',
  PodSpec: 'hostIPC hostNetwork hostPID',
  PodStatus: 'observedGeneration',
  PortworxVolumeSource: 'readOnly',
  PriorityClass: 'globalDefault',
  Probe: 'failureThreshold initialDelaySeconds periodSeconds successThreshold timeoutSeconds',
  QuobyteVolumeSource: 'readOnly',
  RBDPersistentVolumeSource: 'readOnly',
  RBDVolumeSource: 'readOnly',
  ReplicaSetSpec: 'minReadySeconds',
  ReplicaSetStatus: 'availableReplicas fullyLabeledReplicas observedGeneration readyReplicas',
  ReplicationControllerSpec: 'minReadySeconds',
  ReplicationControllerStatus: 'availableReplicas fullyLabeledReplicas observedGeneration readyReplicas',
  ResourcePolicyRule: 'clusterScope',
  ScaleIOPersistentVolumeSource: 'readOnly sslEnabled',
  ScaleIOVolumeSource: 'readOnly sslEnabled',
  ServiceBackendPort: 'number',
  ServicePort: 'nodePort targetPort',
  ServiceSpec: 'healthCheckNodePort publishNotReadyAddresses',
  StatefulSetSpec: 'minReadySeconds',
  StatefulSetStatus: 'currentReplicas observedGeneration readyReplicas updatedReplicas',
  Status: 'code',
  StatusDetails: 'retryAfterSeconds',
  StorageOSPersistentVolumeSource: 'readOnly',
  StorageOSVolumeSource: 'readOnly',
  StorageVersionCondition: 'observedGeneration',
  SubjectAccessReviewStatus: 'denied',
  TokenReviewStatus: 'authenticated',
  ValidatingAdmissionPolicyStatus: 'observedGeneration',
  VolumeMount: 'readOnly',
  VolumeMountStatus: 'readOnly',
};

/** Strings that are pointers, whose '' means something; every other optional '' is dropped. */
const POINTER_STRINGS: Readonly<Record<string, string>> = {
  EndpointPort: 'name appProtocol protocol',
  PersistentVolumeClaimSpec: 'storageClassName volumeAttributesClassName',
  PersistentVolumeSpec: 'volumeAttributesClassName',
  TypedLocalObjectReference: 'apiGroup',
  TypedObjectReference: 'apiGroup namespace',
  IngressClassParametersReference: 'apiGroup namespace scope',
  IngressSpec: 'ingressClassName',
  ServiceSpec: 'loadBalancerClass',
  LeaseSpec: 'holderIdentity',
  DeviceAttribute: 'string version',
};

const has = (table: Readonly<Record<string, string>>, owner: string, field: string): boolean =>
  table[owner]?.split(' ').includes(field) ?? false;

/** Is a zero value of this field absent in Go's JSON? */
export function zeroIsAbsent(definitionName: string, field: string, isText: boolean): boolean {
  if (definition(definitionName)?.fields?.[field]?.required) return false;
  const owner = shortName(definitionName);
  return isText ? !has(POINTER_STRINGS, owner, field) : has(VALUES, owner, field);
}
