import type { Node, Pod } from '../../../../engine/api/core_v1.js';
import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { formatManifest } from '../../../../engine/node/host/files/node-files.js';
import { defaultManifests } from '../../../../engine/node/kubelet/pod/manifests.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import { writeFile } from '../disk.js';
import { KubeadmFailure } from './failure.js';
import type { ExtraFlags } from './config/init-configuration.js';
import { readSetting } from './phases.js';

const MANIFESTS = '/etc/kubernetes/manifests';
/** By what the phases call them: the static pod, the option and the configuration's field of its flags. */
const COMPONENTS: Readonly<Record<string, readonly [pod: string, option: string, field: string]>> = {
  apiserver: ['kube-apiserver', 'apiserver-extra-args', 'apiServer'],
  'controller-manager': ['kube-controller-manager', 'controller-manager-extra-args', 'controllerManager'],
  scheduler: ['kube-scheduler', 'scheduler-extra-args', 'scheduler'],
};

/** Flags beside those of each cluster, by what the phases call the components. */
export type ManifestFlags = Readonly<Record<string, ExtraFlags>>;

/** `kubeadm init phase control-plane NAME`. Models cmd/kubeadm/app/phases/controlplane/manifests.go. */
export function controlPlanePhase(
  tool: ToolContext,
  options: Options,
  name: string,
  version: string,
  own: ManifestFlags = {},
): number {
  const chosen = name === 'all' ? Object.keys(COMPONENTS) : Object.keys(COMPONENTS).filter((one) => one === name);
  if (chosen.length === 0) throw new KubeadmFailure(`invalid subcommand: "${name}"`);
  const { configuration } = readSetting(tool, options);
  if (name === 'all') tool.out(`[control-plane] Using manifest folder "${MANIFESTS}"\n`);
  for (const one of chosen) {
    const [pod, option, field] = COMPONENTS[one]!;
    tool.out(`[control-plane] Creating static Pod manifest for "${pod}"\n`);
    const extra = [...(own[one] ?? []), ...(configuration.extra[field] ?? []), ...parseFlags(options.values(option))];
    write(tool, options, pod, extra, version);
  }
  return 0;
}

/** `kubeadm init phase etcd local`. Models cmd/kubeadm/app/phases/etcd/local.go. */
export function etcdPhase(tool: ToolContext, options: Options, name: string, version: string): number {
  if (name !== 'local') throw new KubeadmFailure(`invalid subcommand: "${name}"`);
  const { configuration } = readSetting(tool, options);
  tool.out(`[etcd] Creating static Pod manifest for local etcd in "${MANIFESTS}"\n`);
  write(tool, options, 'etcd', configuration.extra['etcd'] ?? [], version);
  return 0;
}

/** 'a=b,c=d' */
const parseFlags = (values: readonly string[]): ExtraFlags =>
  values
    .flatMap((value) => value.split(','))
    .filter((pair) => pair.includes('='))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);

function write(tool: ToolContext, options: Options, name: string, extra: ExtraFlags, version: string): void {
  const { node, ip } = readSetting(tool, options);
  const of = {
    metadata: { name: node },
    spec: {},
    status: { addresses: [{ type: 'InternalIP', address: ip }], nodeInfo: { kubeletVersion: version } },
  } as unknown as Node;
  const pod = defaultManifests(of).find(([, one]) => one.metadata.name === name)![1];
  writeFile(tool.sys, `${MANIFESTS}/${name}.yaml`, bytesOf(formatManifest(withFlags(pod, extra))), 0o600);
}

/** A flag that is given takes the place of kubeadm's own. They stand in the order of their names, then. */
export function withFlags(pod: Pod, extra: ExtraFlags): Pod {
  const [container] = pod.spec.containers;
  if (!container || extra.length === 0) return pod;
  const [program = '', ...flags] = container.command ?? [];
  const nameOf = (flag: string): string => flag.split('=')[0]!;
  const given = new Map(extra.map(([flag, value]) => [`--${flag}`, `--${flag}=${value}`]));
  const others = flags.filter((flag) => !given.has(nameOf(flag)));
  const all = [...others, ...given.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { ...pod, spec: { ...pod.spec, containers: [{ ...container, command: [program, ...all] }] } };
}
