import type { Taint } from '../../../../engine/api/core_v1.js';
import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { parseVersion, type GitVersion } from '../../../../engine/machinery/releases.js';
import { DAY, SECOND, type Millis } from '../../../../engine/machinery/time/time.js';
import { formatDuration } from '../../../../engine/node/kubelet/duration.js';
import { RESET_FILE } from '../../../../engine/node/host/evaluate.js';
import { KUBELET_CONFIGURATION } from '../../../../engine/node/host/files/config-files.js';
import { ADDONS } from '../../../../engine/node/host/packages/apply-addons.js';
import { AUTHORITIES_FILE } from '../../../../engine/node/host/pki/leaves.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext, WaitingContext } from '../../framework/tool.js';
import { diskOf, writeFile } from '../disk.js';
import { readService, startService, stopService } from '../systemd/services.js';
import { readDuration } from './certs/duration.js';
import { formatClusterConfiguration, type ClusterSettings } from './config/cluster-configuration.js';
import { isListening } from './config/cluster.js';
import { KubeadmFailure } from './failure.js';
import { CONTROL_PLANE_LABELS, initDone, joinCommands, PULLING_LINES, TOKEN_LINES, waitFailure } from './init-words.js';
import { controlPlanePhase, etcdPhase, type ManifestFlags } from './manifests.js';
import { certsPhase, kubeconfigPhase, readSetting, serverOf, type Setting } from './phases.js';
import { checkInitNode } from './preflight.js';
import { send } from './requests.js';
import { checkToken, expirationAt, newToken } from './tokens.js';
import { certificateKeyOf, uploadPhase } from './upload-certs.js';

const KUBELET = '/var/lib/kubelet';
const MANIFESTS = '/etc/kubernetes/manifests';
const API_SERVER_PORT = 6_443;
const SERVICE_SUBNET = '10.96.0.0/12';
const DNS_DOMAIN = 'cluster.local';
const REPOSITORY = 'registry.k8s.io';
/** How long the steps of it take. */
const PULLING: Millis = 8 * SECOND;
const WRITING: Millis = 2 * SECOND;
const STARTING: Millis = 4 * SECOND;
const STORING: Millis = 1.5 * SECOND;
/** kubeadm's KubernetesAPICallRetryInterval, and how often it tries in 4 minutes. */
const RETRY: Millis = 500;
const MAX_TRIES = 480;
const TAINT: Taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };
const WITHHELD = '<value withheld>';

/** What one run of init goes by. */
interface Init {
  readonly tool: WaitingContext;
  readonly options: Options;
  readonly setting: Setting;
  readonly settings: ClusterSettings;
  readonly skipped: readonly string[];
}

/**
 * `kubeadm init` on a node whose cluster `kubeadm reset` has taken apart: its etcd begins empty. Models
 * cmd/kubeadm/app/cmd/init.go and its phases. Other than upstream's, authorities are those of before, and pods have the
 * ranges that their nodes had. Throws KubeadmFailure.
 */
export function initCluster(tool: WaitingContext, options: Options, version: string): number {
  const init = readInit(tool, options, version);
  const secrets = tool.once(() => ({ value: secretsOf(init), delay: 0 }));
  tool.out(`[init] Using Kubernetes version: ${init.settings.version}\n[preflight] Running pre-flight checks\n`);
  const checks = !init.skipped.includes('preflight');
  const checked = step(tool, SECOND, (quiet) => checks && checkInitNode(quiet, options));
  tool.out(checked);
  refuseOther(init);
  tool.out(PULLING_LINES);
  step(tool, PULLING, () => {});
  tool.out(step(tool, WRITING, (quiet) => writeFiles({ ...init, tool: { ...tool, ...quiet } }, version)));
  tool.out(step(tool, 0, (quiet) => startNewKubelet(quiet, init)));
  awaitControlPlane(init);
  tool.out(step(tool, STORING, (quiet) => createCluster({ ...tool, ...quiet }, init, secrets)));
  printEnd(init, secrets);
  return 0;
}

/** Does a part once, and returns its output when so much time has passed. Errors end the whole. */
function step(tool: WaitingContext, delay: Millis, run: (quiet: ToolContext) => unknown): string {
  return tool.once(() => {
    let text = '';
    run({ ...tool, out: (bytes) => (text += bytes) });
    return { value: text, delay };
  });
}

function readInit(tool: WaitingContext, options: Options, version: string): Init {
  const setting = readSetting(tool, options);
  const { configuration } = setting;
  const settings: ClusterSettings = {
    name: configuration.clusterName ?? 'kubernetes',
    version: releaseOf(options.value('kubernetes-version') ?? configuration.version, version),
    endpoint: options.value('control-plane-endpoint') ?? configuration.endpoint ?? '',
    dnsDomain: options.value('service-dns-domain') ?? configuration.dnsDomain ?? DNS_DOMAIN,
    serviceSubnet: options.value('service-cidr') ?? configuration.serviceSubnet ?? SERVICE_SUBNET,
    podSubnet: options.value('pod-network-cidr') ?? configuration.podSubnet,
    imageRepository: options.value('image-repository') ?? configuration.imageRepository ?? REPOSITORY,
    certSANs: [...configuration.certSANs, ...listOf(options.value('apiserver-cert-extra-sans'))],
    extra: configuration.extra,
  };
  const own = { ...setting, endpoint: settings.endpoint };
  return { tool, options, setting: own, settings, skipped: listOf(options.value('skip-phases')) };
}

const listOf = (text: string | undefined): string[] => (text ?? '').split(',').filter(Boolean);

/** 'stable-1', '1.36.4' and the like, as a release. Throws KubeadmFailure for one that kubeadm does not make. */
function releaseOf(asked: string | undefined, own: string): string {
  if (asked === undefined || asked.startsWith('stable') || asked.startsWith('latest')) return own;
  const release = asked.startsWith('v') ? asked : `v${asked}`;
  if (!parseVersion(release))
    throw new KubeadmFailure(
      `error: version "${asked}" doesn't match patterns for neither semantic version nor labels (stable, latest, ...)`,
    );
  const minor = (of: string): string => of.split('.', 2).join('.');
  if (minor(release) === minor(own)) return release;
  throw new KubeadmFailure(
    `error: this version of kubeadm only supports deploying clusters with the control plane version >= ${minor(own).slice(1)}.0. Current version: ${release}`,
  );
}

/** Phases that can be left out. */
const SKIPPABLE = [
  ...['preflight', 'certs', 'kubeconfig', 'etcd', 'control-plane', 'upload-certs', 'show-join-command'],
  ...['addon', ...ADDONS.map((name) => `addon/${name}`)],
];

/** What a second cluster would be, and what this one cannot be. */
function refuseOther({ tool, options, settings, skipped }: Init): void {
  const refuse = (what: string): never => {
    throw new KubeadmFailure(`error: ${what} is not simulated`);
  };
  if (options.has('dry-run')) refuse('"kubeadm init --dry-run"');
  const phase = skipped.find((one) => !SKIPPABLE.includes(one));
  if (phase !== undefined) refuse(`"kubeadm init" without its phase ${phase}`);
  if (!diskOf(tool.sys).has(AUTHORITIES_FILE))
    refuse('"kubeadm init" of a second cluster (this node has never been of the control plane)');
  if (settings.serviceSubnet !== SERVICE_SUBNET) refuse('a service CIDR of its own');
  if (settings.dnsDomain !== DNS_DOMAIN) refuse('a DNS domain of its own');
  if ((options.value('apiserver-bind-port') ?? '6443') !== '6443') refuse('another port of the API server');
}

/** Certificates, kubeconfigs and manifests. */
function writeFiles({ tool, options, settings, skipped }: Init, version: string): void {
  const flags = flagsOf(settings);
  if (!skipped.includes('certs')) certsPhase(tool, options, 'all');
  if (!skipped.includes('kubeconfig')) kubeconfigPhase(tool, options, 'all');
  if (!skipped.includes('etcd')) etcdPhase(tool, options, 'local', version);
  if (!skipped.includes('control-plane')) controlPlanePhase(tool, options, 'all', settings.version, flags);
}

/** Nodes are given ranges of the pods' network where there is one. */
const flagsOf = ({ podSubnet }: ClusterSettings): ManifestFlags =>
  podSubnet === undefined ? {} : { 'controller-manager': [['cluster-cidr', podSubnet]] };

function startNewKubelet(tool: ToolContext, { setting }: Init): void {
  const { sys, out } = tool;
  const disk = diskOf(sys);
  const service = readService(sys, disk, 'kubelet');
  if (service?.state.isActive) stopService(sys, service);
  writeFile(sys, `${KUBELET}/kubeadm-flags.env`, bytesOf(setting.info.flags));
  writeFile(sys, `${KUBELET}/config.yaml`, bytesOf(KUBELET_CONFIGURATION));
  writeFile(sys, `${KUBELET}/pki/kubelet-client-current.pem`, bytesOf(setting.info.authority), 0o600);
  if (sys.access(RESET_FILE, '')) sys.unlink(RESET_FILE);
  const stopped = readService(sys, disk, 'kubelet');
  if (stopped) startService(sys, disk, stopped);
  out(
    `[kubelet-start] Writing kubelet environment file with flags to file "${KUBELET}/kubeadm-flags.env"\n` +
      `[kubelet-start] Writing kubelet configuration to file "${KUBELET}/config.yaml"\n` +
      '[kubelet-start] Starting the kubelet\n' +
      `[wait-control-plane] Waiting for the kubelet to boot up the control plane as static Pods from directory "${MANIFESTS}"\n` +
      '[kubelet-check] Waiting for a healthy kubelet at http://127.0.0.1:10248/healthz. This can take up to 4m0s\n' +
      '[kubelet-check] The kubelet is healthy after 501.207ms\n',
  );
}

const COMPONENTS: readonly (readonly [name: string, port: number, path: string])[] = [
  ['kube-controller-manager', 10_257, 'healthz'],
  ['kube-scheduler', 10_259, 'livez'],
];

/** Models app/util/apiclient/wait.go WaitForControlPlaneComponents. Throws KubeadmFailure after four minutes. */
function awaitControlPlane({ tool, setting }: Init): void {
  const { sys, out } = tool;
  const url = `https://${setting.ip}:${API_SERVER_PORT}/livez`;
  out(
    '[control-plane-check] Waiting for healthy control plane components. This can take up to 4m0s\n' +
      `[control-plane-check] Checking kube-apiserver at ${url}\n` +
      COMPONENTS.map(
        ([name, port, path]) => `[control-plane-check] Checking ${name} at https://127.0.0.1:${port}/${path}\n`,
      ).join(''),
  );
  const begun = tool.once(() => ({ value: sys.now, delay: STARTING }));
  const after = (): string => formatDuration(sys.now - begun);
  for (let i = 0; i < MAX_TRIES; i++) {
    const isUp = isListening(sys, setting.ip, API_SERVER_PORT);
    if (!tool.once(() => ({ value: isUp, delay: isUp ? 0 : RETRY }))) continue;
    const lasted = tool.once(() => ({ value: after(), delay: 0 }));
    for (const [name] of COMPONENTS) out(`[control-plane-check] ${name} is healthy after ${lasted}\n`);
    return out(`[control-plane-check] kube-apiserver is healthy after ${lasted}\n`);
  }
  out(`[control-plane-check] kube-apiserver is not healthy after ${after()}\n${waitFailure}`);
  throw new KubeadmFailure(
    `error: error execution phase wait-control-plane: failed while waiting for the control plane to start: kube-apiserver check failed at ${url}: Get "https://${setting.ip}:${API_SERVER_PORT}/livez?timeout=10s": dial tcp ${setting.ip}:${API_SERVER_PORT}: connect: connection refused`,
  );
}

/** What others join by. `key`: where certificates are uploaded, or one is given. */
type Secrets = { readonly token: string; readonly key?: string };

function secretsOf({ tool, options, setting }: Init): Secrets {
  const given = options.value('token') ?? setting.configuration.token;
  checkToken(given);
  const key = certificateKeyOf(tool, options);
  return { token: given ?? newToken(tool), ...(key !== undefined && { key }) };
}

/** Writes to the API server what makes a cluster of it. */
function createCluster(tool: WaitingContext, init: Init, { token, key }: Secrets): void {
  const { options, setting, settings, skipped } = init;
  const { out, sys } = tool;
  const taints = setting.configuration.taints ?? [TAINT];
  const skips = (phase: string): boolean => skipped.includes(phase) || skipped.includes('addon');
  const addons = ADDONS.filter((name) => !skips(`addon/${name}`));
  const ttl = readDuration(options.value('token-ttl') ?? '24h', 'token-ttl') || DAY;
  send(
    tool,
    {
      ...{ verb: 'init', release: settings.version as GitVersion, token, expiration: expirationAt(sys.now + ttl) },
      ...{ configuration: formatClusterConfiguration(settings), kubelet: KUBELET_CONFIGURATION },
      ...{ server: serverOf(setting), taints, addons },
    },
    token,
  );
  out(
    '[upload-config] Storing the configuration used in ConfigMap "kubeadm-config" in the "kube-system" Namespace\n' +
      '[kubelet] Creating a ConfigMap "kubelet-config" in namespace kube-system with the configuration for the kubelets in the cluster\n',
  );
  if (!skipped.includes('upload-certs')) uploadPhase(tool, options, key);
  const node = setting.node;
  out(
    `[mark-control-plane] Marking the node ${node} as control-plane by adding the labels: [${CONTROL_PLANE_LABELS}]\n`,
  );
  if (taints.length > 0)
    out(
      `[mark-control-plane] Marking the node ${node} as control-plane by adding the taints [${taints.map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`).join(' ')}]\n`,
    );
  out(`[bootstrap-token] Using token: ${options.has('skip-token-print') ? WITHHELD : token}\n${TOKEN_LINES}`);
  for (const addon of addons)
    out(`[addons] Applied essential addon: ${addon === 'coredns' ? 'CoreDNS' : 'kube-proxy'}\n`);
}

function printEnd({ tool, options, settings, setting, skipped }: Init, { token, key }: Secrets): void {
  if (skipped.includes('show-join-command')) return;
  const { sys, out } = tool;
  const authority = diskOf(sys).read('/etc/kubernetes/pki/ca.crt') ?? '';
  const show = (flag: string, text: string): string => (options.has(flag) ? WITHHELD : text);
  const shown = {
    token: show('skip-token-print', token),
    ...(key !== undefined && { key: show('skip-certificate-key-print', key) }),
  };
  const server = serverOf(setting).replace('https://', '');
  const commands = joinCommands(server, shown, authority);
  out(bytesOf(textOf(initDone(commands, settings.endpoint !== '', options.has('upload-certs')))));
}
