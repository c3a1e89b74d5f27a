import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { ADMIN_KUBECONFIG } from '../../../../engine/node/host/requests.js';
import { ADDONS, type AddonName } from '../../../../engine/node/host/packages/apply-addons.js';
import { installedRelease } from '../../../../engine/node/host/packages/packages.js';
import { DEFAULT_VERSION, type GitVersion } from '../../../../engine/machinery/releases.js';
import { parseOptions, type Options } from '../../framework/options.js';
import { defineTool, type ToolContext, type WaitingContext } from '../../framework/tool.js';
import { diskOf } from '../disk.js';
import { initDefaults, joinDefaults } from './config/defaults.js';
import { runCerts, shortDuration } from './certs/certs.js';
import { pinOf } from './certs/pin.js';
import { KubeadmFailure } from './failure.js';
import { readDuration } from './certs/duration.js';
import { initCluster } from './init.js';
import { controlPlanePhase, etcdPhase } from './manifests.js';
import { certsPhase, kubeconfigPhase } from './phases.js';
import { joinNode, resetNode } from './join.js';
import { formatTable } from '../runtime.js';
import { send } from './requests.js';
import { bootstrapTokens, checkToken, expirationAt, newToken } from './tokens.js';
import { runUpgrade } from './upgrade.js';
import { certificateKeyOf, uploadPhase } from './upload-certs.js';
import { printUserKubeconfig } from './certs/user-kubeconfig.js';
import { inCobraWords } from '../cobra.js';

const OPTIONS = [
  ...[
    'v:',
    'kubeconfig:',
    'print-join-command',
    'ttl:',
    'description:',
    'o,output:',
    'cert-dir:',
    'config:',
    'usages:',
    'client-name:',
    'org:',
    'validity-period:',
    'csr-only',
    'csr-dir:',
    'use-api',
  ],
  ...[
    'kubernetes-version:',
    'groups:',
    'certificate-key:',
    'rootfs:',
    'f,force',
    'token:',
    'control-plane',
    'upload-certs',
    'apiserver-advertise-address:',
  ],
  ...['discovery-token-ca-cert-hash:', 'discovery-token-unsafe-skip-ca-verification', 'cri-socket:', 'node-name:'],
  ...[
    'y,yes',
    'dry-run',
    'etcd-upgrade:',
    'certificate-renewal:',
    'patches:',
    'ignore-preflight-errors:',
    'print-config',
  ],
  ...['pod-network-cidr:', 'service-cidr:', 'service-dns-domain:', 'control-plane-endpoint:', 'image-repository:'],
  ...['apiserver-bind-port:', 'apiserver-cert-extra-sans:', 'skip-token-print', 'skip-certificate-key-print'],
  ...['apiserver-extra-args:', 'controller-manager-extra-args:', 'scheduler-extra-args:', 'kubeconfig-dir:'],
  ...['token-ttl:', 'cleanup-tmp-dir', 'force-cleanup'],
  ...['allow-experimental-upgrades', 'allow-release-candidate-upgrades', 'skip-phases:', 'feature-gates:'],
];
const PKI = '/etc/kubernetes/pki';
/** Phases that have parts. */
const PHASES: Readonly<Record<string, string>> = {
  certs:
    'all, ca, apiserver, apiserver-kubelet-client, front-proxy-ca, front-proxy-client, etcd-ca, etcd-server, ' +
    'etcd-peer, etcd-healthcheck-client, apiserver-etcd-client, sa',
  kubeconfig: 'all, admin, super-admin, kubelet, controller-manager, scheduler',
  'control-plane': 'all, apiserver, controller-manager, scheduler',
  etcd: 'local',
  addon: 'all, coredns, kube-proxy',
};

/** Models kubeadm. Left out: a second cluster beside the one that its node is, or was, of. */
export const kubeadm = defineTool((tool) => {
  try {
    return run(
      tool,
      inCobraWords(
        () => parseOptions(tool, OPTIONS),
        (message) => new KubeadmFailure(message),
      ),
    );
  } catch (error) {
    if (!(error instanceof KubeadmFailure)) throw error;
    tool.err(bytesOf(`${error.message}\nTo see the stack trace of this error execute with --v=5 or higher\n`));
    return error.code;
  }
});

function run(tool: WaitingContext, options: Options): number {
  const [first = '', second = '', ...rest] = options.operands;
  if (first === 'reset') return resetNode(tool, options);
  if (first === 'join') return joinNode(tool, options, options.operands[1]);
  if (first === 'upgrade') return runUpgrade(tool, options, options.operands.slice(1));
  if (first === 'certs') return runCerts(tool, options, options.operands.slice(1));
  if (first === 'init' && second !== 'phase') return initCluster(tool, options, versionOf(tool));
  switch (`${first} ${second}`.trim()) {
    case 'version':
      tool.out(
        options.value('o') === 'short'
          ? `${versionOf(tool)}\n`
          : `kubeadm version: &version.Info{Major:"1", Minor:"${versionOf(tool).split('.')[1]}", GitVersion:"${versionOf(tool)}", GitTreeState:"clean", Compiler:"gc", Platform:"linux/amd64"}\n`,
      );
      return 0;
    case 'token create':
      return createToken(tool, options, rest[0]);
    case 'token list':
      return listTokens(tool);
    case 'token delete':
      return deleteToken(tool, rest[0]);
    case 'token generate':
      tool.out(`${newToken(tool)}\n`);
      return 0;
    case 'init phase':
      return initPhase(tool, options, rest[0], rest[1]);
    case 'kubeconfig user':
      return printUserKubeconfig(tool, options);
    case 'config print':
      return printDefaults(tool, rest[0]);
    case 'config images':
      return listImages(tool, rest[0]);
  }
  if (['init', 'join', 'reset', 'upgrade', 'config', 'certs', 'token', 'kubeconfig'].includes(first))
    throw new KubeadmFailure(`error: "kubeadm ${[first, second].filter(Boolean).join(' ')}" is not simulated`);
  throw new KubeadmFailure(`error: unknown command "${first}" for "kubeadm"`);
}

/** The release of kubeadm's package. */
const versionOf = ({ sys }: ToolContext): string => installedRelease(diskOf(sys), 'kubeadm') ?? DEFAULT_VERSION;

function requireAdmin({ sys }: ToolContext): void {
  if (!diskOf(sys).has(ADMIN_KUBECONFIG))
    throw new KubeadmFailure(`failed to load admin kubeconfig: open ${ADMIN_KUBECONFIG}: no such file or directory`);
}

/** How long the API server takes to store a token: what comes after may use it. */
const STORING = 300;

function createToken(tool: WaitingContext, options: Options, given: string | undefined): number {
  requireAdmin(tool);
  checkToken(given);
  const ttl = readDuration(options.value('ttl') ?? '24h', 'ttl');
  const expiration = ttl === 0 ? undefined : expirationAt(tool.sys.now + ttl);
  const token = tool.once(() => {
    const value = given ?? newToken(tool);
    send(tool, { verb: 'create', token: value, expiration, description: options.value('description') }, value);
    return { value, delay: STORING };
  });
  const key = options.value('certificate-key');
  const asServer = key === undefined ? '' : `--control-plane --certificate-key ${key}`;
  tool.out(options.has('print-join-command') ? `${joinCommand(tool, token)}${asServer}\n` : `${token}\n`);
  return 0;
}

function joinCommand({ sys }: ToolContext, token: string): string {
  const disk = diskOf(sys);
  const server = /server: https:\/\/(\S+)/.exec(textOf(disk.read(ADMIN_KUBECONFIG) ?? ''))?.[1] ?? '';
  const authority = disk.read(`${PKI}/ca.crt`) ?? '';
  return `kubeadm join ${server} --token ${token} --discovery-token-ca-cert-hash ${pinOf(authority)} `;
}

/** Of the phases of `kubeadm init` those that are run on a cluster which is there. */
function initPhase(tool: ToolContext, options: Options, phase: string | undefined, name: string | undefined): number {
  const known = phase === undefined ? undefined : PHASES[phase];
  if (known && name === undefined)
    throw new KubeadmFailure(`error: "kubeadm init phase ${phase}" needs one of: ${known}`);
  switch (phase) {
    case 'certs':
      return certsPhase(tool, options, name ?? '');
    case 'kubeconfig':
      return kubeconfigPhase(tool, options, name ?? '');
    case 'control-plane':
      return controlPlanePhase(tool, options, name ?? '', versionOf(tool));
    case 'etcd':
      return etcdPhase(tool, options, name ?? '', versionOf(tool));
    case 'upload-certs':
      requireAdmin(tool);
      uploadPhase(tool, options, certificateKeyOf(tool, options));
      return 0;
    case 'addon':
      return addonPhase(tool, name ?? '');
    default:
      throw new KubeadmFailure(`error: "kubeadm init phase ${phase ?? ''}" is not simulated`);
  }
}

const ADDON_TITLES: Readonly<Record<AddonName, string>> = { coredns: 'CoreDNS', 'kube-proxy': 'kube-proxy' };

/** `kubeadm init phase addon`: what somebody has deleted or changed comes back. */
function addonPhase(tool: ToolContext, name: string): number {
  requireAdmin(tool);
  const addons = ADDONS.filter((one) => name === 'all' || name === one);
  if (addons.length === 0) throw new KubeadmFailure(`invalid subcommand "${name}"`);
  send(tool, { verb: 'addon', addons, release: versionOf(tool) as GitVersion }, name);
  for (const addon of addons) tool.out(`[addons] Applied essential addon: ${ADDON_TITLES[addon]}\n`);
  return 0;
}

function listTokens(tool: ToolContext): number {
  requireAdmin(tool);
  const tokens = bootstrapTokens(tool);
  if (tokens.length === 0) return 0;
  const left = (expiration: string): string =>
    expiration === '' ? '<forever>' : shortDuration(Date.parse(expiration) - tool.sys.now);
  const rows = tokens.map((t) => [
    t.token,
    left(t.expiration),
    t.expiration || '<never>',
    t.usages.join(',') || '<none>',
    t.description || '<none>',
    t.groups || '<none>',
  ]);
  const header = ['TOKEN', 'TTL', 'EXPIRES', 'USAGES', 'DESCRIPTION', 'EXTRA GROUPS'];
  tool.out(bytesOf(formatTable([header, ...rows], 0, 3)));
  return 0;
}

function deleteToken(tool: ToolContext, given: string | undefined): number {
  requireAdmin(tool);
  if (given === undefined) throw new KubeadmFailure('missing argument; "token delete" is missing token');
  const id = given.split('.')[0]!;
  const tokens = bootstrapTokens(tool);
  const found = tokens.find(({ token }) => token.startsWith(`${id}.`));
  if (!found)
    throw new KubeadmFailure(`failed to delete bootstrap token "${id}": secrets "bootstrap-token-${id}" not found`);
  send(tool, { verb: 'delete', token: found.token }, found.token);
  tool.out(`bootstrap token "${id}" deleted\n`);
  return 0;
}

function printDefaults(tool: ToolContext, which: string | undefined): number {
  switch (which) {
    case 'init-defaults':
      tool.out(initDefaults(versionOf(tool)));
      return 0;
    case 'join-defaults':
      tool.out(joinDefaults(tool.sys.hostname));
      return 0;
    default:
      throw new KubeadmFailure(`error: "kubeadm config print ${which ?? ''}" is not simulated`);
  }
}

function listImages(tool: ToolContext, verb: string | undefined): number {
  if (verb !== 'list' && verb !== 'pull') throw new KubeadmFailure('error: "kubeadm config images" needs list or pull');
  const version = versionOf(tool);
  const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kube-proxy'];
  const images = [
    ...components.map((c) => `${c}:${version}`),
    'coredns/coredns:v1.13.1',
    'pause:3.10.1',
    'etcd:3.6.8-0',
  ];
  for (const image of images) tool.out(`${verb === 'pull' ? '[config/images] Pulled ' : ''}registry.k8s.io/${image}\n`);
  return 0;
}
