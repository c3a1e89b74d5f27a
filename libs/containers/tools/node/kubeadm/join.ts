import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { encodeBase64 } from '../../../../engine/machinery/text/base64.js';
import { kubeletKubeconfig } from '../../../../engine/node/host/files/config-files.js';
import { RESET_FILE } from '../../../../engine/node/host/evaluate.js';
import { CLUSTER_FILE, type ClusterInfo } from '../../../../engine/node/host/views/releases-view.js';
import { TOKENS_FILE, type TokenView } from '../../../../engine/node/host/views/tokens-view.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext, WaitingContext } from '../../framework/tool.js';
import { diskOf, writeFile } from '../disk.js';
import { pinOf } from './certs/pin.js';
import { readingConfiguration } from './config/cluster.js';
import { KubeadmFailure } from './failure.js';
import { kubeletConfiguration } from './config/kubelet-configuration.js';
import { finishControlPlane, prepareControlPlane } from './control-plane.js';
import { readService, startService, stopService } from '../systemd/services.js';

const KUBERNETES = '/etc/kubernetes';
const AUTHORITY = `${KUBERNETES}/pki/ca.crt`;
const KUBECONFIG = `${KUBERNETES}/kubelet.conf`;
const KUBELET = '/var/lib/kubelet';
const CLIENT = `${KUBELET}/pki/kubelet-client-current.pem`;
const ETCD_DATA = '/var/lib/etcd';
const CLEANED = [`${KUBERNETES}/manifests`, KUBELET, `${KUBERNETES}/pki`];
const REMOVED = ['admin', 'super-admin', 'kubelet', 'bootstrap-kubelet', 'controller-manager', 'scheduler'].map(
  (name) => `${KUBERNETES}/${name}.conf`,
);
const GOODBYE = `
The reset process does not perform cleanup of CNI plugin configuration,
network filtering rules and kubeconfig files.

For information on how to perform this cleanup manually, please see:
    https://k8s.io/docs/reference/setup-tools/kubeadm/kubeadm-reset/

`;
const JOINED = `
This node has joined the cluster:
* Certificate signing request was sent to apiserver and a response was received.
* The Kubelet was informed of the new secure connection details.

Run 'kubectl get nodes' on the control-plane to see this node join the cluster.

`;

const WARNING =
  "[reset] WARNING: Changes made to this host by 'kubeadm init' or 'kubeadm join' will be reverted.\n" +
  '[reset] Are you sure you want to proceed? [y/N]: ';

/** Models cmd/kubeadm/app/cmd/reset.go. Left out: a worker's containers, which run on as without a kubelet. */
export function resetNode(tool: WaitingContext, options: Options): number {
  if (options.has('f', 'dry-run')) return reset(tool, options);
  const asking = tool.asking();
  readConfiguration(asking);
  if (!asking.ask(WARNING)) throw new KubeadmFailure('error: aborted reset operation');
  return reset(asking, options, true);
}

function readConfiguration(tool: ToolContext): void {
  if (diskOf(tool.sys).has(`${KUBERNETES}/manifests/kube-apiserver.yaml`))
    tool.out(readingConfiguration(tool, 'reset'));
}

function reset(tool: ToolContext, options: Options, hasRead = false): number {
  const { sys, out } = tool;
  if (options.has('dry-run')) throw new KubeadmFailure('error: "kubeadm reset --dry-run" is not simulated');
  const disk = diskOf(sys);
  const isServer = disk.has(`${KUBERNETES}/manifests/kube-apiserver.yaml`);
  if (!hasRead) readConfiguration(tool);
  out('[preflight] Running pre-flight checks\n');
  if (isServer) out(`[reset] Deleted contents of the etcd data directory: ${ETCD_DATA}\n`);
  out('[reset] Stopping the kubelet service\n');
  const service = readService(sys, disk, 'kubelet');
  if (service?.state.isActive) stopService(sys, service);
  if (isServer) writeFile(sys, RESET_FILE, '', 0o600);
  out(`[reset] Unmounting mounted directories in "${KUBELET}"\n`);
  out(`[reset] Deleting contents of directories: [${CLEANED.join(' ')}]\n`);
  if (isServer) clean(sys, ETCD_DATA);
  for (const folder of CLEANED) clean(sys, folder);
  out(`[reset] Deleting files: [${REMOVED.join(' ')}]\n`);
  for (const path of REMOVED) if (disk.has(path)) sys.unlink(path);
  out(GOODBYE);
  return 0;
}

/** Removes everything in a directory, but not the directory itself. */
function clean(sys: Syscalls, folder: Bytes): void {
  if (!sys.access(folder, '')) return;
  for (const name of sys.readDirectory(folder)) {
    const path = `${folder}/${name}`;
    if (sys.lstat(path).type !== 'directory') sys.unlink(path);
    else {
      clean(sys, path);
      sys.removeDirectory(path);
    }
  }
}

/** Models cmd/kubeadm/app/cmd/join.go for a worker. Throws ToolFailure. */
export function joinNode(tool: ToolContext, options: Options, endpoint: string | undefined): number {
  const { sys, out } = tool;
  const disk = diskOf(sys);
  out('[preflight] Running pre-flight checks\n');
  checkNode(sys);
  const info = JSON.parse(textOf(disk.read(CLUSTER_FILE) ?? '{}')) as ClusterInfo;
  discover(sys, options, info, endpoint);
  out(
    '[preflight] Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...\n' +
      "[preflight] Use 'kubeadm init phase upload-config kubeadm --config your-config-file' to re-upload it.\n",
  );
  const isServer = options.has('control-plane');
  if (isServer) prepareControlPlane(tool, info, options.value('certificate-key'));
  out(
    `[kubelet-start] Writing kubelet configuration to file "${KUBELET}/config.yaml"\n` +
      `[kubelet-start] Writing kubelet environment file with flags to file "${KUBELET}/kubeadm-flags.env"\n` +
      '[kubelet-start] Starting the kubelet\n' +
      '[kubelet-check] Waiting for a healthy kubelet at http://127.0.0.1:10248/healthz. This can take up to 4m0s\n',
  );
  writeFile(sys, AUTHORITY, bytesOf(info.authority));
  const kubeconfig = kubeletKubeconfig(info.server, encodeBase64(info.authority), sys.hostname);
  writeFile(sys, KUBECONFIG, bytesOf(kubeconfig), 0o600);
  writeFile(sys, `${KUBELET}/config.yaml`, bytesOf(kubeletConfiguration(info.kubeletConfig)));
  writeFile(sys, `${KUBELET}/kubeadm-flags.env`, bytesOf(info.flags));
  writeFile(sys, CLIENT, bytesOf(info.authority), 0o600);
  const service = readService(sys, disk, 'kubelet');
  if (service) startService(sys, disk, service);
  out('[kubelet-check] The kubelet is healthy after 501.7ms\n');
  out('[kubelet-start] Waiting for the kubelet to perform the TLS Bootstrap\n');
  if (isServer) finishControlPlane(tool, options.value('token') ?? '');
  else out(JOINED);
  return 0;
}

/** What is left of an earlier cluster keeps a node from joining. */
function checkNode(sys: Syscalls): void {
  const disk = diskOf(sys);
  const errors = [KUBECONFIG, AUTHORITY]
    .filter((path) => disk.has(path))
    .map((path) => `[ERROR FileAvailable-${path.replaceAll('/', '-')}]: ${path} already exists`);
  if (readService(sys, disk, 'kubelet')?.state.isActive) errors.push('[ERROR Port-10250]: Port 10250 is in use');
  if (errors.length === 0) return;
  throw new KubeadmFailure(
    `error: error execution phase preflight: [preflight] Some fatal errors occurred:\n\t${errors.join('\n\t')}\n` +
      '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`',
  );
}

function discover(sys: Syscalls, options: Options, info: ClusterInfo, endpoint: string | undefined): void {
  const [token, pin] = [options.value('token'), options.value('discovery-token-ca-cert-hash')];
  if (endpoint === undefined || token === undefined)
    throw new KubeadmFailure('error: discovery: Invalid value: "": bootstrapToken or file must be set');
  if (pin === undefined && !options.has('discovery-token-unsafe-skip-ca-verification'))
    throw new KubeadmFailure(
      'error: discovery.bootstrapToken: Invalid value: "": using token-based discovery without caCertHashes can be ' +
        'unsafe. Set unsafeSkipCAVerification as true in your kubeadm config file or pass ' +
        '--discovery-token-unsafe-skip-ca-verification flag to continue',
    );
  const refuse = (why: string): KubeadmFailure =>
    new KubeadmFailure(
      `error: error execution phase preflight: couldn't validate the identity of the API Server: ${why}`,
    );
  if (endpoint !== info.server.replace('https://', ''))
    throw refuse(
      'failed to request the cluster-info ConfigMap: Get "https://' +
        `${endpoint}/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s": dial tcp ${endpoint}: connect: connection refused`,
    );
  const tokens = JSON.parse(textOf(diskOf(sys).read(TOKENS_FILE) ?? '[]')) as TokenView[];
  const isValid = (one: TokenView): boolean => one.expiration === '' || Date.parse(one.expiration) > sys.now;
  if (!tokens.some((one) => one.token === token && isValid(one)))
    throw refuse(`could not find a JWS signature in the cluster-info ConfigMap for token ID "${token.split('.')[0]}"`);
  if (pin !== undefined && pin !== pinOf(bytesOf(info.authority)))
    throw refuse(
      `cluster CA found in cluster-info ConfigMap is invalid: none of the public keys "${pinOf(bytesOf(info.authority))}" are pinned`,
    );
}
