/** Facts about the Go types of Kubernetes 1.36, one struct a line; go-fields.ts has their grammar. */
export const structTagsText = `
APIGroup name! preferredVersion!
APIResource kind! name! namespaced! singularName!
APIResourceList groupVersion!
APIService spec! status!
APIServiceCondition lastTransitionTime! status!=v1.ConditionStatus type!=v1.APIServiceConditionType
APIServiceSpec groupPriorityMinimum! versionPriority!
AWSElasticBlockStoreVolumeSource volumeID!
AllocatedDeviceStatus conditions? device! driver! pool! shareID*
AllocationResult devices!
AppArmorProfile localhostProfile* type!=v1.AppArmorProfileType
AttachedVolume devicePath! name!=v1.UniqueVolumeName
AuditAnnotation key! valueExpression!
AzureDiskVolumeSource cachingMode*=v1.AzureDataDiskCachingMode diskName! diskURI! fsType* kind*=v1.AzureDataDiskKind readOnly*
AzureFilePersistentVolumeSource secretName! secretNamespace? shareName!
AzureFileVolumeSource secretName! shareName!
BasicDevice allNodes* allowMultipleAllocations* bindsToNode* nodeName*
Binding target!
BoundObjectReference uid=types.UID
CELDeviceSelector expression!
CSIDriver spec!
CSIDriverSpec attachRequired* fsGroupPolicy*=v1.FSGroupPolicy nodeAllocatableUpdatePeriodSeconds* podInfoOnMount* preventPodSchedulingIfMissing* requiresRepublish* seLinuxMount* serviceAccountTokenInSecrets* storageCapacity*
CSINode spec!
CSINodeDriver name! nodeID! topologyKeys?
CSIPersistentVolumeSource driver! volumeHandle!
CSIStorageCapacity storageClassName!
CSIVolumeSource driver! fsType* readOnly*
CapacityRequestPolicy default?
CertificateSigningRequest spec! status!
CertificateSigningRequestCondition lastTransitionTime! lastUpdateTime! status!=v1.ConditionStatus type!=v1.RequestConditionType
CertificateSigningRequestSpec expirationSeconds* signerName!
CinderPersistentVolumeSource volumeID!
CinderVolumeSource volumeID!
ClientIPConfig timeoutSeconds*
ClusterRole rules?
ClusterRoleBinding roleRef!
ClusterTrustBundle spec!
ClusterTrustBundleProjection name* optional* path! signerName*
ClusterTrustBundleSpec trustBundle!
ComponentCondition status!=v1.ConditionStatus type!=v1.ComponentConditionType
Condition lastTransitionTime! message! reason! status!=v1.ConditionStatus type!
ConfigMap immutable*
ConfigMapEnvSource name<LocalObjectReference> optional*
ConfigMapKeySelector key! name<LocalObjectReference> optional*
ConfigMapNodeConfigSource kubeletConfigKey! name! namespace! uid=types.UID
ConfigMapProjection name<LocalObjectReference> optional*
ConfigMapVolumeSource defaultMode* name<LocalObjectReference> optional*
Container imagePullPolicy=v1.PullPolicy name! resources! restartPolicy*=v1.ContainerRestartPolicy terminationMessagePolicy=v1.TerminationMessagePolicy
ContainerExtendedResourceRequest containerName! requestName! resourceName!
ContainerImage names?
ContainerPort containerPort! protocol=v1.Protocol
ContainerResizePolicy resourceName!=v1.ResourceName restartPolicy!=v1.ResourceResizeRestartPolicy
ContainerResourceMetricSource container! name!=v1.ResourceName target!
ContainerResourceMetricStatus container! current! name!=v1.ResourceName
ContainerRestartRule action=v1.ContainerRestartRuleAction
ContainerRestartRuleOnExitCodes operator=v1.ContainerRestartRuleOnExitCodesOperator
ContainerStateRunning startedAt!
ContainerStateTerminated exitCode! finishedAt! startedAt!
ContainerStatus image! imageID! lastState! name! ready! restartCount! started* state! stopSignal*=v1.Signal
ControllerRevision revision!
Counter value!
CounterSet name!
CronJob spec! status!
CronJobSpec concurrencyPolicy=v1.ConcurrencyPolicy failedJobsHistoryLimit* jobTemplate! schedule! startingDeadlineSeconds* successfulJobsHistoryLimit* suspend* timeZone*
CrossVersionObjectReference kind! name!
CustomResourceColumnDefinition jsonPath! name! type!
CustomResourceConversion strategy!=v1.ConversionStrategyType
CustomResourceDefinition spec! status!
CustomResourceDefinitionCondition lastTransitionTime! status!=v1.ConditionStatus type!=v1.CustomResourceDefinitionConditionType
CustomResourceDefinitionNames kind! plural!
CustomResourceDefinitionSpec group! names! scope!=v1.ResourceScope
CustomResourceDefinitionStatus acceptedNames! conditions? storedVersions?
CustomResourceDefinitionVersion deprecationWarning* name! served! storage!
CustomResourceSubresourceScale labelSelectorPath* specReplicasPath! statusReplicasPath!
DaemonEndpoint Port!
DaemonSet spec! status!
DaemonSetCondition lastTransitionTime! status!=v1.ConditionStatus type!=v1.DaemonSetConditionType
DaemonSetSpec revisionHistoryLimit* selector? template! updateStrategy!
DaemonSetStatus collisionCount* currentNumberScheduled! desiredNumberScheduled! numberMisscheduled! numberReady!
DaemonSetUpdateStrategy type=v1.DaemonSetUpdateStrategyType
DeleteOptions gracePeriodSeconds* ignoreStoreReadErrorWithClusterBreakingPotential* orphanDependents* propagationPolicy*=v1.DeletionPropagation
Deployment spec! status!
DeploymentCondition lastTransitionTime! lastUpdateTime! status!=v1.ConditionStatus type!=v1.DeploymentConditionType
DeploymentSpec progressDeadlineSeconds* replicas* revisionHistoryLimit* selector? strategy! template!
DeploymentStatus collisionCount* terminatingReplicas*
DeploymentStrategy type=v1.DeploymentStrategyType
resource.v1.Device allNodes* allowMultipleAllocations* bindsToNode* name! nodeName*
resource.v1beta1.Device name!
resource.v1beta2.Device allNodes* allowMultipleAllocations* bindsToNode* name! nodeName*
resource.v1.DeviceAllocationConfiguration opaque<DeviceConfiguration> source!=v1.AllocationConfigSource
resource.v1beta1.DeviceAllocationConfiguration opaque<DeviceConfiguration> source!=v1beta1.AllocationConfigSource
resource.v1beta2.DeviceAllocationConfiguration opaque<DeviceConfiguration> source!=v1beta2.AllocationConfigSource
DeviceAttribute bool* int* string* version*
DeviceCapacity value!
DeviceClaim requests?
DeviceClaimConfiguration opaque<DeviceConfiguration>
DeviceClass spec!
DeviceClassConfiguration opaque<DeviceConfiguration>
DeviceClassSpec extendedResourceName*
resource.v1.DeviceConstraint distinctAttribute*=v1.FullyQualifiedName matchAttribute*=v1.FullyQualifiedName
resource.v1beta1.DeviceConstraint distinctAttribute*=v1beta1.FullyQualifiedName matchAttribute*=v1beta1.FullyQualifiedName
resource.v1beta2.DeviceConstraint distinctAttribute*=v1beta2.FullyQualifiedName matchAttribute*=v1beta2.FullyQualifiedName
DeviceCounterConsumption counterSet!
resource.v1.DeviceRequest name!
resource.v1beta1.DeviceRequest adminAccess* allocationMode=v1beta1.DeviceAllocationMode deviceClassName! name!
resource.v1beta2.DeviceRequest name!
DeviceRequestAllocationResult adminAccess* device! driver! pool! request! shareID*=types.UID
resource.v1.DeviceSubRequest allocationMode=v1.DeviceAllocationMode deviceClassName! name!
resource.v1beta1.DeviceSubRequest allocationMode=v1beta1.DeviceAllocationMode deviceClassName! name!
resource.v1beta2.DeviceSubRequest allocationMode=v1beta2.DeviceAllocationMode deviceClassName! name!
resource.v1.DeviceTaint effect!=v1.DeviceTaintEffect key!
resource.v1alpha3.DeviceTaint effect!=v1alpha3.DeviceTaintEffect key!
resource.v1beta1.DeviceTaint effect!=v1beta1.DeviceTaintEffect key!
resource.v1beta2.DeviceTaint effect!=v1beta2.DeviceTaintEffect key!
DeviceTaintRule spec! status!
DeviceTaintRuleSpec taint!
DeviceTaintSelector device* driver* pool*
resource.v1.DeviceToleration effect=v1.DeviceTaintEffect operator=v1.DeviceTolerationOperator tolerationSeconds*
resource.v1beta1.DeviceToleration effect=v1beta1.DeviceTaintEffect operator=v1beta1.DeviceTolerationOperator tolerationSeconds*
resource.v1beta2.DeviceToleration effect=v1beta2.DeviceTaintEffect operator=v1beta2.DeviceTolerationOperator tolerationSeconds*
DownwardAPIVolumeFile mode* path!
DownwardAPIVolumeSource defaultMode*
EmptyDirVolumeSource medium=v1.StorageMedium
Endpoint conditions! hostname* nodeName* zone*
EndpointAddress ip! nodeName*
EndpointConditions ready* serving* terminating*
core.v1.EndpointPort appProtocol* port! protocol=v1.Protocol
discovery.v1.EndpointPort appProtocol* name* port* protocol*=v1.Protocol
EndpointSlice addressType!=v1.AddressType endpoints? ports?
EnvVar name!
EphemeralContainer args<EphemeralContainerCommon> command<EphemeralContainerCommon> env<EphemeralContainerCommon> envFrom<EphemeralContainerCommon> image<EphemeralContainerCommon> imagePullPolicy<EphemeralContainerCommon>=v1.PullPolicy lifecycle<EphemeralContainerCommon> livenessProbe<EphemeralContainerCommon> name!<EphemeralContainerCommon> ports<EphemeralContainerCommon> readinessProbe<EphemeralContainerCommon> resizePolicy<EphemeralContainerCommon> resources!<EphemeralContainerCommon> restartPolicy*<EphemeralContainerCommon>=v1.ContainerRestartPolicy restartPolicyRules<EphemeralContainerCommon> securityContext<EphemeralContainerCommon> startupProbe<EphemeralContainerCommon> stdin<EphemeralContainerCommon> stdinOnce<EphemeralContainerCommon> terminationMessagePath<EphemeralContainerCommon> terminationMessagePolicy<EphemeralContainerCommon>=v1.TerminationMessagePolicy tty<EphemeralContainerCommon> volumeDevices<EphemeralContainerCommon> volumeMounts<EphemeralContainerCommon> workingDir<EphemeralContainerCommon>
core.v1.Event eventTime! firstTimestamp! involvedObject! lastTimestamp! reportingComponent! reportingInstance! source!
events.v1.Event deprecatedFirstTimestamp! deprecatedLastTimestamp! deprecatedSource! eventTime! regarding!
core.v1.EventSeries lastObservedTime!
events.v1.EventSeries count! lastObservedTime!
resource.v1.ExactDeviceRequest adminAccess* allocationMode=v1.DeviceAllocationMode deviceClassName!
resource.v1beta2.ExactDeviceRequest adminAccess* allocationMode=v1beta2.DeviceAllocationMode deviceClassName!
ExemptPriorityLevelConfiguration lendablePercent* nominalConcurrencyShares*
ExpressionWarning fieldRef! warning!
ExternalMetricSource metric! target!
ExternalMetricStatus current! metric!
FCVolumeSource lun*
FieldSelectorRequirement key! operator!=v1.FieldSelectorOperator
FileKeySelector key! optional* path! volumeName!
FlexPersistentVolumeSource driver!
FlexVolumeSource driver!
FlowDistinguisherMethod type!=v1.FlowDistinguisherMethodType
FlowSchema spec! status!
FlowSchemaCondition lastTransitionTime! status=v1.ConditionStatus type=v1.FlowSchemaConditionType
FlowSchemaSpec matchingPrecedence! priorityLevelConfiguration!
ForNode name!
ForZone name!
GCEPersistentDiskVolumeSource pdName!
GRPCAction port! service?
GangSchedulingPolicy minCount!
GitRepoVolumeSource repository!
GlusterfsPersistentVolumeSource endpoints! endpointsNamespace* path!
GlusterfsVolumeSource endpoints! path!
GroupResource group! resource!
GroupSubject name!
GroupVersionForDiscovery groupVersion! version!
HPAScalingPolicy periodSeconds! type!=v2.HPAScalingPolicyType value!
HPAScalingRules selectPolicy*=v2.ScalingPolicySelect stabilizationWindowSeconds*
HTTPGetAction scheme=v1.URIScheme
HTTPHeader name! value!
HTTPIngressPath backend! pathType?=v1.PathType
HorizontalPodAutoscaler spec! status!
HorizontalPodAutoscalerCondition lastTransitionTime! status!=v1.ConditionStatus type!=v2.HorizontalPodAutoscalerConditionType
autoscaling.v1.HorizontalPodAutoscalerSpec maxReplicas! minReplicas* scaleTargetRef! targetCPUUtilizationPercentage*
autoscaling.v2.HorizontalPodAutoscalerSpec maxReplicas! minReplicas* scaleTargetRef!
autoscaling.v1.HorizontalPodAutoscalerStatus currentCPUUtilizationPercentage* currentReplicas! desiredReplicas! observedGeneration*
autoscaling.v2.HorizontalPodAutoscalerStatus currentMetrics? desiredReplicas! observedGeneration*
HostAlias ip!
HostIP ip!
HostPathVolumeSource path! type*=v1.HostPathType
IPAddress spec!
IPBlock cidr!
ISCSIPersistentVolumeSource initiatorName* iqn! lun! targetPortal!
ISCSIVolumeSource initiatorName* iqn! lun! targetPortal!
ImageVolumeSource pullPolicy=v1.PullPolicy
Ingress spec! status!
IngressClass spec!
IngressClassParametersReference apiGroup* kind! name! namespace* scope?
IngressPortStatus error* port! protocol!=v1.Protocol
IngressRule http<IngressRuleValue>
IngressServiceBackend name! port!
IngressSpec ingressClassName*
IngressStatus loadBalancer!
JSONSchemaProps $ref* $schema=v1.JSONSchemaURL maxItems* maxLength* maxProperties* maximum* minItems* minLength* minProperties* minimum* multipleOf* x-kubernetes-list-type* x-kubernetes-map-type* x-kubernetes-preserve-unknown-fields*
Job spec! status!
JobCondition lastProbeTime! lastTransitionTime! status!=v1.ConditionStatus type!=v1.JobConditionType
JobSpec activeDeadlineSeconds* backoffLimit* backoffLimitPerIndex* completionMode*=v1.CompletionMode completions* managedBy* manualSelector* maxFailedIndexes* parallelism* podReplacementPolicy*=v1.PodReplacementPolicy suspend* template! ttlSecondsAfterFinished*
JobStatus failedIndexes* ready* terminating*
JobTemplateSpec metadata! spec!
KeyToPath key! mode* path!
LabelSelectorRequirement key! operator!=v1.LabelSelectorOperator
Lease spec!
LeaseCandidate spec!
LeaseCandidateSpec binaryVersion! leaseName! strategy=v1.CoordinatedLeaseStrategy
LeaseSpec holderIdentity* leaseDurationSeconds* leaseTransitions* preferredHolder* strategy*=v1.CoordinatedLeaseStrategy
Lifecycle stopSignal*=v1.Signal
LimitRange spec!
LimitRangeItem type!=v1.LimitType
LimitResponse type!=v1.LimitResponseType
LimitedPriorityLevelConfiguration borrowingLimitPercent* lendablePercent* limitResponse! nominalConcurrencyShares?
LinuxContainerUser gid! uid!
ListMeta remainingItemCount*
LoadBalancerIngress ipMode*=v1.LoadBalancerIPMode
LocalSubjectAccessReview spec! status!
LocalVolumeSource fsType* path!
ManagedFieldsEntry operation=v1.ManagedFieldsOperationType
MatchCondition expression! name!
admissionregistration.v1.MatchResources matchPolicy*=v1.MatchPolicyType
admissionregistration.v1alpha1.MatchResources matchPolicy*=v1alpha1.MatchPolicyType
admissionregistration.v1beta1.MatchResources matchPolicy*=v1beta1.MatchPolicyType
MetricIdentifier name!
MetricSpec type!=v2.MetricSourceType
MetricStatus type!=v2.MetricSourceType
MetricTarget averageUtilization* type!=v2.MetricTargetType
MetricValueStatus averageUtilization*
ModifyVolumeStatus status!=v1.PersistentVolumeClaimModifyVolumeStatus
MutatingAdmissionPolicy spec!
MutatingAdmissionPolicyBinding spec!
admissionregistration.v1.MutatingAdmissionPolicySpec failurePolicy*=v1.FailurePolicyType reinvocationPolicy=v1.ReinvocationPolicyType
admissionregistration.v1alpha1.MutatingAdmissionPolicySpec failurePolicy*=v1alpha1.FailurePolicyType reinvocationPolicy=v1.ReinvocationPolicyType
admissionregistration.v1beta1.MutatingAdmissionPolicySpec failurePolicy*=v1beta1.FailurePolicyType reinvocationPolicy=v1.ReinvocationPolicyType
MutatingWebhook clientConfig! failurePolicy*=v1.FailurePolicyType matchPolicy*=v1.MatchPolicyType name! reinvocationPolicy*=v1.ReinvocationPolicyType sideEffects?=v1.SideEffectClass timeoutSeconds*
admissionregistration.v1.Mutation patchType!=v1.PatchType
admissionregistration.v1alpha1.Mutation patchType!=v1alpha1.PatchType
admissionregistration.v1beta1.Mutation patchType!=v1beta1.PatchType
NFSVolumeSource path! server!
NamedRuleWithOperations apiGroups<RuleWithOperations.Rule> apiVersions<RuleWithOperations.Rule> operations<RuleWithOperations> resources<RuleWithOperations.Rule> scope*<RuleWithOperations.Rule>=v1.ScopeType
Namespace spec! status!
NamespaceCondition lastTransitionTime! status!=v1.ConditionStatus type!=v1.NamespaceConditionType
NamespaceStatus phase=v1.NamespacePhase
NetworkPolicy spec!
NetworkPolicyPort endPort* protocol*=v1.Protocol
NetworkPolicySpec podSelector!
Node spec! status!
NodeAddress address! type!=v1.NodeAddressType
NodeAllocatableResourceClaimStatus resourceClaimName!
resource.v1.NodeAllocatableResourceMapping capacityKey*=v1.QualifiedName
resource.v1beta1.NodeAllocatableResourceMapping capacityKey*=v1beta1.QualifiedName
resource.v1beta2.NodeAllocatableResourceMapping capacityKey*=v1beta2.QualifiedName
NodeCondition lastHeartbeatTime! lastTransitionTime! status!=v1.ConditionStatus type!=v1.NodeConditionType
NodeDaemonEndpoints kubeletEndpoint!
NodeFeatures supplementalGroupsPolicy*
NodeRuntimeHandler name!
NodeRuntimeHandlerFeatures recursiveReadOnlyMounts* userNamespaces*
NodeSelectorRequirement key! operator!=v1.NodeSelectorOperator
NodeStatus daemonEndpoints! nodeInfo! phase=v1.NodePhase
NodeSwapStatus capacity*
NodeSystemInfo architecture! bootID! containerRuntimeVersion! kernelVersion! kubeProxyVersion! kubeletVersion! machineID! operatingSystem! osImage! systemUUID!
ObjectFieldSelector fieldPath!
ObjectMeta deletionGracePeriodSeconds* uid=types.UID
ObjectMetricSource describedObject! metric! target!
ObjectMetricStatus current! describedObject! metric!
ObjectReference uid=types.UID
OpaqueDeviceConfiguration driver!
OwnerReference apiVersion! blockOwnerDeletion* controller* kind! name! uid!=types.UID
admissionregistration.v1.ParamRef parameterNotFoundAction*=v1.ParameterNotFoundActionType
admissionregistration.v1alpha1.ParamRef parameterNotFoundAction*=v1alpha1.ParameterNotFoundActionType
admissionregistration.v1beta1.ParamRef parameterNotFoundAction*=v1beta1.ParameterNotFoundActionType
PersistentVolume spec! status!
PersistentVolumeClaim spec! status!
PersistentVolumeClaimCondition lastProbeTime! lastTransitionTime! status!=v1.ConditionStatus type!=v1.PersistentVolumeClaimConditionType
PersistentVolumeClaimSpec resources! storageClassName* volumeAttributesClassName* volumeMode*=v1.PersistentVolumeMode
PersistentVolumeClaimStatus currentVolumeAttributesClassName* phase=v1.PersistentVolumeClaimPhase
PersistentVolumeClaimTemplate metadata! spec!
PersistentVolumeClaimVolumeSource claimName!
PersistentVolumeSpec awsElasticBlockStore<PersistentVolumeSource> azureDisk<PersistentVolumeSource> azureFile<PersistentVolumeSource> cephfs<PersistentVolumeSource> cinder<PersistentVolumeSource> csi<PersistentVolumeSource> fc<PersistentVolumeSource> flexVolume<PersistentVolumeSource> flocker<PersistentVolumeSource> gcePersistentDisk<PersistentVolumeSource> glusterfs<PersistentVolumeSource> hostPath<PersistentVolumeSource> iscsi<PersistentVolumeSource> local<PersistentVolumeSource> nfs<PersistentVolumeSource> persistentVolumeReclaimPolicy=v1.PersistentVolumeReclaimPolicy photonPersistentDisk<PersistentVolumeSource> portworxVolume<PersistentVolumeSource> quobyte<PersistentVolumeSource> rbd<PersistentVolumeSource> scaleIO<PersistentVolumeSource> storageos<PersistentVolumeSource> volumeAttributesClassName* volumeMode*=v1.PersistentVolumeMode vsphereVolume<PersistentVolumeSource>
PersistentVolumeStatus phase=v1.PersistentVolumePhase
PhotonPersistentDiskVolumeSource pdID!
Pod spec! status!
PodAffinityTerm topologyKey!
PodCertificateProjection maxExpirationSeconds*
PodCertificateRequest spec! status!
PodCertificateRequestSpec maxExpirationSeconds* nodeName!=types.NodeName nodeUID!=types.UID pkixPublicKey? podName! podUID!=types.UID proofOfPossession? serviceAccountName! serviceAccountUID!=types.UID signerName!
PodCondition lastProbeTime! lastTransitionTime! status!=v1.ConditionStatus type!=v1.PodConditionType
PodDNSConfigOption value*
PodDisruptionBudget spec! status!
PodDisruptionBudgetSpec unhealthyPodEvictionPolicy*=v1.UnhealthyPodEvictionPolicyType
PodDisruptionBudgetStatus currentHealthy! desiredHealthy! disruptionsAllowed! expectedPods!
PodExtendedResourceClaimStatus resourceClaimName!
PodFailurePolicyOnExitCodesRequirement containerName* operator!=v1.PodFailurePolicyOnExitCodesOperator
PodFailurePolicyOnPodConditionsPattern status!=v1.ConditionStatus type!=v1.PodConditionType
PodFailurePolicyRule action!=v1.PodFailurePolicyAction
PodGroup spec! status!
PodGroupResourceClaim name! resourceClaimName* resourceClaimTemplateName*
PodGroupResourceClaimStatus name! resourceClaimName*
PodGroupSpec disruptionMode*=v1alpha2.DisruptionMode podGroupTemplateRef? priority* schedulingPolicy!
PodGroupTemplate disruptionMode*=v1alpha2.DisruptionMode name! priority* schedulingConstraints? schedulingPolicy!
PodGroupTemplateReference workload?
PodIP ip!
PodOS name!=v1.OSName
PodReadinessGate conditionType!=v1.PodConditionType
PodResourceClaim name! resourceClaimName* resourceClaimTemplateName*
PodResourceClaimStatus name! resourceClaimName*
PodSchedulingGate name!
PodSchedulingGroup podGroupName*
PodSecurityContext fsGroup* fsGroupChangePolicy*=v1.PodFSGroupChangePolicy runAsGroup* runAsNonRoot* runAsUser* seLinuxChangePolicy*=v1.PodSELinuxChangePolicy supplementalGroupsPolicy*=v1.SupplementalGroupsPolicy
PodSpec activeDeadlineSeconds* automountServiceAccountToken* dnsPolicy=v1.DNSPolicy enableServiceLinks* hostUsers* hostnameOverride* preemptionPolicy*=v1.PreemptionPolicy priority* restartPolicy=v1.RestartPolicy runtimeClassName* setHostnameAsFQDN* shareProcessNamespace* terminationGracePeriodSeconds*
PodStatus phase=v1.PodPhase qosClass=v1.PodQOSClass resize=v1.PodResizeStatus
PodTemplate template!
PodTemplateSpec metadata! spec!
PodsMetricSource metric! target!
PodsMetricStatus current! metric!
PoolStatus allocatedDevices* availableDevices* generation! nodeName* resourceSliceCount* totalDevices* unavailableDevices* validationError*
PortStatus error* port! protocol!=v1.Protocol
PortworxVolumeSource volumeID!
Preconditions resourceVersion* uid*=types.UID
PreferredSchedulingTerm preference! weight!
PriorityClass preemptionPolicy*=v1.PreemptionPolicy value!
PriorityLevelConfiguration spec! status!
PriorityLevelConfigurationCondition lastTransitionTime! status=v1.ConditionStatus type=v1.PriorityLevelConfigurationConditionType
PriorityLevelConfigurationReference name!
PriorityLevelConfigurationSpec type!=v1.PriorityLevelEnablement
Probe exec<ProbeHandler> grpc<ProbeHandler> httpGet<ProbeHandler> tcpSocket<ProbeHandler> terminationGracePeriodSeconds*
ProjectedVolumeSource defaultMode* sources?
QueuingConfiguration handSize! queueLengthLimit! queues!
QuobyteVolumeSource registry! volume!
RBDPersistentVolumeSource image!
RBDVolumeSource image!
ReplicaSet spec! status!
ReplicaSetCondition lastTransitionTime! status!=v1.ConditionStatus type!=v1.ReplicaSetConditionType
ReplicaSetSpec replicas* selector? template!
ReplicaSetStatus replicas! terminatingReplicas*
ReplicationController spec! status!
ReplicationControllerCondition lastTransitionTime! status!=v1.ConditionStatus type!=v1.ReplicationControllerConditionType
ReplicationControllerSpec replicas*
ReplicationControllerStatus replicas!
core.v1.ResourceClaim name!
resource.v1.ResourceClaim spec! status!
resource.v1beta1.ResourceClaim spec! status!
resource.v1beta2.ResourceClaim spec! status!
ResourceClaimConsumerReference name! resource! uid!=types.UID
ResourceClaimSpec devices!
ResourceClaimTemplate spec!
ResourceClaimTemplateSpec metadata! spec!
ResourceFieldSelector divisor! resource!
ResourceHealth health=v1.ResourceHealthStatus message* resourceID!=v1.ResourceID
ResourceMetricSource name!=v1.ResourceName target!
ResourceMetricStatus current! name!=v1.ResourceName
ResourcePolicyRule namespaces?
ResourcePool generation! name! resourceSliceCount!
ResourcePoolStatusRequest spec!
ResourcePoolStatusRequestSpec driver! limit* poolName*
ResourcePoolStatusRequestStatus poolCount*
ResourceQuota spec! status!
ResourceSlice spec!
resource.v1.ResourceSliceSpec allNodes* driver! nodeName* perDeviceNodeSelection* pool!
resource.v1beta1.ResourceSliceSpec driver! perDeviceNodeSelection* pool!
resource.v1beta2.ResourceSliceSpec allNodes* driver! nodeName* perDeviceNodeSelection* pool!
ResourceStatus name!=v1.ResourceName
Role rules?
RoleBinding roleRef!
RoleRef apiGroup! kind! name!
RollingUpdateStatefulSetStrategy partition*
RuleWithOperations apiGroups<Rule> apiVersions<Rule> resources<Rule> scope*<Rule>=v1.ScopeType
RuntimeClass handler!
Scale spec! status!
ScaleIOPersistentVolumeSource gateway! secretRef? system!
ScaleIOVolumeSource gateway! secretRef? system!
ScaleStatus replicas!
ScopedResourceSelectorRequirement operator!=v1.ScopeSelectorOperator scopeName!=v1.ResourceQuotaScope
SeccompProfile localhostProfile* type!=v1.SeccompProfileType
Secret immutable* type=v1.SecretType
SecretEnvSource name<LocalObjectReference> optional*
SecretKeySelector key! name<LocalObjectReference> optional*
SecretProjection name<LocalObjectReference> optional*
SecretVolumeSource defaultMode* optional*
SecurityContext allowPrivilegeEscalation* privileged* procMount*=v1.ProcMountType readOnlyRootFilesystem* runAsGroup* runAsNonRoot* runAsUser*
SelectableField jsonPath!
SelfSubjectAccessReview spec! status!
SelfSubjectReview status!
SelfSubjectReviewStatus userInfo!
SelfSubjectRulesReview spec! status!
ServerAddressByClientCIDR clientCIDR! serverAddress!
Service spec! status!
ServiceAccount automountServiceAccountToken*
ServiceAccountSubject name! namespace!
ServiceAccountTokenProjection expirationSeconds* path!
ServiceCIDR spec! status!
ServicePort appProtocol* port! protocol=v1.Protocol
admissionregistration.v1.ServiceReference name! namespace! path* port*
apiextensions.v1.ServiceReference name! namespace! path* port*
apiregistration.v1.ServiceReference port*
ServiceSpec allocateLoadBalancerNodePorts* externalTrafficPolicy=v1.ServiceExternalTrafficPolicy internalTrafficPolicy*=v1.ServiceInternalTrafficPolicy ipFamilyPolicy*=v1.IPFamilyPolicy loadBalancerClass* sessionAffinity=v1.ServiceAffinity trafficDistribution* type=v1.ServiceType
ServiceStatus loadBalancer!
ShardInfo selector!
SleepAction seconds!
StatefulSet spec! status!
StatefulSetCondition lastTransitionTime! status!=v1.ConditionStatus type!=v1.StatefulSetConditionType
StatefulSetOrdinals start!
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted=v1.PersistentVolumeClaimRetentionPolicyType whenScaled=v1.PersistentVolumeClaimRetentionPolicyType
StatefulSetSpec podManagementPolicy=v1.PodManagementPolicyType replicas* revisionHistoryLimit* selector? serviceName! template! updateStrategy!
StatefulSetStatus availableReplicas! collisionCount* replicas!
StatefulSetUpdateStrategy type=v1.StatefulSetUpdateStrategyType
Status reason=v1.StatusReason
StatusCause reason=v1.CauseType
StatusDetails uid=types.UID
StorageClass allowVolumeExpansion* provisioner! reclaimPolicy*=v1.PersistentVolumeReclaimPolicy volumeBindingMode*=v1.VolumeBindingMode
StorageVersion spec! status!
StorageVersionCondition lastTransitionTime! reason! status!=v1alpha1.ConditionStatus type!=v1alpha1.StorageVersionConditionType
StorageVersionMigration spec! status!
StorageVersionMigrationSpec resource!
StorageVersionStatus commonEncodingVersion*
flowcontrol.v1.Subject kind!=v1.SubjectKind
rbac.v1.Subject kind! name!
SubjectAccessReview spec! status!
SubjectAccessReviewStatus allowed!
SubjectRulesReviewStatus incomplete!
SuccessPolicyRule succeededCount* succeededIndexes*
Sysctl name! value!
Taint effect!=v1.TaintEffect key!
authentication.v1.TokenRequest spec! status!
storage.v1.TokenRequest audience! expirationSeconds*
TokenRequestSpec audiences? boundObjectRef? expirationSeconds?
TokenRequestStatus expirationTimestamp! token!
TokenReview spec! status!
TokenReviewStatus user!
Toleration effect=v1.TaintEffect operator=v1.TolerationOperator tolerationSeconds*
TopologyConstraint key!
TopologySelectorLabelRequirement key!
TopologySpreadConstraint maxSkew! minDomains* nodeAffinityPolicy*=v1.NodeInclusionPolicy nodeTaintsPolicy*=v1.NodeInclusionPolicy topologyKey! whenUnsatisfiable!=v1.UnsatisfiableConstraintAction
core.v1.TypedLocalObjectReference apiGroup? kind! name!
scheduling.v1alpha2.TypedLocalObjectReference kind! name!
TypedObjectReference apiGroup? kind! name! namespace*
UserSubject name!
ValidatingAdmissionPolicy spec! status!
ValidatingAdmissionPolicyBinding spec!
ValidatingAdmissionPolicySpec failurePolicy*=v1.FailurePolicyType
ValidatingWebhook clientConfig! failurePolicy*=v1.FailurePolicyType matchPolicy*=v1.MatchPolicyType name! sideEffects?=v1.SideEffectClass timeoutSeconds*
Validation expression! reason*=v1.StatusReason
ValidationRule optionalOldSelf* reason*=v1.FieldValueErrorReason rule!
Variable expression! name!
Volume awsElasticBlockStore<VolumeSource> azureDisk<VolumeSource> azureFile<VolumeSource> cephfs<VolumeSource> cinder<VolumeSource> configMap<VolumeSource> csi<VolumeSource> downwardAPI<VolumeSource> emptyDir<VolumeSource> ephemeral<VolumeSource> fc<VolumeSource> flexVolume<VolumeSource> flocker<VolumeSource> gcePersistentDisk<VolumeSource> gitRepo<VolumeSource> glusterfs<VolumeSource> hostPath<VolumeSource> image<VolumeSource> iscsi<VolumeSource> name! nfs<VolumeSource> persistentVolumeClaim<VolumeSource> photonPersistentDisk<VolumeSource> portworxVolume<VolumeSource> projected<VolumeSource> quobyte<VolumeSource> rbd<VolumeSource> scaleIO<VolumeSource> secret<VolumeSource> storageos<VolumeSource> vsphereVolume<VolumeSource>
VolumeAttachment spec! status!
VolumeAttachmentSource persistentVolumeName*
VolumeAttachmentSpec attacher! nodeName! source!
VolumeAttachmentStatus attached!
VolumeAttributesClass driverName!
VolumeDevice devicePath! name!
VolumeError errorCode* time!
VolumeMount mountPath! mountPropagation*=v1.MountPropagationMode name! recursiveReadOnly*=v1.RecursiveReadOnlyMode
VolumeMountStatus mountPath! name! recursiveReadOnly*=v1.RecursiveReadOnlyMode
VolumeNodeResources count*
VsphereVirtualDiskVolumeSource volumePath!
WatchEvent type!
WebhookClientConfig url*
WeightedPodAffinityTerm podAffinityTerm! weight!
WindowsSecurityContextOptions gmsaCredentialSpec* gmsaCredentialSpecName* hostProcess* runAsUserName*
Workload spec!
WorkloadPodGroupTemplateReference podGroupTemplateName! workloadName!
`;
