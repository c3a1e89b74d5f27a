import type { Node } from '../../../api/core_v1.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';

export const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
export const isControlPlane = ({ metadata }: Node): boolean => metadata.labels?.[CONTROL_PLANE] !== undefined;

/** The kubelet's unit, as its package brings it. */
export const KUBELET_UNIT = `[Unit]
Description=kubelet: The Kubernetes Node Agent
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target
`;

/** kubeadm's part of it. */
export const KUBEADM_DROP_IN = `# Note: This dropin only works with kubeadm and kubelet v1.11+
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
# This is a file that "kubeadm init" and "kubeadm join" generates at runtime, populating the KUBELET_KUBEADM_ARGS variable dynamically
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
# This is a file that the user can use for overrides of the kubelet args as a last resort. Preferably, the user should use
# the .NodeRegistration.KubeletExtraArgs object in the configuration files instead. KUBELET_EXTRA_ARGS should be sourced from this file.
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`;

export const CONTAINERD_UNIT = `[Unit]
Description=containerd container runtime
Documentation=https://containerd.io
After=network.target dbus.service

[Service]
ExecStartPre=-/sbin/modprobe overlay
ExecStart=/usr/bin/containerd

Type=notify
Delegate=yes
KillMode=process
Restart=always
RestartSec=5
LimitNPROC=infinity
LimitCORE=infinity
TasksMax=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target
`;

export const CONTAINERD_CONFIG = `version = 3

[plugins."io.containerd.cri.v1.runtime".containerd]
  default_runtime_name = "runc"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
  SystemdCgroup = true

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.test-handler]
  runtime_type = "io.containerd.runc.v2"

[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.test-handler.options]
  SystemdCgroup = true

[plugins."io.containerd.cri.v1.images".pinned_images]
  sandbox = "registry.k8s.io/pause:3.10.1"
`;

export const CRICTL_CONFIG = `runtime-endpoint: unix:///run/containerd/containerd.sock
image-endpoint: unix:///run/containerd/containerd.sock
timeout: 10
`;

/** /var/lib/kubelet/config.yaml as kubeadm writes it. */
export const KUBELET_CONFIGURATION = `apiVersion: kubelet.config.k8s.io/v1beta1
authentication:
  anonymous:
    enabled: false
  webhook:
    cacheTTL: 0s
    enabled: true
  x509:
    clientCAFile: /etc/kubernetes/pki/ca.crt
authorization:
  mode: Webhook
  webhook:
    cacheAuthorizedTTL: 0s
    cacheUnauthorizedTTL: 0s
cgroupDriver: systemd
clusterDNS:
- 10.96.0.10
clusterDomain: cluster.local
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cpuManagerReconcilePeriod: 0s
crashLoopBackOff: {}
evictionPressureTransitionPeriod: 0s
fileCheckFrequency: 0s
healthzBindAddress: 127.0.0.1
healthzPort: 10248
httpCheckFrequency: 0s
imageMaximumGCAge: 0s
imageMinimumGCAge: 0s
kind: KubeletConfiguration
logging:
  flushFrequency: 0
  options:
    json:
      infoBufferSize: "0"
    text:
      infoBufferSize: "0"
  verbosity: 0
memorySwap: {}
nodeStatusReportFrequency: 0s
nodeStatusUpdateFrequency: 0s
rotateCertificates: true
runtimeRequestTimeout: 0s
shutdownGracePeriod: 0s
shutdownGracePeriodCriticalPods: 0s
staticPodPath: /etc/kubernetes/manifests
streamingConnectionIdleTimeout: 0s
syncFrequency: 0s
volumeStatsAggPeriod: 0s
`;

export const kubeadmFlags = (node: Node): string =>
  `KUBELET_KUBEADM_ARGS="--node-ip=${internalIPOf(node)} --node-labels= --pod-infra-container-image=registry.k8s.io/pause:3.10.1"\n`;

/** The kubelet's client, whose certificate lies in a file that rotates. */
export const kubeletKubeconfig = (server: string, authority: string, node: string): string => `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${authority}
    server: ${server}
  name: kubernetes
contexts:
- context:
    cluster: kubernetes
    user: system:node:${node}
  name: system:node:${node}@kubernetes
current-context: system:node:${node}@kubernetes
kind: Config
users:
- name: system:node:${node}
  user:
    client-certificate: /var/lib/kubelet/pki/kubelet-client-current.pem
    client-key: /var/lib/kubelet/pki/kubelet-client-current.pem
`;

/** Of the cluster-info ConfigMap, for nobody in particular. `authority`: base64 of PEM. */
export const clusterInfoKubeconfig = (server: string, authority: string): string => `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${authority}
    server: ${server}
  name: ""
contexts: null
current-context: ""
kind: Config
preferences: {}
users: null
`;

/** A client of the control plane: admin.conf and its like. `authority` and the user's certificate are base64 of PEM. */
export const adminKubeconfig = (
  server: string,
  authority: string,
  user: string,
  certificate: string,
  key: string,
): string => `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${authority}
    server: ${server}
  name: kubernetes
contexts:
- context:
    cluster: kubernetes
    user: ${user}
  name: ${user}@kubernetes
current-context: ${user}@kubernetes
kind: Config
users:
- name: ${user}
  user:
    client-certificate-data: ${certificate}
    client-key-data: ${key}
`;

/** A client with a token: what `kubeadm kubeconfig user --token` prints. `authority`: base64 of PEM. */
export const tokenKubeconfig = (server: string, authority: string, user: string, token: string): string =>
  adminKubeconfig(server, authority, user, '', '').replace(
    / {4}client-certificate-data: \n {4}client-key-data: \n/,
    `    token: ${token}\n`,
  );
