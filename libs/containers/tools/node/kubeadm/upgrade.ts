import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { parseVersion, RELEASES } from '../../../../engine/machinery/releases.js';
import { installedRelease } from '../../../../engine/node/host/packages/packages.js';
import { CLUSTER_FILE, type ClusterInfo, tagOf } from '../../../../engine/node/host/views/releases-view.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext, WaitingContext } from '../../framework/tool.js';
import { diskOf, writeFile } from '../disk.js';
import { formatTable } from '../runtime.js';
import { isServerUp } from './config/cluster.js';
import { KubeadmFailure } from './failure.js';
import { findSigner, renewLeaf } from './certs/issue.js';
import { kubeletConfiguration } from './config/kubelet-configuration.js';
import { fileOf, MANAGED } from './certs/leaves.js';
import { send } from './requests.js';

const MANIFESTS = '/etc/kubernetes/manifests';
const TEMPORARY = '/etc/kubernetes/tmp';
const CONFIG = '/var/lib/kubelet/config.yaml';
const LINE = '_____________________________________________________________________\n';

/** The components of a release, and the certificates that are renewed with each. */
const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  'kube-apiserver': ['apiserver', 'apiserver-kubelet-client', 'front-proxy-client', 'apiserver-etcd-client'],
  'kube-controller-manager': ['controller-manager.conf'],
  'kube-scheduler': ['scheduler.conf'],
};

/** What an upgrade goes by. */
interface Releases extends ClusterInfo {
  /** Of kubeadm itself. */
  readonly own: string;
}

/** Models cmd/kubeadm/app/cmd/upgrade. Left out: diff, configuration files, feature gates, another minor release. */
export function runUpgrade(tool: WaitingContext, options: Options, words: readonly string[]): number {
  const [command = '', target] = words;
  if (!['plan', 'apply', 'node'].includes(command)) throw new KubeadmFailure(`invalid subcommand: "${command}"`);
  const isNode = command === 'node';
  const isWorker = !diskOf(tool.sys).has(`${MANIFESTS}/kube-apiserver.yaml`);
  if (isWorker && !isNode)
    throw new KubeadmFailure(
      'couldn\'t create a Kubernetes client from file "/etc/kubernetes/admin.conf": failed to load admin kubeconfig: open /etc/kubernetes/admin.conf: no such file or directory',
    );
  if (isNode) return upgradeNode(tool, options, isWorker, target === 'phase' ? (words[2] ?? '') : undefined);
  if (command === 'plan') return plan(tool, target);
  if (target === undefined && !options.has('config'))
    throw new KubeadmFailure('missing one or more required arguments. Required arguments: [version]');
  if (options.has('y', 'f', 'dry-run')) return apply(tool, options, target ?? '');
  const asking = tool.asking();
  return apply(asking, options, target ?? '', () => asking.ask('[upgrade] Are you sure you want to proceed? [y/N]: '));
}

function readReleases({ sys }: ToolContext): Releases {
  const disk = diskOf(sys);
  const info = JSON.parse(textOf(disk.read(CLUSTER_FILE) ?? '{}')) as ClusterInfo;
  return { ...info, own: installedRelease(disk, 'kubeadm') ?? info.release };
}

/** `looks`: whether the API server is on this node, and may be down. */
function readConfiguration(tool: ToolContext, prefix: string, looks = true): Releases {
  tool.out(`[${prefix}] Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...\n`);
  if (looks && !isServerUp(tool))
    throw new KubeadmFailure(
      `[${prefix}] FATAL: failed to get config map: Get "https://control-plane:6443/api/v1/namespaces/kube-system/configmaps/kubeadm-config?timeout=10s": connect: connection refused`,
    );
  tool.out(`[${prefix}] Use 'kubeadm init phase upload-config kubeadm --config your-config-file' to re-upload it.\n`);
  return readReleases(tool);
}

const patchOf = (release: string): number => Number(release.split('.')[2]);
const minorOf = (release: string): string => release.split('.', 2).join('.');

/** The newest patch of a release's minor. */
const latestOf = (release: string): string =>
  RELEASES.filter(({ gitVersion }) => minorOf(gitVersion) === minorOf(release)).at(-1)?.gitVersion ?? release;

function plan(tool: ToolContext, wanted: string | undefined): number {
  tool.out('[preflight] Running pre-flight checks.\n');
  const found = readConfiguration(tool, 'upgrade/config');
  const latest = latestOf(found.release);
  const target = wanted === undefined ? latest : normalize(wanted);
  tool.out('[upgrade] Running cluster health checks\n[upgrade] Fetching available versions to upgrade to\n');
  tool.out(
    `[upgrade/versions] Cluster version: ${found.release.slice(1)}\n[upgrade/versions] kubeadm version: ${found.own}\n`,
  );
  tool.out(`[upgrade/versions] Target version: ${target}\n`);
  if (wanted === undefined)
    tool.out(`[upgrade/versions] Latest version in the ${minorOf(found.release)} series: ${latest}\n`);
  tool.out('\n');
  if (patchOf(target) <= patchOf(found.release)) {
    const isCurrent = found.nodes.every(({ kubelet }) => kubelet === target);
    if (!isCurrent) printKubelets(tool, found, target);
    else tool.out("Awesome, you're up-to-date! Enjoy!\n");
  } else printTarget(tool, found, target);
  printConfigs(tool);
  return 0;
}

/** As go's tabwriter with the padding of kubeadm. */
const table = (rows: readonly (readonly string[])[]): string => formatTable(rows, 10, 3);

function printKubelets(tool: ToolContext, { nodes }: Releases, target: string): void {
  const old = nodes.filter(({ kubelet }) => kubelet !== target);
  if (old.length === 0) return;
  tool.out(
    "Components that must be upgraded manually after you have upgraded the control plane with 'kubeadm upgrade apply':\n",
  );
  const rows = old.map(({ name, kubelet }) => ['kubelet', name, kubelet, target]);
  tool.out(`${table([['COMPONENT', 'NODE', 'CURRENT', 'TARGET'], ...rows])}\n`);
}

function printTarget(tool: ToolContext, found: Releases, target: string): void {
  printKubelets(tool, found, target);
  tool.out(`Upgrade to the latest version in the ${minorOf(found.release)} series:\n\n`);
  const servers = found.nodes.filter(({ controlPlane }) => controlPlane !== undefined);
  const dns = tagOf(found.dnsImage);
  const rows = [
    ...Object.keys(COMPONENTS).flatMap((component) =>
      servers.map(({ name, controlPlane = '' }) => [component, name, controlPlane, target]),
    ),
    ['kube-proxy', '', found.release.slice(1), target],
    ['CoreDNS', '', dns, dns],
    ...servers.map(({ name }) => ['etcd', name, ETCD, ETCD]),
  ];
  tool.out(table([['COMPONENT', 'NODE', 'CURRENT', 'TARGET'], ...rows]));
  tool.out(
    `\nYou can now apply the upgrade by executing the following command:\n\n\tkubeadm upgrade apply ${target}\n\n`,
  );
  if (patchOf(found.own) < patchOf(target))
    tool.out(`Note: Before you can perform this upgrade, you have to update kubeadm to ${target}.\n\n`);
  tool.out(`${LINE}\n`);
}

const ETCD = '3.6.8-0';

function printConfigs(tool: ToolContext): void {
  tool.out(
    '\nThe table below shows the current state of component configs as understood by this version of kubeadm.\n' +
      'Configs that have a "yes" mark in the "MANUAL UPGRADE REQUIRED" column require manual config upgrade or\n' +
      'resetting to kubeadm defaults before a successful upgrade can be performed. The version to manually\n' +
      'upgrade to is denoted in the "PREFERRED VERSION" column.\n\n',
  );
  tool.out(
    table([
      ['API GROUP', 'CURRENT VERSION', 'PREFERRED VERSION', 'MANUAL UPGRADE REQUIRED'],
      ['kubeproxy.config.k8s.io', 'v1alpha1', 'v1alpha1', 'no'],
      ['kubelet.config.k8s.io', 'v1beta1', 'v1beta1', 'no'],
    ]),
  );
  tool.out(`${LINE}\n`);
}

/** 'v1.36.4' of '1.36.4' and of 'v1.36.4'. Throws KubeadmFailure. */
function normalize(text: string): string {
  const version = text.startsWith('v') ? text : `v${text}`;
  if (/^v\d+\.\d+\.\d+$/.test(version)) return version;
  throw new KubeadmFailure(`couldn't parse version "${text}": illegal version string "${text}"`);
}

/** Models app/phases/upgrade/policy.go EnforceVersionPolicies. */
function checkTarget(target: string, found: Releases, isForced: boolean): void {
  const minor = (release: string): number => Number(release.split('.')[1]);
  const invalid = (errors: string, end: string, kind: string): KubeadmFailure =>
    new KubeadmFailure(
      `error: error execution phase preflight: the version argument is invalid due to these ${kind}errors:\n\n\t- ${errors}\n\n${end}`,
    );
  const fatal = (error: string): KubeadmFailure =>
    invalid(error, 'Please fix the misalignments highlighted above and try upgrading again', 'fatal ');
  if (minor(target) > minor(found.own))
    throw fatal(
      `Specified version to upgrade to "${target}" is at least one minor release higher than the kubeadm minor release (${minor(target)} > ${minor(found.own)}). Such an upgrade is not supported`,
    );
  if (minor(target) < minor(found.release))
    throw fatal(`Specified version to downgrade to "${target}" is not simulated: the cluster is of ${found.release}`);
  if (patchOf(target) > patchOf(found.own) && !isForced)
    throw invalid(
      `Specified version to upgrade to "${target}" is higher than the kubeadm version "${found.own}". Upgrade kubeadm first using the tool you used to install kubeadm`,
      'Can be bypassed if you pass the --force flag',
      '',
    );
}

function checkImages(target: string): void {
  if (parseVersion(target)) return;
  const errors = [...Object.keys(COMPONENTS), 'kube-proxy'].map((component) => {
    const image = `registry.k8s.io/${component}:${target}`;
    return `\t[ERROR ImagePull]: failed to pull image ${image}: failed to pull image ${image}: rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve image: ${image}: not found`;
  });
  throw new KubeadmFailure(
    `error: error execution phase preflight: [preflight] Some fatal errors occurred:\n${errors.join('\n')}\n` +
      '[preflight] If you know what you are doing, you can make a check non-fatal with `--ignore-preflight-errors=...`',
  );
}

function apply(tool: ToolContext, options: Options, wanted: string, confirm?: () => boolean): number {
  const found = readConfiguration(tool, 'upgrade');
  const target = normalize(wanted);
  tool.out('[upgrade/preflight] Running preflight checks\n[upgrade] Running cluster health checks\n');
  tool.out(`[upgrade/preflight] You have chosen to upgrade the cluster version to "${target}"\n`);
  tool.out(`[upgrade/versions] Cluster version: ${found.release}\n[upgrade/versions] kubeadm version: ${found.own}\n`);
  checkTarget(target, found, options.has('f'));
  if (confirm && !confirm())
    throw new KubeadmFailure(
      "error: error execution phase preflight: won't proceed; the user didn't answer (Y|y) in order to continue",
    );
  if (options.has('dry-run')) {
    tool.out(`[dryrun] Would pull the required images (like 'kubeadm config images pull')\n`);
    tool.out(`[dryrun] Would upgrade your static Pod-hosted control plane to version "${target}"\n`);
    tool.out('[upgrade/successful] Finished dryrunning successfully!\n');
    return 0;
  }
  tool.out('[upgrade/preflight] Pulling images required for setting up a Kubernetes cluster\n');
  tool.out('[upgrade/preflight] This might take a minute or two, depending on the speed of your internet connection\n');
  tool.out("[upgrade/preflight] You can also perform this action beforehand using 'kubeadm config images pull'\n");
  checkImages(target);
  upgradeControlPlane(tool, target, !options.values('certificate-renewal').includes('false'));
  send(tool, { verb: 'upgrade', release: target }, target);
  tool.out(
    '[upload-config] Storing the configuration used in ConfigMap "kubeadm-config" in the "kube-system" Namespace\n' +
      '[kubelet] Creating a ConfigMap "kubelet-config" in namespace kube-system with the configuration for the kubelets in the cluster\n' +
      '[upgrade/kubeconfig] The kubeconfig files for this node were successfully upgraded!\n',
  );
  writeKubeletConfig(tool, found.kubeletConfig, false);
  tool.out(
    '[upgrade/bootstrap-token] Configuring bootstrap token and cluster-info RBAC rules\n' +
      '[bootstrap-token] Configured RBAC rules to allow Node Bootstrap tokens to get nodes\n' +
      '[bootstrap-token] Configured RBAC rules to allow Node Bootstrap tokens to post CSRs in order for nodes to get long term certificate credentials\n' +
      '[bootstrap-token] Configured RBAC rules to allow the csrapprover controller automatically approve CSRs from a Node Bootstrap Token\n' +
      '[bootstrap-token] Configured RBAC rules to allow certificate rotation for all node client certificates in the cluster\n' +
      '[addons] Applied essential addon: CoreDNS\n[addons] Applied essential addon: kube-proxy\n\n' +
      `[upgrade] SUCCESS! A control plane node of your cluster was upgraded to "${target}".\n\n` +
      '[upgrade] Now please proceed with upgrading the rest of the nodes by following the right order.\n',
  );
  return 0;
}

/** '2026-11-23-16-44-05'. */
const stamp = ({ sys }: ToolContext): string => new Date(sys.now).toISOString().slice(0, 19).replace(/[T:]/g, '-');
const suffix = ({ sys }: ToolContext): string => String(Math.floor(sys.random() * 4_000_000_000));

function makeDirectories({ sys }: ToolContext, ...paths: readonly string[]): void {
  for (const path of paths) if (!sys.access(path, '')) sys.makeDirectory(path, 0o700);
}

/** Models app/phases/upgrade/staticpods.go. */
function upgradeControlPlane(tool: ToolContext, target: string, renews: boolean): void {
  const { sys, out } = tool;
  const disk = diskOf(sys);
  out(
    `[upgrade/control-plane] Upgrading your static Pod-hosted control plane to version "${target}" (timeout: 5m0s)...\n` +
      `[upgrade/staticpods] Writing new Static Pod manifests to "${TEMPORARY}/kubeadm-upgraded-manifests${suffix(tool)}"\n` +
      '[upgrade/staticpods] Preparing for "etcd" upgrade\n' +
      '[upgrade/staticpods] Current and new manifests of etcd are equal, skipping upgrade\n' +
      '[upgrade/etcd] Waiting for etcd to become available\n',
  );
  const backup = `${TEMPORARY}/kubeadm-backup-manifests-${stamp(tool)}`;
  makeDirectories(tool, TEMPORARY, backup);
  for (const [component, certificates] of Object.entries(COMPONENTS)) {
    out(`[upgrade/staticpods] Preparing for "${component}" upgrade\n`);
    if (renews) renewAll(tool, certificates);
    const path = `${MANIFESTS}/${component}.yaml`;
    const old = textOf(disk.read(path) ?? '');
    const made = withImage(old, component, target);
    if (made === old) {
      out(`[upgrade/staticpods] Current and new manifests of ${component} are equal, skipping upgrade\n`);
      continue;
    }
    writeFile(sys, `${backup}/${component}.yaml`, bytesOf(old), 0o600);
    writeFile(sys, path, bytesOf(made), 0o600);
    out(
      `[upgrade/staticpods] Moving new manifest to "${path}" and backing up old manifest to "${backup}/${component}.yaml"\n` +
        '[upgrade/staticpods] Waiting for the kubelet to restart the component\n' +
        '[upgrade/staticpods] This can take up to 5m0s\n' +
        `[apiclient] Found 1 Pods for label selector component=${component}\n` +
        `[upgrade/staticpods] Component "${component}" upgraded successfully!\n`,
    );
  }
  out('[upgrade/control-plane] The control plane instance for this node was successfully upgraded!\n');
}

const withImage = (manifest: string, component: string, release: string): string =>
  manifest.replace(
    new RegExp(`^( *image: *\\S*/${component}):\\S+$`, 'm'),
    (_line: string, image: string) => `${image}:${release}`,
  );

function renewAll(tool: ToolContext, names: readonly string[]): void {
  const disk = diskOf(tool.sys);
  for (const leaf of MANAGED.filter(({ name }) => names.includes(name))) {
    const signer = disk.has(fileOf(leaf)) ? findSigner(tool, leaf.authority) : undefined;
    if (!signer) continue;
    tool.out(`[upgrade/staticpods] Renewing ${leaf.name} certificate\n`);
    renewLeaf(tool, leaf, signer);
  }
}

/** Models app/phases/upgrade/postupgrade.go WriteKubeletConfigFiles. */
function writeKubeletConfig(tool: ToolContext, configured: string, isDryRun: boolean): void {
  const { sys, out } = tool;
  const content = kubeletConfiguration(configured);
  const folder = `${TEMPORARY}/kubeadm-kubelet-config-${stamp(tool)}`;
  const done = '[upgrade/kubelet-config] The kubelet configuration for this node was successfully upgraded!\n';
  if (isDryRun) {
    const shown = content.replace(/^(?=.)/gm, '\t');
    out(`[dryrun] Would back up kubelet config file to ${folder}/config.yaml\n`);
    return out(bytesOf(`[dryrun] Would write file "${CONFIG}" with content:\n${shown}${done}`));
  }
  makeDirectories(tool, TEMPORARY, folder);
  writeFile(sys, `${folder}/config.yaml`, diskOf(sys).read(CONFIG) ?? '');
  writeFile(sys, CONFIG, bytesOf(content));
  out(`[upgrade] Backing up kubelet config file to ${folder}/config.yaml\n`);
  out(`[kubelet-start] Writing kubelet configuration to file "${CONFIG}"\n${done}`);
}

const ADDONS = ['coredns', 'kube-proxy'];
const NODE_PHASES = ['preflight', 'control-plane', 'kubeconfig', 'kubelet-config', 'addon'];

/** Models cmd/kubeadm/app/cmd/upgrade/node.go; `phase`: this one alone. */
function upgradeNode(tool: ToolContext, options: Options, isWorker: boolean, phase: string | undefined): number {
  if (phase !== undefined && !NODE_PHASES.includes(phase)) throw new KubeadmFailure(`invalid subcommand: "${phase}"`);
  const { release, kubeletConfig } = readConfiguration(tool, 'upgrade', !isWorker);
  const [isDryRun, skipped] = [options.has('dry-run'), (options.value('skip-phases') ?? '').split(',')];
  const runs = (one: string): boolean => (phase === undefined || phase === one) && !skipped.includes(one);
  const skip = (label: string, what = 'phase'): void =>
    tool.out(`[upgrade/${label}] Skipping ${what}. Not a control plane node.\n`);
  if (runs('preflight')) {
    tool.out('[upgrade/preflight] Running pre-flight checks\n');
    if (isWorker) skip('preflight', 'prepull');
  }
  if (runs('control-plane'))
    if (isWorker) skip('control-plane');
    else if (isDryRun)
      tool.out(`[dryrun] Would upgrade your static Pod-hosted control plane to version "${release}"\n`);
    else upgradeControlPlane(tool, release, true);
  if (runs('kubeconfig'))
    if (isWorker) skip('kubeconfig');
    else tool.out('[upgrade/kubeconfig] The kubeconfig files for this node were successfully upgraded!\n');
  if (runs('kubelet-config')) writeKubeletConfig(tool, kubeletConfig, isDryRun);
  const why = isWorker ? 'Not a control plane node.' : 'It is of another control plane node.';
  if (runs('addon'))
    for (const addon of ADDONS) tool.out(`[upgrade/addon] Skipping the addon/${addon} phase. ${why}\n`);
  return 0;
}
