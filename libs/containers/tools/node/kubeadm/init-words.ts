import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { pinOf } from './certs/pin.js';

export const CONTROL_PLANE_LABELS =
  'node-role.kubernetes.io/control-plane node.kubernetes.io/exclude-from-external-load-balancers';

/** Of the phase preflight. */
export const PULLING_LINES =
  '[preflight] Pulling images required for setting up a Kubernetes cluster\n' +
  '[preflight] This might take a minute or two, depending on the speed of your internet connection\n' +
  "[preflight] You can also perform this action beforehand using 'kubeadm config images pull'\n";

/** Of the phases bootstrap-token and kubelet-finalize. */
export const TOKEN_LINES =
  '[bootstrap-token] Configuring bootstrap tokens, cluster-info ConfigMap, RBAC Roles\n' +
  '[bootstrap-token] Configured RBAC rules to allow Node Bootstrap tokens to get nodes\n' +
  '[bootstrap-token] Configured RBAC rules to allow Node Bootstrap tokens to post CSRs in order for nodes to get long term certificate credentials\n' +
  '[bootstrap-token] Configured RBAC rules to allow the csrapprover controller automatically approve CSRs from a Node Bootstrap Token\n' +
  '[bootstrap-token] Configured RBAC rules to allow certificate rotation for all node client certificates in the cluster\n' +
  '[bootstrap-token] Creating the "cluster-info" ConfigMap in the "kube-public" namespace\n' +
  '[kubelet-finalize] Updating "/etc/kubernetes/kubelet.conf" to point to a rotatable kubelet client certificate and key\n';

/** What to do when the control plane does not come up. */
export const waitFailure = `
A control plane component may have crashed or exited when started by the container runtime.
To troubleshoot, list all containers using your preferred container runtimes CLI.
Here is one example how you may list all running Kubernetes containers by using crictl:
\t- 'crictl --runtime-endpoint unix:///var/run/containerd/containerd.sock ps -a | grep kube | grep -v pause'
\tOnce you have found the failing container, you can inspect its logs with:
\t- 'crictl --runtime-endpoint unix:///var/run/containerd/containerd.sock logs CONTAINERID'

`;

export interface JoinCommands {
  readonly worker: string;
  readonly controlPlane: string;
}

/** `authority`: PEM. `key`: that certificates are uploaded with. */
export function joinCommands(
  server: string,
  { token, key }: { readonly token: string; readonly key?: string },
  authority: Bytes,
): JoinCommands {
  const worker = `kubeadm join ${server} --token ${token} \\\n\t--discovery-token-ca-cert-hash ${pinOf(authority)} `;
  const fetched = key === undefined ? '' : `--certificate-key ${key}`;
  return { worker, controlPlane: `${worker}\\\n\t--control-plane ${fetched}` };
}

const CERTIFICATES_BY_HAND = `You can now join any number of control-plane nodes by copying certificate authorities
and service account keys on each node and then running the following as root:
`;
const UPLOADED = `You can now join any number of control-plane nodes running the following command on each as root:
`;
const UPLOADED_NOTE = `Please note that the certificate-key gives access to cluster sensitive data, keep it secret!
As a safeguard, uploaded-certs will be deleted in two hours; If necessary, you can use
"kubeadm init phase upload-certs --upload-certs" to reload certs afterward.

`;

/** Models app/cmd/phases/init/showjoincommand.go. */
export function initDone({ worker, controlPlane }: JoinCommands, isShared: boolean, isUploaded: boolean): string {
  const others = !isShared
    ? ''
    : isUploaded
      ? `${UPLOADED}\n  ${controlPlane}\n\n${UPLOADED_NOTE}`
      : `${CERTIFICATES_BY_HAND}\n  ${controlPlane}\n\n`;
  return `
Your Kubernetes control-plane has initialized successfully!

To start using your cluster, you need to run the following as a regular user:

  mkdir -p $HOME/.kube
  sudo cp -i /etc/kubernetes/admin.conf $HOME/.kube/config
  sudo chown $(id -u):$(id -g) $HOME/.kube/config

Alternatively, if you are the root user, you can run:

  export KUBECONFIG=/etc/kubernetes/admin.conf

You should now deploy a pod network to the cluster.
Run "kubectl apply -f [podnetwork].yaml" with one of the options listed at:
  https://kubernetes.io/docs/concepts/cluster-administration/addons/

${others}Then you can join any number of worker nodes by running the following on each as root:

${worker}
`;
}
