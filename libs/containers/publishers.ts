import { OFFICIAL } from './official.js';

const KUBERNETES_ROOT =
  'addon-resizer busybox cluster-proportional-autoscaler-amd64 conformance coredns cuda-vector-add debian-base debian-iptables echoserver elasticsearch etcd fluentd-elasticsearch fluentd-gcp goproxy guestbook hpa-example hyperkube k8s-dns-dnsmasq-nanny k8s-dns-kube-dns k8s-dns-node-cache k8s-dns-sidecar kube-addon-manager kube-apiserver kube-controller-manager kube-proxy kube-scheduler kubectl kubernetes-zookeeper liveness metrics-server-amd64 nginx nginx-slim node-problem-detector pause pause-amd64 prometheus-to-sd redis serve_hostname test-webserver ubuntu-slim update-demo volume-nfs';
const GOOGLE_SAMPLES =
  'cassandra env-backend env-show gb-frontend gb-redis-follower gb-redisslave hello-app hello-app-cdn hello-frontend hello-go-gke hello-server kubernetes-bootcamp node-hello whereami xtrabackup zone-printer';

/** The repositories of Kubernetes' own registry, by publisher. */
const KUBERNETES: Readonly<Record<string, string>> = {
  '': KUBERNETES_ROOT,
  '/addon-manager': 'kube-addon-manager',
  '/autoscaling': 'addon-resizer cluster-autoscaler vpa-admission-controller vpa-recommender vpa-updater',
  '/build-image': 'debian-base debian-iptables distroless-iptables go-runner kube-cross setcap',
  '/cloud-provider-gcp': '*',
  '/cluster-api': 'cluster-api-controller kubeadm-bootstrap-controller kubeadm-control-plane-controller',
  '/coredns': 'coredns',
  '/cpa': 'cluster-proportional-autoscaler cluster-proportional-vertical-autoscaler',
  '/csi-secrets-store': 'driver driver-crds',
  '/descheduler': 'descheduler',
  '/dns': 'k8s-dns-dnsmasq-nanny k8s-dns-kube-dns k8s-dns-node-cache k8s-dns-sidecar',
  '/e2e-test-images': '*',
  '/external-dns': 'external-dns',
  '/gateway-api': 'admission-server echo-basic',
  '/gateway-api/conformance': 'echo-basic',
  '/git-sync': 'git-sync',
  '/ingress-nginx': 'controller controller-chroot custom-error-pages kube-webhook-certgen nginx opentelemetry',
  '/jobset': 'jobset',
  '/kas-network-proxy': 'proxy-agent proxy-server',
  '/kops': 'dns-controller kops-controller kube-apiserver-healthcheck',
  '/kube-state-metrics': 'kube-state-metrics',
  '/kueue': 'kueue',
  '/kustomize': 'kustomize',
  '/kwok': 'cluster kwok',
  '/lws': 'lws',
  '/metrics-server': 'metrics-server',
  '/networking': 'ip-masq-agent',
  '/nfd': 'node-feature-discovery',
  '/node-problem-detector': 'node-problem-detector',
  '/prometheus-adapter': 'prometheus-adapter',
  '/provider-aws': 'aws-ebs-csi-driver cloud-controller-manager',
  '/provider-os': 'cinder-csi-plugin manila-csi-plugin openstack-cloud-controller-manager',
  '/scheduler-plugins': 'controller kube-scheduler',
  '/sig-storage':
    'csi-attacher csi-external-health-monitor-agent csi-external-health-monitor-controller csi-node-driver-registrar csi-provisioner csi-resizer csi-snapshotter hello-populator hostpathplugin iscsiplugin livenessprobe local-volume-provisioner mock-driver nfs-provisioner nfs-subdir-external-provisioner nfsplugin smbplugin snapshot-controller snapshot-validation-webhook volume-data-source-validator',
};

const under = (host: string, publishers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(publishers).map(([publisher, names]) => [host + publisher, names]));

/**
 * What well-known publishers have in the registries that this catalogue knows, by host and publisher; '*' is everything
 * below. In these registries nothing else exists. Other registries are the users' own: there everything does.
 */
const PUBLISHED: Readonly<Record<string, string>> = {
  ...under('registry.k8s.io', KUBERNETES),
  ...under('k8s.gcr.io', KUBERNETES),

  'gcr.io/cadvisor': 'cadvisor',
  'gcr.io/cloud-marketplace': '*',
  'gcr.io/kubernetes-e2e-test-images': '*',
  'gcr.io/cloud-sql-connectors': 'cloud-sql-proxy',
  'gcr.io/cloudsql-docker': 'gce-proxy',
  'gcr.io/distroless': '*',
  'gcr.io/etcd-development': 'etcd',
  'gcr.io/google-containers': '*',
  'gcr.io/datadoghq': 'agent cluster-agent',
  'gcr.io/google-samples': GOOGLE_SAMPLES,
  'gcr.io/google-samples/microservices-demo': '*',
  'gcr.io/google.com': '*',
  'gcr.io/google_containers': '*',
  'gcr.io/google_samples': GOOGLE_SAMPLES,
  'gcr.io/istio-release': '*',
  'gcr.io/istio-testing': '*',
  'gcr.io/k8s-minikube': 'kicbase kicbase-echo-server minikube-ingress-dns storage-provisioner',
  'gcr.io/kaniko-project': 'executor warmer',
  'gcr.io/knative-releases': '*',
  'gcr.io/kubebuilder': 'kube-rbac-proxy',
  'gcr.io/linkerd-io': '*',
  'gcr.io/stacksmith-images': '*',
  'gcr.io/tekton-releases': '*',

  'ghcr.io/actions': 'actions-runner gha-runner-scale-set-controller',
  'ghcr.io/aquasecurity': 'kube-bench node-collector trivy trivy-operator',
  'ghcr.io/argoproj-labs': '*',
  'ghcr.io/chaos-mesh': 'chaos-coredns chaos-daemon chaos-dashboard chaos-mesh',
  'ghcr.io/cloudnative-pg': 'cloudnative-pg pgbouncer postgis postgresql',
  'ghcr.io/dexidp': 'dex',
  'ghcr.io/external-secrets': 'external-secrets',
  'ghcr.io/flannel-io': 'flannel flannel-cni-plugin',
  'ghcr.io/fluxcd':
    'flagger flagger-loadtester flux-cli helm-controller image-automation-controller image-reflector-controller kustomize-controller notification-controller source-controller',
  'ghcr.io/goauthentik': 'server',
  'ghcr.io/grafana': '*',
  'ghcr.io/headlamp-k8s': 'headlamp',
  'ghcr.io/home-assistant': 'home-assistant',
  'ghcr.io/jimmidyson': 'configmap-reload',
  'ghcr.io/k3d-io': 'k3d-proxy k3d-tools',
  'ghcr.io/k8snetworkplumbingwg': 'multus-cni whereabouts',
  'ghcr.io/kedacore': 'keda keda-admission-webhooks keda-metrics-apiserver',
  'ghcr.io/kube-vip': 'kube-vip kube-vip-cloud-provider',
  'ghcr.io/kubereboot': 'kured',
  'ghcr.io/kubewarden': '*',
  'ghcr.io/kyverno':
    'background-controller cleanup-controller kyverno kyverno-cli kyvernopre policy-reporter readiness-checker reports-controller',
  'ghcr.io/linkerd': '*',
  'ghcr.io/linuxserver': '*',
  'ghcr.io/mccutchen': 'go-httpbin',
  'ghcr.io/nginx': 'nginx-gateway-fabric',
  'ghcr.io/nginx/nginx-gateway-fabric': 'nginx',
  'ghcr.io/nginxinc': 'nginx-gateway-fabric',
  'ghcr.io/nginxinc/nginx-gateway-fabric': 'nginx',
  'ghcr.io/open-telemetry': '*',
  'ghcr.io/open-webui': 'open-webui',
  'ghcr.io/project-zot': 'zot-linux-amd64 zot-linux-arm64',
  'ghcr.io/prometheus-community': '*',
  'ghcr.io/renovatebot': 'renovate',
  'ghcr.io/siderolabs': '*',
  'ghcr.io/sigstore': '*',
  'ghcr.io/spegel-org': 'spegel',
  'ghcr.io/spiffe': '*',
  'ghcr.io/stakater': 'reloader',
  'ghcr.io/stefanprodan': 'podinfo swarmprom-node-exporter',
  'ghcr.io/tektoncd': '*',
  'ghcr.io/traefik': 'traefik',
  'ghcr.io/weaveworks': '*',
  'ghcr.io/zalando': 'postgres-operator spilo-15 spilo-16 spilo-17',

  'mcr.microsoft.com': 'azure-cli playwright powershell',
  'mcr.microsoft.com/aks': '*',
  'mcr.microsoft.com/azure-functions': '*',
  'mcr.microsoft.com/azuredocs': 'aci-helloworld aks-helloworld azure-vote-back azure-vote-front',
  'mcr.microsoft.com/azurelinux': '*',
  'mcr.microsoft.com/devcontainers': '*',
  'mcr.microsoft.com/dotnet': '*',
  'mcr.microsoft.com/mirror': '*',
  'mcr.microsoft.com/mssql': 'server',
  'mcr.microsoft.com/openjdk': '*',
  'mcr.microsoft.com/oss': '*',
  'mcr.microsoft.com/windows': '*',

  'mirror.gcr.io/library': [...OFFICIAL].join(' '),
  'public.ecr.aws/amazonlinux': 'amazonlinux',
  'public.ecr.aws/aquasecurity': 'kube-bench trivy trivy-operator',
  'public.ecr.aws/aws-containers': '*',
  'public.ecr.aws/aws-ec2': 'aws-node-termination-handler',
  'public.ecr.aws/aws-observability': 'aws-for-fluent-bit aws-otel-collector',
  'public.ecr.aws/bitnami': '*',
  'public.ecr.aws/cloudwatch-agent': 'cloudwatch-agent',
  'public.ecr.aws/datadog': 'agent cluster-agent',
  'public.ecr.aws/docker/library': [...OFFICIAL].join(' '),
  'public.ecr.aws/ebs-csi-driver': 'aws-ebs-csi-driver',
  'public.ecr.aws/efs-csi-driver': 'amazon/aws-efs-csi-driver',
  'public.ecr.aws/eks': '*',
  'public.ecr.aws/eks-distro': '*',
  'public.ecr.aws/hashicorp': '*',
  'public.ecr.aws/karpenter': 'controller karpenter',
  'public.ecr.aws/lambda': '*',
  'public.ecr.aws/nginx': 'nginx nginx-ingress nginx-unprivileged',
  'public.ecr.aws/ubuntu': '*',
  'public.ecr.aws/xray': 'aws-xray-daemon',

  'quay.io/argoproj':
    'argo-events argo-rollouts argocd argocd-applicationset argocli argoexec kubectl-argo-rollouts workflow-controller',
  'quay.io/bitnami': 'sealed-secrets-controller',
  'quay.io/brancz': 'kube-rbac-proxy',
  'quay.io/buildah': 'stable',
  'quay.io/calico': 'apiserver cni csi ctl kube-controllers node node-driver-registrar pod2daemon-flexvol typha',
  'quay.io/centos': 'centos',
  'quay.io/ceph': 'ceph',
  'quay.io/cephcsi': 'cephcsi',
  'quay.io/cilium':
    'alpine-curl certgen cilium cilium-envoy clustermesh-apiserver hubble-relay hubble-ui hubble-ui-backend json-mock operator operator-aws operator-azure operator-generic startup-script',
  'quay.io/coreos': '*',
  'quay.io/crio': 'artifact',
  'quay.io/dexidp': 'dex',
  'quay.io/external_storage': '*',
  'quay.io/fedora': 'fedora',
  'quay.io/fluentd_elasticsearch': 'fluentd',
  'quay.io/frrouting': 'frr',
  'quay.io/jaegertracing': '*',
  'quay.io/jetstack':
    'cert-manager-acmesolver cert-manager-cainjector cert-manager-controller cert-manager-ctl cert-manager-istio-csr cert-manager-startupapicheck cert-manager-webhook trust-manager version-checker',
  'quay.io/k8scsi': '*',
  'quay.io/keycloak': 'keycloak keycloak-operator',
  'quay.io/kiwigrid': 'k8s-sidecar',
  'quay.io/kubernetes-ingress-controller': 'nginx-ingress-controller',
  'quay.io/kubevirt': '*',
  'quay.io/metallb': 'controller speaker',
  'quay.io/minio': 'console mc minio operator',
  'quay.io/oauth2-proxy': 'oauth2-proxy',
  'quay.io/openshift': '*',
  'quay.io/operator-framework': '*',
  'quay.io/operatorhubio': 'catalog',
  'quay.io/opstree': 'redis redis-exporter redis-operator',
  'quay.io/podman': 'hello stable',
  'quay.io/prometheus':
    'alertmanager blackbox-exporter busybox cloudwatch-exporter consul-exporter graphite-exporter haproxy-exporter influxdb-exporter memcached-exporter mysqld-exporter node-exporter prometheus pushgateway snmp-exporter statsd-exporter',
  'quay.io/prometheus-operator': 'admission-webhook prometheus-config-reloader prometheus-operator',
  'quay.io/prometheuscommunity': 'elasticsearch-exporter postgres-exporter windows-exporter',
  'quay.io/redhattraining': 'hello-openshift hello-world-nginx hello-world-secure',
  'quay.io/skopeo': 'stable',
  'quay.io/spotahome': 'redis-operator',
  'quay.io/strimzi': 'kafka kafka-bridge operator',
  'quay.io/submariner': '*',
  'quay.io/thanos': 'thanos',
  'quay.io/tigera': 'operator',
};

/** Registries whose images are known; of Docker Hub only the official ones are. */
const KNOWN_HOSTS: ReadonlySet<string> = new Set(Object.keys(PUBLISHED).map((key) => key.split('/', 1)[0]!));
const LIBRARY = 'docker.io/library/';
/** Kubernetes' projects put what they have not released yet into Google projects of this form. */
const STAGING = 'gcr.io/k8s-staging-';

const names = new Map(Object.entries(PUBLISHED).map(([key, list]) => [key, new Set(list.split(' '))]));

/** Whether a repository ('quay.io/prometheus/prometheus') exists, as far as is known here. */
export function isPublished(repository: string): boolean {
  if (repository.startsWith(LIBRARY)) return OFFICIAL.has(repository.slice(LIBRARY.length));
  if (!KNOWN_HOSTS.has(repository.split('/', 1)[0]!) || repository.startsWith(STAGING)) return true;
  const slash = repository.lastIndexOf('/');
  if (names.get(repository.slice(0, slash))?.has(repository.slice(slash + 1))) return true;
  for (let end = slash; end > 0; end = repository.lastIndexOf('/', end - 1))
    if (names.get(repository.slice(0, end))?.has('*')) return true;
  return false;
}
