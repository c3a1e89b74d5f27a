/**
 * Fields of upstream's internal types, one type a line: Go name, '=' and the JSON name where it is not the Go name with
 * a small first letter, ':' and the Go type: s(tring), i(nteger), b(ool), '*' pointer, '[]' list, '{}' map; '?' is left
 * out when empty. Facts of pkg/apis/core/types.go, pkg/apis/apps/types.go and pkg/apis/batch/types.go.
 */
export const internalTypes = `
AWSElasticBlockStoreVolumeSource VolumeID:s FSType=fsType:s Partition:i ReadOnly:b
Affinity NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity
AppArmorProfile Type:s LocalhostProfile:*s
AzureDiskVolumeSource DiskName:s DataDiskURI=diskURI:s CachingMode:*s FSType=fsType:*s ReadOnly:*b Kind:*s
AzureFilePersistentVolumeSource SecretName:s ShareName:s ReadOnly:b SecretNamespace:*s
AzureFileVolumeSource SecretName:s ShareName:s ReadOnly:b
CSIPersistentVolumeSource Driver:s VolumeHandle:s ReadOnly:b FSType=fsType:s VolumeAttributes:{}s ControllerPublishSecretRef:*SecretReference NodeStageSecretRef:*SecretReference NodePublishSecretRef:*SecretReference ControllerExpandSecretRef:*SecretReference NodeExpandSecretRef:*SecretReference
CSIVolumeSource Driver:s ReadOnly:*b FSType=fsType:*s VolumeAttributes:{}s NodePublishSecretRef:*LocalObjectReference
Capabilities Add:[]s Drop:[]s
CephFSPersistentVolumeSource Monitors:[]s Path:s User:s SecretFile:s SecretRef:*SecretReference ReadOnly:b
CephFSVolumeSource Monitors:[]s Path:s User:s SecretFile:s SecretRef:*LocalObjectReference ReadOnly:b
CinderPersistentVolumeSource VolumeID:s FSType=fsType:s ReadOnly:b SecretRef:*SecretReference
CinderVolumeSource VolumeID:s FSType=fsType:s ReadOnly:b SecretRef:*LocalObjectReference
ClusterTrustBundleProjection Name:*s SignerName:*s LabelSelector:*LabelSelector Optional:*b Path:s
ConfigMapEnvSource Name:s Optional:*b
ConfigMapKeySelector Name:s Key:s Optional:*b
ConfigMapProjection Name:s Items:[]KeyToPath Optional:*b
ConfigMapVolumeSource Name:s Items:[]KeyToPath DefaultMode:*i Optional:*b
Container Name:s Image:s Command:[]s Args:[]s WorkingDir:s Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy RestartPolicy:*s RestartPolicyRules:[]ContainerRestartRule VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY=tty:b
ContainerPort Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s
ContainerResizePolicy ResourceName:s RestartPolicy:s
ContainerRestartRule Action:s ExitCodes:*ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes Operator:s Values:[]i
DeploymentStrategy Type:s RollingUpdate:*RollingUpdateDeployment
DownwardAPIProjection Items:[]DownwardAPIVolumeFile
DownwardAPIVolumeFile Path:s FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*i
DownwardAPIVolumeSource Items:[]DownwardAPIVolumeFile DefaultMode:*i
EmptyDirVolumeSource Medium:s SizeLimit:*Quantity
EndpointAddress IP=ip:s Hostname:s NodeName:*s TargetRef:*ObjectReference
EndpointPort Name:s Port:i Protocol:s AppProtocol:*s
EndpointSubset Addresses:[]EndpointAddress NotReadyAddresses:[]EndpointAddress Ports:[]EndpointPort
EnvFromSource Prefix:s ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource
EnvVar Name:s Value:s ValueFrom:*EnvVarSource
EnvVarSource FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector
EphemeralContainer Name:s Image:s Command:[]s Args:[]s WorkingDir:s Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy RestartPolicy:*s RestartPolicyRules:[]ContainerRestartRule VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY=tty:b TargetContainerName:s
EphemeralVolumeSource VolumeClaimTemplate:*PersistentVolumeClaimTemplate
ExecAction Command:[]s
FCVolumeSource TargetWWNs:[]s Lun:*i FSType=fsType:s ReadOnly:b WWIDs=wwids:[]s
FileKeySelector VolumeName:s Path:s Key:s Optional:*b
FlexPersistentVolumeSource Driver:s FSType=fsType:s SecretRef:*SecretReference ReadOnly:b Options:{}s
FlexVolumeSource Driver:s FSType=fsType:s SecretRef:*LocalObjectReference ReadOnly:b Options:{}s
FlockerVolumeSource DatasetName:s DatasetUUID:s
GCEPersistentDiskVolumeSource PDName=pdName:s FSType=fsType:s Partition:i ReadOnly:b
GRPCAction Port:i Service:*s
GitRepoVolumeSource Repository:s Revision:s Directory:s
GlusterfsPersistentVolumeSource EndpointsName=endpoints:s Path:s ReadOnly:b EndpointsNamespace:*s
GlusterfsVolumeSource EndpointsName=endpoints:s Path:s ReadOnly:b
HTTPGetAction Path:s Port:IntOrString Host:s Scheme:s HTTPHeaders=httpHeaders:[]HTTPHeader
HTTPHeader Name:s Value:s
HostAlias IP=ip:s Hostnames:[]s
HostPathVolumeSource Path:s Type:*s
ISCSIPersistentVolumeSource TargetPortal:s IQN=iqn:s Lun:i ISCSIInterface=iscsiInterface:s FSType=fsType:s ReadOnly:b Portals:[]s DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b SecretRef:*SecretReference InitiatorName:*s
ISCSIVolumeSource TargetPortal:s IQN=iqn:s Lun:i ISCSIInterface=iscsiInterface:s FSType=fsType:s ReadOnly:b Portals:[]s DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b SecretRef:*LocalObjectReference InitiatorName:*s
ImageVolumeSource Reference:s PullPolicy:s
JobSpec Parallelism:*i Completions:*i PodFailurePolicy:*PodFailurePolicy SuccessPolicy:*SuccessPolicy ActiveDeadlineSeconds:*i BackoffLimit:*i BackoffLimitPerIndex:*i MaxFailedIndexes:*i Selector:*LabelSelector ManualSelector:*b Template:PodTemplateSpec TTLSecondsAfterFinished=ttlSecondsAfterFinished:*i CompletionMode:*s Suspend:*b PodReplacementPolicy:*s ManagedBy:*s
KeyToPath Key:s Path:s Mode:*i
LabelSelector matchLabels:?{}s matchExpressions:?[]LabelSelectorRequirement
LabelSelectorRequirement key:s operator:s values:?[]s
Lifecycle PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:*s
LifecycleHandler Exec:*ExecAction HTTPGet=httpGet:*HTTPGetAction TCPSocket=tcpSocket:*TCPSocketAction Sleep:*SleepAction
LocalObjectReference Name:s
LocalVolumeSource Path:s FSType=fsType:*s
NFSVolumeSource Server:s Path:s ReadOnly:b
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm
NodeSelector NodeSelectorTerms:[]NodeSelectorTerm
NodeSelectorRequirement Key:s Operator:s Values:[]s
NodeSelectorTerm MatchExpressions:[]NodeSelectorRequirement MatchFields:[]NodeSelectorRequirement
ObjectFieldSelector APIVersion=apiVersion:s FieldPath:s
ObjectReference Kind:s Namespace:s Name:s UID=uid:s APIVersion=apiVersion:s ResourceVersion:s FieldPath:s
PersistentVolumeClaimSpec AccessModes:[]s Selector:*LabelSelector Resources:VolumeResourceRequirements VolumeName:s StorageClassName:*s VolumeMode:*s DataSource:*TypedLocalObjectReference DataSourceRef:*TypedObjectReference VolumeAttributesClassName:*s
PersistentVolumeClaimTemplate ObjectMeta=metadata! Spec:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource ClaimName:s ReadOnly:b
PersistentVolumeSource GCEPersistentDisk=gcePersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore=awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource HostPath:*HostPathVolumeSource Glusterfs:*GlusterfsPersistentVolumeSource NFS=nfs:*NFSVolumeSource RBD=rbd:*RBDPersistentVolumeSource Quobyte:*QuobyteVolumeSource ISCSI=iscsi:*ISCSIPersistentVolumeSource FlexVolume:*FlexPersistentVolumeSource Cinder:*CinderPersistentVolumeSource CephFS=cephfs:*CephFSPersistentVolumeSource FC=fc:*FCVolumeSource Flocker:*FlockerVolumeSource AzureFile:*AzureFilePersistentVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOPersistentVolumeSource Local:*LocalVolumeSource StorageOS=storageos:*StorageOSPersistentVolumeSource CSI=csi:*CSIPersistentVolumeSource
PhotonPersistentDiskVolumeSource PdID:s FSType=fsType:s
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
PodAffinityTerm LabelSelector:*LabelSelector Namespaces:[]s TopologyKey:s NamespaceSelector:*LabelSelector MatchLabelKeys:[]s MismatchLabelKeys:[]s
PodAntiAffinity RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm
PodCertificateProjection SignerName:s KeyType:s MaxExpirationSeconds:*i CredentialBundlePath:s KeyPath:s CertificateChainPath:s UserAnnotations:{}s
PodDNSConfig Nameservers:[]s Searches:[]s Options:[]PodDNSConfigOption
PodDNSConfigOption Name:s Value:*s
PodFailurePolicy Rules:[]PodFailurePolicyRule
PodFailurePolicyOnExitCodesRequirement ContainerName:*s Operator:s Values:[]i
PodFailurePolicyOnPodConditionsPattern Type:s Status:s
PodFailurePolicyRule Action:s OnExitCodes:*PodFailurePolicyOnExitCodesRequirement OnPodConditions:[]PodFailurePolicyOnPodConditionsPattern
PodOS Name:s
PodReadinessGate ConditionType:s
PodResourceClaim Name:s ResourceClaimName:*s ResourceClaimTemplateName:*s
PodSchedulingGate Name:s
PodSchedulingGroup PodGroupName:*s
PodSecurityContext HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:*b HostUsers:*b SELinuxOptions=seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*i RunAsGroup:*i RunAsNonRoot:*b SupplementalGroups:[]i SupplementalGroupsPolicy:*s FSGroup=fsGroup:*i FSGroupChangePolicy=fsGroupChangePolicy:*s Sysctls:[]Sysctl SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile SELinuxChangePolicy=seLinuxChangePolicy:*s
PodSpec Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:*i ActiveDeadlineSeconds:*i DNSPolicy=dnsPolicy:s NodeSelector:{}s ServiceAccountName:s AutomountServiceAccountToken:*b NodeName:s SecurityContext:*PodSecurityContext ImagePullSecrets:[]LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:*b Affinity:*Affinity SchedulerName:s Tolerations:[]Toleration HostAliases:[]HostAlias PriorityClassName:s Priority:*i PreemptionPolicy:*s DNSConfig=dnsConfig:*PodDNSConfig ReadinessGates:[]PodReadinessGate RuntimeClassName:*s Overhead:{}Quantity EnableServiceLinks:*b TopologySpreadConstraints:[]TopologySpreadConstraint OS=os:*PodOS SchedulingGates:[]PodSchedulingGate ResourceClaims:[]PodResourceClaim Resources:*ResourceRequirements HostnameOverride:*s SchedulingGroup:*PodSchedulingGroup
PodTemplateSpec ObjectMeta=metadata! Spec:PodSpec
PortworxVolumeSource VolumeID:s FSType=fsType:s ReadOnly:b
PreferredSchedulingTerm Weight:i Preference:NodeSelectorTerm
Probe Exec:*ExecAction HTTPGet=httpGet:*HTTPGetAction TCPSocket=tcpSocket:*TCPSocketAction GRPC=grpc:*GRPCAction InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds:*i
ProjectedVolumeSource Sources:[]VolumeProjection DefaultMode:*i
QuobyteVolumeSource Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s
RBDPersistentVolumeSource CephMonitors=monitors:[]s RBDImage=image:s FSType=fsType:s RBDPool=pool:s RadosUser=user:s Keyring:s SecretRef:*SecretReference ReadOnly:b
RBDVolumeSource CephMonitors=monitors:[]s RBDImage=image:s FSType=fsType:s RBDPool=pool:s RadosUser=user:s Keyring:s SecretRef:*LocalObjectReference ReadOnly:b
ResourceClaim Name:s Request:s
ResourceFieldSelector ContainerName:s Resource:s Divisor:Quantity
ResourceRequirements Limits:{}Quantity Requests:{}Quantity Claims:[]ResourceClaim
RollingUpdateDeployment MaxUnavailable:IntOrString MaxSurge:IntOrString
RollingUpdateStatefulSetStrategy Partition:i MaxUnavailable:*IntOrString
SELinuxOptions User:s Role:s Type:s Level:s
ScaleIOPersistentVolumeSource Gateway:s System:s SecretRef:*SecretReference SSLEnabled=sslEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType=fsType:s ReadOnly:b
ScaleIOVolumeSource Gateway:s System:s SecretRef:*LocalObjectReference SSLEnabled=sslEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType=fsType:s ReadOnly:b
SeccompProfile Type:s LocalhostProfile:*s
SecretEnvSource Name:s Optional:*b
SecretKeySelector Name:s Key:s Optional:*b
SecretProjection Name:s Items:[]KeyToPath Optional:*b
SecretReference Name:s Namespace:s
SecretVolumeSource SecretName:s Items:[]KeyToPath DefaultMode:*i Optional:*b
SecurityContext Capabilities:*Capabilities Privileged:*b SELinuxOptions=seLinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*i RunAsGroup:*i RunAsNonRoot:*b ReadOnlyRootFilesystem:*b AllowPrivilegeEscalation:*b ProcMount:*s SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile
ServiceAccountTokenProjection Audience:s ExpirationSeconds:i Path:s
SleepAction Seconds:i
StatefulSetUpdateStrategy Type:s RollingUpdate:*RollingUpdateStatefulSetStrategy
StorageOSPersistentVolumeSource VolumeName:s VolumeNamespace:s FSType=fsType:s ReadOnly:b SecretRef:*ObjectReference
StorageOSVolumeSource VolumeName:s VolumeNamespace:s FSType=fsType:s ReadOnly:b SecretRef:*LocalObjectReference
SuccessPolicy Rules:[]SuccessPolicyRule
SuccessPolicyRule SucceededIndexes:*s SucceededCount:*i
Sysctl Name:s Value:s
TCPSocketAction Port:IntOrString Host:s
Taint Key:s Value:s Effect:s TimeAdded:*Time
Toleration Key:s Operator:s Value:s Effect:s TolerationSeconds:*i
TopologySpreadConstraint MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:*LabelSelector MinDomains:*i NodeAffinityPolicy:*s NodeTaintsPolicy:*s MatchLabelKeys:[]s
TypedLocalObjectReference APIGroup=apiGroup:*s Kind:s Name:s
TypedObjectReference APIGroup=apiGroup:*s Kind:s Name:s Namespace:*s
Volume Name:s HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk=gcePersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore=awsElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS=nfs:*NFSVolumeSource ISCSI=iscsi:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD=rbd:*RBDVolumeSource Quobyte:*QuobyteVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource CephFS=cephfs:*CephFSVolumeSource Flocker:*FlockerVolumeSource DownwardAPI:*DownwardAPIVolumeSource FC=fc:*FCVolumeSource AzureFile:*AzureFileVolumeSource ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource StorageOS=storageos:*StorageOSVolumeSource CSI=csi:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource
VolumeDevice Name:s DevicePath:s
VolumeMount Name:s ReadOnly:b RecursiveReadOnly:*s MountPath:s SubPath:s MountPropagation:*s SubPathExpr:s
VolumeProjection Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection PodCertificate:*PodCertificateProjection
VolumeResourceRequirements Limits:{}Quantity Requests:{}Quantity
VsphereVirtualDiskVolumeSource VolumePath:s FSType=fsType:s StoragePolicyName:s StoragePolicyID:s
WeightedPodAffinityTerm Weight:i PodAffinityTerm:PodAffinityTerm
WindowsSecurityContextOptions GMSACredentialSpecName=gmsaCredentialSpecName:*s GMSACredentialSpec=gmsaCredentialSpec:*s RunAsUserName:*s HostProcess:*b
`;
