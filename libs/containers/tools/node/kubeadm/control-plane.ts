import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { RESET_FILE } from '../../../../engine/node/host/evaluate.js';
import { sealOf, type ClusterInfo } from '../../../../engine/node/host/views/releases-view.js';
import type { ToolContext } from '../../framework/tool.js';
import { KubeadmFailure } from './failure.js';
import { CONTROL_PLANE_LABELS, PULLING_LINES } from './init-words.js';
import { send } from './requests.js';
import { CERTIFICATES_TTL } from './upload-certs.js';

const UNSTABLE =
  'error: error execution phase preflight: \nOne or more conditions for hosting a new control plane instance is not satisfied.\n\n' +
  "unable to add a new control plane instance to a cluster that doesn't have a stable controlPlaneEndpoint address\n\n" +
  'Please ensure that:\n* The cluster has a stable controlPlaneEndpoint address.\n' +
  '* The certificates that must be shared among control plane instances are provided.\n\n';

/** Fetches the authorities, and says what is made of them. Throws KubeadmFailure. */
export function prepareControlPlane(tool: ToolContext, info: ClusterInfo, key: string | undefined): void {
  const { sys, out } = tool;
  if (info.endpoint === '') throw new KubeadmFailure(UNSTABLE);
  out(`[preflight] Running pre-flight checks before initializing the new control plane instance\n${PULLING_LINES}`);
  if (key === undefined) throw new KubeadmFailure(missingCertificates());
  out('[download-certs] Downloading the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace\n');
  const { certificates } = info;
  if (!certificates || sys.now - certificates.at >= CERTIFICATES_TTL)
    throw download(
      'error downloading the secret: Secret "kubeadm-certs" was not found in the "kube-system" Namespace. This Secret might have expired. Please, run `kubeadm init phase upload-certs --upload-certs` on a control plane to generate a new one',
    );
  if (sealOf(key, 'ca.crt') !== certificates.seal)
    throw download('error decoding secret data with provided key: cipher: message authentication failed');
  out('[download-certs] Saving the certificates to the folder: "/etc/kubernetes/pki"\n');
  out(describeFiles(sys.hostname, info.ip));
}

const download = (why: string): KubeadmFailure =>
  new KubeadmFailure(
    `error: error execution phase control-plane-prepare/download-certs: error downloading certs: ${why}`,
  );

const missingCertificates = (): string =>
  'error: error execution phase preflight: \nOne or more conditions for hosting a new control plane instance is not satisfied.\n\n' +
  "[failure loading certificate for CA: couldn't load the certificate file /etc/kubernetes/pki/ca.crt: open /etc/kubernetes/pki/ca.crt: no such file or directory]\n\n" +
  'Please ensure that:\n* The cluster has a stable controlPlaneEndpoint address.\n' +
  '* The certificates that must be shared among control plane instances are provided.\n\n';

/** The files that this node has once it is marked: what it lacks follows from the node. */
function describeFiles(host: string, ip: string): string {
  const made = (name: string): string => `[certs] Generating "${name}" certificate and key\n`;
  const signed = (name: string, names: string, addresses: string): string =>
    `${made(name)}[certs] ${name} serving cert is signed for DNS names [${names}] and IPs [${addresses}]\n`;
  const service = 'kubernetes kubernetes.default kubernetes.default.svc kubernetes.default.svc.cluster.local';
  return [
    '[certs] Using certificateDir folder "/etc/kubernetes/pki"\n',
    made('front-proxy-client'),
    ...[signed('etcd/server', `${host} localhost`, `${ip} 127.0.0.1 ::1`)],
    ...[signed('etcd/peer', `${host} localhost`, `${ip} 127.0.0.1 ::1`)],
    made('etcd/healthcheck-client'),
    made('apiserver-etcd-client'),
    signed('apiserver', `${host} ${service}`, `10.96.0.1 ${ip}`),
    made('apiserver-kubelet-client'),
    '[certs] Valid certificates and keys now exist in "/etc/kubernetes/pki"\n[certs] Using the existing "sa" key\n',
    '[kubeconfig] Generating kubeconfig files\n[kubeconfig] Using kubeconfig folder "/etc/kubernetes"\n',
    ...['admin', 'controller-manager', 'scheduler'].map(
      (name) => `[kubeconfig] Writing "${name}.conf" kubeconfig file\n`,
    ),
    '[control-plane] Using manifest folder "/etc/kubernetes/manifests"\n',
    ...['apiserver', 'controller-manager', 'scheduler'].map(
      (name) => `[control-plane] Creating static Pod manifest for "kube-${name}"\n`,
    ),
    '[check-etcd] Checking that the etcd cluster is healthy\n',
  ].join('');
}

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/** The node is marked: its kubelet finds the static pods of a control plane. */
export function finishControlPlane(tool: ToolContext, token: string): void {
  const { sys, out } = tool;
  if (sys.access(RESET_FILE, '')) sys.unlink(RESET_FILE);
  send(tool, { verb: 'control-plane', token }, sys.hostname);
  out(
    bytesOf(
      '[etcd] Announced new etcd member joining to the existing etcd cluster\n' +
        '[etcd] Creating static Pod manifest for "etcd"\n' +
        `[mark-control-plane] Marking the node ${sys.hostname} as control-plane by adding the labels: [${CONTROL_PLANE_LABELS}]\n` +
        `[mark-control-plane] Marking the node ${sys.hostname} as control-plane by adding the taints [${CONTROL_PLANE}:NoSchedule]\n` +
        JOINED,
    ),
  );
}

const JOINED = `
This node has joined the cluster and a new control plane instance was created:

* Certificate signing request was sent to apiserver and approval was received.
* The Kubelet was informed of the new secure connection details.
* Control plane label and taint were applied to the new node.
* The Kubernetes control plane instances scaled up.
* A new etcd member was added to the local/stacked etcd cluster.

To start administering your cluster from this node, you need to run the following as a regular user:

\tmkdir -p $HOME/.kube
\tsudo cp -i /etc/kubernetes/admin.conf $HOME/.kube/config
\tsudo chown $(id -u):$(id -g) $HOME/.kube/config

Run 'kubectl get nodes' to see this node join the cluster.

`;
