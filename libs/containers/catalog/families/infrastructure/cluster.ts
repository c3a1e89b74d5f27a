import { utc } from '../../../programs/server.js';
import { GO, HEALTH, goMetrics, html, routes } from './answers.js';
import { klog } from './lines.js';
import type { Row } from './row.js';

/** The cluster's own helpers. */
export const cluster: readonly Row[] = [
  [
    'rancher/mirrored-metrics-server rancher/klipper-lb rancher/local-path-provisioner rancher/mirrored-coredns-coredns rancher/klipper-helm rancher/rancher rancher/rancher-agent',
    'alpine',
    '/entry',
    [],
    { serve: HEALTH },
  ],
  [
    'calico/typha calico/csi calico/apiserver',
    'distroless',
    '/usr/bin/start_runit',
    [9099],
    {
      serve: routes({ '/liveness': { status: 204 }, '/readiness': { status: 204 } }),
      readyAfterMs: 2_000,
      log: ({ at }) => [`${utc(at).rfc}.000 [INFO][9] startup/startup.go 427: Early log level set to info`],
    },
  ],
  [
    'quay.io/cilium/cilium-envoy quay.io/cilium/hubble-relay quay.io/cilium/hubble-ui quay.io/cilium/hubble-ui-backend',
    'debian',
    '/usr/bin/cilium-agent',
    [9879],
    { serve: HEALTH, readyAfterMs: 3_000 },
  ],
  [
    'registry.k8s.io/external-dns/external-dns registry.k8s.io/autoscaling/cluster-autoscaler registry.k8s.io/descheduler/descheduler registry.k8s.io/node-problem-detector/node-problem-detector',
    'distroless',
    '/bin/controller',
    [7979],
    { serve: HEALTH },
  ],
  [
    'registry.k8s.io/autoscaling/vpa-recommender registry.k8s.io/autoscaling/vpa-updater registry.k8s.io/autoscaling/vpa-admission-controller',
    'distroless',
    '/recommender',
    [8942],
    { serve: HEALTH },
  ],
  [
    'registry.k8s.io/sig-storage/csi-provisioner registry.k8s.io/sig-storage/csi-attacher registry.k8s.io/sig-storage/csi-resizer registry.k8s.io/sig-storage/csi-snapshotter registry.k8s.io/sig-storage/csi-node-driver-registrar registry.k8s.io/sig-storage/livenessprobe registry.k8s.io/sig-storage/hostpathplugin registry.k8s.io/sig-storage/snapshot-controller k8s.gcr.io/sig-storage/csi-provisioner k8s.gcr.io/sig-storage/csi-attacher k8s.gcr.io/sig-storage/csi-resizer k8s.gcr.io/sig-storage/csi-snapshotter k8s.gcr.io/sig-storage/csi-node-driver-registrar k8s.gcr.io/sig-storage/livenessprobe k8s.gcr.io/provider-aws/aws-ebs-csi-driver registry.k8s.io/sig-storage/nfs-subdir-external-provisioner',
    'distroless',
    '/csi',
    [9898],
    {
      serve: HEALTH,
      log: klog(
        'main.go:170] "Version" version="v5.3.0"',
        'connection.go:234] "Connecting" address="unix:///csi/csi.sock"',
      ),
    },
  ],
  [
    'ghcr.io/stakater/reloader ghcr.io/kyverno/kyverno quay.io/bitnami/sealed-secrets-controller ghcr.io/kedacore/keda ghcr.io/external-secrets/external-secrets velero/velero',
    'distroless',
    '/manager',
    [8080],
    {
      serve: HEALTH,
      log: ({ at }) => [`{"level":"info","ts":"${utc(at).iso}","logger":"setup","msg":"starting manager"}`],
    },
  ],
  [
    'ghcr.io/fluxcd/source-controller ghcr.io/fluxcd/kustomize-controller ghcr.io/fluxcd/helm-controller ghcr.io/fluxcd/notification-controller',
    'alpine',
    '/sbin/tini -- controller',
    [8080, 9440],
    {
      ports: [8080, 9440],
      serve: HEALTH,
      log: ({ at }) => [`{"level":"info","ts":"${utc(at).iso}","logger":"setup","msg":"starting manager"}`],
    },
  ],
  [
    'cr.l5d.io/linkerd/proxy cr.l5d.io/linkerd/controller',
    'distroless',
    '/usr/local/bin/pilot-discovery',
    [15010, 15017, 8080],
    {
      serve: routes({ '/ready': { status: 200 }, '/healthz/ready': { status: 200 }, '/metrics': goMetrics(GO) }),
      readyAfterMs: 3_000,
    },
  ],
  [
    'registry.k8s.io/dns/k8s-dns-node-cache registry.k8s.io/addon-resizer',
    'distroless',
    '/main',
    [],
    { serve: HEALTH },
  ],
  [
    'registry.k8s.io/goproxy k8s.gcr.io/goproxy',
    'scratch',
    '/goproxy',
    [8080],
    { ports: [8080], log: ({ at }) => [`${utc(at).slashed} Serving on port 8080`] },
  ],
  [
    'gcr.io/k8s-minikube/storage-provisioner gcr.io/k8s-minikube/minikube-ingress-dns',
    'scratch',
    '/storage-provisioner',
    [],
    {
      log: klog(
        'storage_provisioner.go:116] Initializing the minikube storage provisioner...',
        'storage_provisioner.go:141] Storage provisioner initialized, now starting service!',
      ),
    },
  ],
  [
    'newrelic/infrastructure datadog/agent public.ecr.aws/datadog/agent gcr.io/datadoghq/agent gcr.io/datadoghq/cluster-agent',
    'debian',
    '/bin/entrypoint.sh',
    [8125, 8126],
    { serve: HEALTH, readyAfterMs: 2_000 },
  ],
  [
    'nginxinc/nginx-s3-gateway openresty/openresty',
    'debian',
    '/usr/local/openresty/bin/openresty -g daemon\u00a0off;',
    [80],
    {
      ports: [80],
      serve: () =>
        html(
          '<!DOCTYPE html>\n<html>\n<head>\n<title>Welcome to OpenResty!</title>\n</head>\n<body>\n<h1>Welcome to OpenResty!</h1>\n</body>\n</html>\n',
        ),
    },
  ],
];
