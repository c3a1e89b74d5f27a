/**
 * The bootstrap policy's ClusterRoles: a heading 'name' or 'name > role' (it adds to that role), then its rules
 * (kinds/rbac/policy-text.ts). Models plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go.
 */
export const CLUSTER_ROLES = `
cluster-admin
  * * *
  * *
system:discovery
  get /api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,/readyz,/version,/version/
system:monitoring
  get /healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*
system:public-info-viewer
  get /healthz,/livez,/readyz,/version,/version/
system:service-account-issuer-discovery
  get /.well-known/openid-configuration,/.well-known/openid-configuration/,/openid/v1/jwks,/openid/v1/jwks/
system:basic-user
  create authorization.k8s.io selfsubjectaccessreviews,selfsubjectrulesreviews
  create authentication.k8s.io selfsubjectreviews
system:aggregate-to-admin > admin
  create authorization.k8s.io localsubjectaccessreviews
  read,write rbac.authorization.k8s.io rolebindings,roles
system:aggregate-to-edit > edit
  read core pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy
  impersonate core serviceaccounts
  write core pods,pods/attach,pods/exec,pods/portforward,pods/proxy
  create core pods/eviction
  write core configmaps,events,persistentvolumeclaims,replicationcontrollers,replicationcontrollers/scale,secrets,serviceaccounts,services,services/proxy
  create core serviceaccounts/token
  write apps daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,replicasets/scale,statefulsets,statefulsets/scale
  write autoscaling horizontalpodautoscalers
  write batch cronjobs,jobs
  write extensions daemonsets,deployments,deployments/rollback,deployments/scale,ingresses,networkpolicies,replicasets,replicasets/scale,replicationcontrollers/scale
  write policy poddisruptionbudgets
  write networking.k8s.io ingresses,networkpolicies
  read,write coordination.k8s.io leases
  write resource.k8s.io resourceclaims,resourceclaimtemplates
system:aggregate-to-view > view
  read core configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,replicationcontrollers,replicationcontrollers/scale,serviceaccounts,services,services/status
  read core bindings,events,limitranges,namespaces/status,pods/log,pods/status,replicationcontrollers/status,resourcequotas,resourcequotas/status
  read core namespaces
  read discovery.k8s.io endpointslices
  read apps controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,replicasets,replicasets/scale,replicasets/status,statefulsets,statefulsets/scale,statefulsets/status
  read autoscaling horizontalpodautoscalers,horizontalpodautoscalers/status
  read batch cronjobs,cronjobs/status,jobs,jobs/status
  read extensions daemonsets,daemonsets/status,deployments,deployments/scale,deployments/status,ingresses,ingresses/status,networkpolicies,replicasets,replicasets/scale,replicasets/status,replicationcontrollers/scale
  read policy poddisruptionbudgets,poddisruptionbudgets/status
  read networking.k8s.io ingresses,ingresses/status,networkpolicies
  read resource.k8s.io resourceclaims,resourceclaims/status,resourceclaimtemplates
system:heapster
  read core events,namespaces,nodes,pods
  read extensions deployments
system:node-problem-detector
  get core nodes
  patch core nodes/status
  create,patch,update core,events.k8s.io events
system:kubelet-api-admin
  read core nodes
  proxy core nodes
  * core nodes/configz,nodes/healthz,nodes/log,nodes/metrics,nodes/pods,nodes/proxy,nodes/stats
system:node-bootstrapper
  create,read certificates.k8s.io certificatesigningrequests
system:auth-delegator
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
system:kube-aggregator
  read core endpoints,services
system:kube-controller-manager
  create,patch,update core,events.k8s.io events
  create coordination.k8s.io leases
  get,update coordination.k8s.io leases kube-controller-manager
  create core secrets,serviceaccounts
  delete core secrets
  get core configmaps,namespaces,secrets,serviceaccounts
  update core secrets,serviceaccounts
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
  list,watch * *
  create core serviceaccounts/token
system:kube-dns
  list,watch core endpoints,services
system:persistent-volume-provisioner
  create,delete,read core persistentvolumes
  read,update core persistentvolumeclaims
  read storage.k8s.io storageclasses
  watch core events
  create,patch,update core,events.k8s.io events
system:certificates.k8s.io:certificatesigningrequests:nodeclient
  create certificates.k8s.io certificatesigningrequests/nodeclient
system:certificates.k8s.io:certificatesigningrequests:selfnodeclient
  create certificates.k8s.io certificatesigningrequests/selfnodeclient
system:volume-scheduler
  read,patch,update core persistentvolumes
  read storage.k8s.io storageclasses
  read,patch,update core persistentvolumeclaims
system:certificates.k8s.io:legacy-unknown-approver
  approve certificates.k8s.io signers kubernetes.io/legacy-unknown
system:certificates.k8s.io:kubelet-serving-approver
  approve certificates.k8s.io signers kubernetes.io/kubelet-serving
system:certificates.k8s.io:kube-apiserver-client-approver
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client
system:certificates.k8s.io:kube-apiserver-client-kubelet-approver
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet
system:node-proxier
  list,watch core endpoints,services
  read core nodes
  create,patch,update core,events.k8s.io events
  list,watch discovery.k8s.io endpointslices
  list,watch networking.k8s.io servicecidrs
system:kube-scheduler
  create,patch,update core,events.k8s.io events
  create coordination.k8s.io leases
  get,update coordination.k8s.io leases kube-scheduler
  read core nodes
  delete,read core pods
  create core bindings,pods/binding
  patch,update core pods/status
  read core replicationcontrollers,services
  read apps,extensions replicasets
  read apps statefulsets
  read policy poddisruptionbudgets
  read core persistentvolumeclaims,persistentvolumes
  create authentication.k8s.io tokenreviews
  create authorization.k8s.io subjectaccessreviews
  read storage.k8s.io csinodes
  read core namespaces
  read storage.k8s.io csidrivers
  read storage.k8s.io csistoragecapacities
  read storage.k8s.io volumeattachments
  read resource.k8s.io deviceclasses,resourceclaims,resourceslices
  patch,update resource.k8s.io resourceclaims/binding,resourceclaims/status
  update core pods/finalizers
`;

/**
 * The roles of kube-controller-manager's controllers, without 'system:controller:'. Models
 * bootstrappolicy/controller_policy.go.
 */
export const CONTROLLER_ROLES = `
attachdetach-controller
  list,watch core persistentvolumeclaims,persistentvolumes
  read core nodes
  patch,update core nodes/status
  list,watch core pods
  create,patch,update core,events.k8s.io events
  create,delete,read storage.k8s.io volumeattachments
  read storage.k8s.io csidrivers
  read storage.k8s.io csinodes
certificate-controller
  delete,read certificates.k8s.io certificatesigningrequests
  update certificates.k8s.io certificatesigningrequests/approval,certificatesigningrequests/status
  approve certificates.k8s.io signers kubernetes.io/kube-apiserver-client-kubelet
  sign certificates.k8s.io signers kubernetes.io/kube-apiserver-client,kubernetes.io/kube-apiserver-client-kubelet,kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown
  create authorization.k8s.io subjectaccessreviews
  create,patch,update core,events.k8s.io events
clusterrole-aggregation-controller
  escalate,read,patch,update rbac.authorization.k8s.io clusterroles
cronjob-controller
  read,update batch cronjobs
  create,delete,read,patch,update batch jobs
  update batch cronjobs/status
  update batch cronjobs/finalizers
  delete,list,watch core pods
  create,patch,update core,events.k8s.io events
daemon-set-controller
  read apps,extensions daemonsets
  update apps,extensions daemonsets/status
  update apps,extensions daemonsets/finalizers
  list,watch core nodes
  create,delete,list,patch,watch core pods
  create core pods/binding
  create,delete,read,patch,update apps controllerrevisions
  create,patch,update core,events.k8s.io events
deployment-controller
  read,update apps,extensions deployments
  update apps,extensions deployments/status
  update apps,extensions deployments/finalizers
  create,delete,read,patch,update apps,extensions replicasets
  read,update core pods
  create,patch,update core,events.k8s.io events
device-taint-eviction-controller
  delete,read core pods
  patch,update core pods/status
  read resource.k8s.io resourceclaims
  read resource.k8s.io resourceslices
  read resource.k8s.io deviceclasses
  read resource.k8s.io devicetaintrules
  create,patch,update core,events.k8s.io events
disruption-controller
  read apps,extensions deployments
  read apps,extensions replicasets
  read core replicationcontrollers
  read policy poddisruptionbudgets
  read apps statefulsets
  update policy poddisruptionbudgets/status
  patch,update core pods/status
  get * */scale
  create,patch,update core,events.k8s.io events
endpoint-controller
  read core pods,services
  create,delete,read,update core endpoints
  create core endpoints/restricted
  create,patch,update core,events.k8s.io events
endpointslice-controller
  read core nodes,pods,services
  update core services/finalizers
  create,delete,read,update discovery.k8s.io endpointslices
  create,patch,update core,events.k8s.io events
endpointslicemirroring-controller
  read core endpoints,services
  update core services/finalizers
  update core endpoints/finalizers
  create,delete,read,update discovery.k8s.io endpointslices
  create,patch,update core,events.k8s.io events
ephemeral-volume-controller
  read core pods
  update core pods/finalizers
  create,read core persistentvolumeclaims
  create,patch,update core,events.k8s.io events
expand-controller
  read,patch,update core persistentvolumes
  patch,update core persistentvolumeclaims/status
  read core persistentvolumeclaims
  create,patch,update core,events.k8s.io events
  get core services
generic-garbage-collector
  delete,read,patch,update * *
  create,patch,update core,events.k8s.io events
horizontal-pod-autoscaler
  read autoscaling horizontalpodautoscalers
  update autoscaling horizontalpodautoscalers/status
  get,update * */scale
  list,watch core pods
  list,watch metrics.k8s.io pods
  read custom.metrics.k8s.io *
  read external.metrics.k8s.io *
  create,patch,update core,events.k8s.io events
job-controller
  read,patch,update batch jobs
  update batch jobs/status
  update batch jobs/finalizers
  create,delete,list,patch,watch core pods
  create,patch,update core,events.k8s.io events
legacy-service-account-token-cleaner
  get core configmaps kube-apiserver-legacy-service-account-token-tracking
  delete,patch core secrets
namespace-controller
  delete,read core namespaces
  update core namespaces/finalize,namespaces/status
  delete,deletecollection,read * *
node-controller
  delete,read,patch,update core nodes
  patch,update core nodes/status
  patch,update core pods/status
  delete,read core pods
  create,patch,update core,events.k8s.io events
persistent-volume-binder
  create,delete,read,update core persistentvolumes
  update core persistentvolumes/status
  read,update core persistentvolumeclaims
  update core persistentvolumeclaims/status
  create,delete,read core pods
  read storage.k8s.io storageclasses
  list,watch core nodes
  create,patch,update core,events.k8s.io events
  watch core events
  get core services
pod-garbage-collector
  delete,list,watch core pods
  read core nodes
  patch core pods/status
pv-protection-controller
  read,update core persistentvolumes
  create,patch,update core,events.k8s.io events
pvc-protection-controller
  read,update core persistentvolumeclaims
  read core pods
  create,patch,update core,events.k8s.io events
replicaset-controller
  read,update apps,extensions replicasets
  update apps,extensions replicasets/status
  update apps,extensions replicasets/finalizers
  create,delete,list,patch,watch core pods
  create,patch,update core,events.k8s.io events
replication-controller
  read,update core replicationcontrollers
  update core replicationcontrollers/status
  update core replicationcontrollers/finalizers
  create,delete,list,patch,watch core pods
  create,patch,update core,events.k8s.io events
resource-claim-controller
  read core pods
  update core pods/finalizers
  create,delete,read resource.k8s.io resourceclaims
  patch,update resource.k8s.io resourceclaims,resourceclaims/binding,resourceclaims/status
  patch,update core pods/status
  create,patch,update core,events.k8s.io events
resourcequota-controller
  list,watch * *
  update core resourcequotas/status
  create,patch,update core,events.k8s.io events
root-ca-cert-publisher
  create,update core configmaps
  create,patch,update core,events.k8s.io events
route-controller
  list,watch core nodes
  patch core nodes/status
  create,patch,update core,events.k8s.io events
selinux-warning-controller
  create,patch,update core,events.k8s.io events
  read core persistentvolumes
  read core persistentvolumeclaims
  read core pods
  read storage.k8s.io csidrivers
service-account-controller
  create core serviceaccounts
  create,patch,update core,events.k8s.io events
service-cidrs-controller
  read,patch,update networking.k8s.io servicecidrs
  patch,update networking.k8s.io servicecidrs/finalizers
  patch,update networking.k8s.io servicecidrs/status
  read networking.k8s.io ipaddresses
  create,patch,update core,events.k8s.io events
service-controller
  read core services
  patch,update core services/status
  list,watch core nodes
  create,patch,update core,events.k8s.io events
statefulset-controller
  list,watch core pods
  read apps statefulsets
  update apps statefulsets/status
  update apps statefulsets/finalizers
  create,delete,get,patch,update core pods
  create,delete,read,patch,update apps controllerrevisions
  create,read core persistentvolumeclaims
  delete,update core persistentvolumeclaims
  update core pods/finalizers
  create,patch,update core,events.k8s.io events
ttl-after-finished-controller
  delete,read batch jobs
  create,patch,update core,events.k8s.io events
ttl-controller
  list,patch,update,watch core nodes
  create,patch,update core,events.k8s.io events
validatingadmissionpolicy-status-controller
  read admissionregistration.k8s.io validatingadmissionpolicies
  get,patch,update admissionregistration.k8s.io validatingadmissionpolicies/status
  create,patch,update core,events.k8s.io events
volumeattributesclass-protection-controller
  read core persistentvolumeclaims
  read core persistentvolumes
  read,update storage.k8s.io volumeattributesclasses
  create,patch,update core,events.k8s.io events
`;

/** Roles of one namespace: headings are 'namespace name'. Models bootstrappolicy/namespace_policy.go. */
export const NAMESPACE_ROLES = `
kube-system extension-apiserver-authentication-reader
  read core configmaps extension-apiserver-authentication
kube-system system:controller:bootstrap-signer
  read core secrets
kube-system system:controller:cloud-provider
  create,read core configmaps
kube-system system:controller:token-cleaner
  delete,read core secrets
  create,patch,update core,events.k8s.io events
kube-system system::leader-locking-kube-controller-manager
  watch core configmaps
  get,update core configmaps kube-controller-manager
  create,read,update coordination.k8s.io leases
kube-system system::leader-locking-kube-scheduler
  watch core configmaps
  get,update core configmaps kube-scheduler
  create,read,update coordination.k8s.io leases
kube-public system:controller:bootstrap-signer
  read core configmaps
  update core configmaps cluster-info
  create,patch,update core,events.k8s.io events
`;

/** What kubeadm, its add-ons and the CNI's manifest bring: ClusterRoles without upstream's bootstrapping label. */
export const ADDON_CLUSTER_ROLES = `
system:coredns
  list,watch core endpoints,namespaces,pods,services
  list,watch discovery.k8s.io endpointslices
kindnet
  list,patch,watch core nodes
  list,watch core configmaps,namespaces,pods
  list,watch networking.k8s.io networkpolicies
kubeadm:get-nodes
  get core nodes
`;

/** The same for Roles: headings are 'namespace name'. */
export const ADDON_ROLES = `
kube-public kubeadm:bootstrap-signer-clusterinfo
  get core configmaps cluster-info
kube-system kube-proxy
  get core configmaps kube-proxy
kube-system kubeadm:kubelet-config
  get core configmaps kubelet-config
kube-system kubeadm:nodes-kubeadm-config
  get core configmaps kubeadm-config
`;
