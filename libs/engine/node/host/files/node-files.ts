import { CGROUPS } from '../disk/cgroup-folders.js';
import { NETNS } from '../../network/namespaces.js';
import { stringify } from 'yaml';
import type { Node } from '../../../api/core_v1.js';
import { bytesOf, textOf } from '../../../kernel/bytes.js';
import type { FileNode, ImageFiles } from '../../../kernel/files/file.js';
import { FileTree } from '../../../kernel/files/tree.js';
import { ConfigMaps } from '../../../kinds/index.js';
import { findHost, listHosts } from '../../../kinds/terrarium/noderuntime/hosts.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import type { Reader } from '../../../machinery/client.js';
import type { FlowRecord } from '../../../machinery/questions/flow.js';
import { DEFAULT_VERSION } from '../../../machinery/releases.js';
import { parseTimestamp } from '../../../machinery/time/time.js';
import { readRows } from '../../cri/records/file-record.js';
import { digestOf } from '../../digest.js';
import { secondRangeOf } from '../../dualstack/addresses.js';
import { internalIPOf } from '../../kubelet/nodestatus/internal-ip.js';
import { agentFiles } from '../../cni/agent-files.js';
import { CILIUM_STATE_FILE, viewCilium } from '../../cni/cilium/view.js';
import { CiliumNodes } from '../../cni/cilium/objects.js';
import { ciliumEnforcement } from '../../policy/index.js';
import { defaultManifests } from '../../kubelet/pod/manifests.js';
import * as config from './config-files.js';
import { TreeDisk } from './disk.js';
import { viewAudit } from '../views/audit-view.js';
import { ETCD_FILE, viewRegistry } from '../views/registry-view.js';
import { KUBELET_LOG_FILE, viewKubeletLog } from '../views/kubelet-log.js';
import { LOGS_FILE, RUNTIME_FILE, viewRuntime } from '../views/runtime-view.js';
import { PROCESSES_FILE, viewProcesses } from '../views/process-view.js';
import { CLUSTER_FILE, type ClusterInfo, viewReleases } from '../views/releases-view.js';
import { TOKENS_FILE, viewTokens } from '../views/tokens-view.js';
import { asInstalled } from '../packages/as-installed.js';
import { binaryPath, binarySize } from '../packages/binaries.js';
import {
  formatPackages,
  installedPackages,
  RELEASE_PACKAGES,
  PACKAGES_FILE,
  SOURCES_FILE,
} from '../packages/packages.js';
import { Credentials, pem } from '../pki/credentials.js';
import type { KeyPair, NodeIssuer } from '../pki/issuer.js';
import { AUTHORITIES_FILE, AUTHORITY_FILES, leavesOf, PKI } from '../pki/leaves.js';
import { SERVING_FILE, servingPair } from '../pki/serving-request.js';
import { readLater } from '../../../kernel/files/lazy-file.js';

/** The image whose files a node's disk begins with. */
const NODE_IMAGE = 'docker.io/kindest/node';
const API_SERVER_PORT = 6_443;
const ROOT_CA = { namespace: 'kube-system', name: 'kube-root-ca.crt' };

export interface NodeFilesSource {
  readonly read?: Reader;
  /** The files of an image; none for one that the catalogue does not know. */
  imageFiles(reference: string): ImageFiles;
  /** The last lines of containers of the node whose servers are known by their summary, by their ids. */
  logs?(node: string): Readonly<Record<string, readonly string[]>>;
  /** Who talked to whom lately. */
  flows?(): readonly FlowRecord[];
  /** The command that an image runs by itself. */
  commandOf?(image: string): readonly string[];
  /** Without it certificates stand for themselves. */
  readonly issuer?: NodeIssuer;
}

/** A node's disk as kubeadm has left it: a system, its services, their configuration and certificates. */
export function nodeFiles(name: string, source: NodeFilesSource): ImageFiles {
  const { read, imageFiles } = source;
  const stored = read && findHost(read, name);
  const node = stored && read ? asInstalled(stored, read) : stored;
  const version = node?.status.nodeInfo?.kubeletVersion ?? DEFAULT_VERSION;
  const modified = node?.metadata.creationTimestamp ? parseTimestamp(node.metadata.creationTimestamp) : 0;
  const make = new Maker(modified);
  return {
    ...imageFiles(`${NODE_IMAGE}:${version}`),
    '/': make.directory(),
    '/tmp': make.directory(0o1777),
    ...make.directories(DIRECTORIES),
    '/etc/hostname': make.file(`${name}\n`),
    '/etc/hosts': make.file(
      `127.0.0.1\tlocalhost\n::1\tlocalhost ip6-localhost ip6-loopback\n127.0.1.1\t${name}\n` +
        (node && internalIPOf(node) ? `${internalIPOf(node)}\t${name}\n` : ''),
    ),
    '/etc/machine-id': make.file(`${digestOf(`${name}/machine`).slice(0, 32)}\n`),
    '/etc/resolv.conf': make.file('nameserver 172.18.0.1\noptions edns0 trust-ad ndots:0\n'),
    '/etc/os-release': make.file(OS_RELEASE),
    ...serviceFiles(make),
    ...binaryFiles(make, version),
    [PACKAGES_FILE]: make.file(formatPackages(installedPackages(version))),
    [SOURCES_FILE]: make.file(sourcesOf(version)),
    ...(node && read ? kubernetesFiles(make, node, read, new Credentials(node, modified, source.issuer)) : {}),
    ...(node && read
      ? mapValues(agentFiles(node, read), (text) => (text === undefined ? make.directory() : make.file(text)))
      : {}),
    ...(read ? liveFiles(make, name, { ...source, read }) : {}),
  };
}

const sourcesOf = (version: string): string =>
  'deb [signed-by=/etc/apt/keyrings/kubernetes-apt-keyring.gpg] ' +
  `https://pkgs.k8s.io/core:/stable:/${version.split('.', 2).join('.')}/deb/ /\n`;

const OS_RELEASE = [
  'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"',
  'NAME="Debian GNU/Linux"',
  'VERSION_ID="13"',
  'VERSION="13 (trixie)"',
  'VERSION_CODENAME=trixie',
  'ID=debian',
  '',
].join('\n');

const DIRECTORIES =
  '/etc /etc/kubernetes /home /mnt /opt /srv /usr /var /var/lib /var/lib/kubelet /var/log /var/log/containers ' +
  '/var/log/pods /var/run /run /run/containerd /var/lib/containerd /var/lib/kubelet/pods /var/lib/kubelet/plugins ' +
  '/var/lib/kubelet/plugins_registry /var/lib/kubelet/device-plugins /usr/lib/modules /usr/share/ca-certificates ' +
  '/etc/ssl/certs /run/systemd/units /etc/systemd/system/multi-user.target.wants /opt/cni/bin /etc/cni/net.d ' +
  '/sys /sys/fs /sys/fs/bpf /sys/kernel /sys/kernel/security /proc';

const mapValues = <T, R>(record: Readonly<Record<string, T>>, to: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));

class Maker {
  constructor(private readonly modified: number) {}

  directory(mode = 0o755): FileNode {
    return { type: 'directory', mode, user: 0, group: 0, modified: this.modified };
  }
  file(content: string, mode = 0o644): FileNode {
    return { type: 'file', mode, user: 0, group: 0, modified: this.modified, content: bytesOf(content) };
  }
  /** A program that nobody runs: only its size shows. */
  opaque(size: number, program?: string): FileNode {
    const shown = program === undefined ? {} : { program };
    return { type: 'file', mode: 0o755, user: 0, group: 0, modified: this.modified, size, ...shown };
  }
  /** A file whose content is made when somebody reads it. */
  lazy(content: () => string, mode = 0o644): FileNode {
    let known: string | undefined;
    return this.live(() => (known ??= content()), mode);
  }
  live(content: () => string, mode = 0o600): FileNode {
    return readLater(this.file('', mode), () => bytesOf(content()));
  }
  /** The same of what the cluster's objects alone say: a program reads a file in pieces. */
  liveOf(read: Reader, content: () => string): FileNode {
    let known: { readonly revision: number; readonly text: string } | undefined;
    return this.live(() => {
      const { revision } = read;
      if (known === undefined || known.revision !== revision) known = { revision, text: content() };
      return known.text;
    });
  }
  link(target: string): FileNode {
    return { type: 'link', mode: 0o777, user: 0, group: 0, modified: this.modified, target };
  }
  directories(paths: string): Record<string, FileNode> {
    return Object.fromEntries(paths.split(' ').map((path) => [path, this.directory()]));
  }
}

const binaryFiles = (make: Maker, version: string): Record<string, FileNode> =>
  Object.fromEntries(
    RELEASE_PACKAGES.map((name) => [binaryPath(name), make.opaque(binarySize(name, version), PROGRAMS[name])]),
  );

const PROGRAMS = { kubeadm: 'node:kubeadm', kubectl: 'kubectl:kubectl', kubelet: 'node:kubelet' };

function serviceFiles(make: Maker): Record<string, FileNode> {
  const plugins = (
    'bandwidth bridge dhcp dummy firewall host-device host-local ipvlan loopback macvlan portmap ptp sbr static ' +
    'tuning vlan vrf'
  ).split(' ');
  return {
    '/etc/systemd/system/kubelet.service': make.file(config.KUBELET_UNIT),
    '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf': make.file(config.KUBEADM_DROP_IN),
    '/usr/lib/systemd/system/containerd.service': make.file(config.CONTAINERD_UNIT),
    '/etc/systemd/system/multi-user.target.wants/kubelet.service': make.link('/etc/systemd/system/kubelet.service'),
    '/etc/systemd/system/multi-user.target.wants/containerd.service': make.link(
      '/usr/lib/systemd/system/containerd.service',
    ),
    '/etc/containerd/config.toml': make.file(config.CONTAINERD_CONFIG),
    '/etc/crictl.yaml': make.file(config.CRICTL_CONFIG),
    '/usr/bin/containerd': make.opaque(44_238_928, 'node:containerd'),
    '/usr/bin/containerd-shim-runc-v2': make.opaque(8_179_864),
    '/usr/sbin/runc': make.opaque(10_788_832, 'node:runc'),
    ...Object.fromEntries(
      plugins.map((name) => [`/opt/cni/bin/${name}`, make.opaque(4_000_000 + name.length * 7_919)]),
    ),
  };
}

/** rsyslog's, as far as the kernel is concerned. */
function auditFiles(
  make: Maker,
  name: string,
  source: NodeFilesSource & { readonly read: Reader },
): Record<string, FileNode> {
  const { read, commandOf = () => [] } = source;
  const readFile = (path: string): string | undefined => {
    const lower = nodeFiles(name, { read, imageFiles: () => ({}) });
    const tree = new FileTree(`node/${name}`, lower, readRows(read, `node/${name}`));
    const bytes = new TreeDisk(tree).read(path);
    return bytes === undefined ? undefined : textOf(bytes);
  };
  const view = (): string => viewAudit(read, name, { commandOf, readFile });
  return Object.fromEntries(['/var/log/syslog', '/var/log/kern.log'].map((path) => [path, make.liveOf(read, view)]));
}

/** Files that show the cluster as it is when they are read. */
const liveFiles = (
  make: Maker,
  name: string,
  source: NodeFilesSource & { readonly read: Reader },
): Record<string, FileNode> => {
  const { read, logs, commandOf, flows } = source;
  return {
    '/run/containerd/io.containerd.grpc.v1.cri': make.directory(0o700),
    '/run/containerd/containerd.sock': { ...make.file('', 0o660), type: 'socket' },
    [RUNTIME_FILE]: make.liveOf(read, () => JSON.stringify(viewRuntime(read, name))),
    '/run/kubelet': make.directory(0o700),
    [CGROUPS]: make.directory(),
    [NETNS]: make.directory(),
    [`/var${NETNS}`]: make.link(NETNS),
    [KUBELET_LOG_FILE]: make.liveOf(read, () => JSON.stringify(viewKubeletLog(read, name))),
    [LOGS_FILE]: make.live(() => JSON.stringify(logs?.(name) ?? {})),
    [PROCESSES_FILE]: make.liveOf(read, () => JSON.stringify(viewProcesses(read, name, commandOf ?? (() => [])))),
    ...(read.list(CiliumNodes).length === 0
      ? {}
      : {
          [CILIUM_STATE_FILE]: make.live(() =>
            JSON.stringify(viewCilium(read, name, (pod) => ciliumEnforcement(read, pod), flows?.() ?? [])),
          ),
        }),
    ...auditFiles(make, name, { ...source, read }),
    [TOKENS_FILE]: make.liveOf(read, () => JSON.stringify(viewTokens(read))),
    [ETCD_FILE]: make.liveOf(read, () => JSON.stringify(viewRegistry(read))),
  };
};

/** What kubeadm init or join writes. */
function kubernetesFiles(make: Maker, node: Node, read: Reader, credentials: Credentials): Record<string, FileNode> {
  const name = node.metadata.name ?? '';
  const authority = read.get(ConfigMaps, ROOT_CA)?.data?.['ca.crt'] ?? credentials.authority('kubernetes').certificate;
  const first = config.isControlPlane(node) ? node : listHosts(read).find(config.isControlPlane);
  const server = `https://${(first && internalIPOf(first)) || '127.0.0.1'}:${API_SERVER_PORT}`;
  const subnet = node.spec.podCIDR ?? '10.244.0.0/24';
  const serving = servingPair(read, name);
  return {
    ...(serving === undefined ? {} : { [SERVING_FILE]: make.file(serving, 0o600) }),
    '/etc/kubernetes/manifests': make.directory(0o775),
    '/etc/kubernetes/pki': make.directory(),
    '/etc/kubernetes/pki/ca.crt': make.file(authority),
    '/etc/kubernetes/kubelet.conf': make.file(config.kubeletKubeconfig(server, encodeBase64(authority), name), 0o600),
    [CLUSTER_FILE]: make.liveOf(read, () =>
      JSON.stringify({
        server,
        authority,
        flags: config.kubeadmFlags(node),
        ip: internalIPOf(node) ?? '',
        ...viewReleases(read),
      } satisfies ClusterInfo),
    ),
    '/var/lib/kubelet/config.yaml': make.file(config.KUBELET_CONFIGURATION),
    '/var/lib/kubelet/kubeadm-flags.env': make.file(config.kubeadmFlags(node)),
    '/var/lib/kubelet/pki/kubelet-client-current.pem': make.lazy(() => bundle(credentials.kubeletClient()), 0o600),
    '/var/lib/kubelet/pki/kubelet.crt': make.lazy(() => credentials.kubeletServer().certificate),
    '/var/lib/kubelet/pki/kubelet.key': make.lazy(() => credentials.kubeletServer().key, 0o600),
    '/etc/cni/net.d/10-kindnet.conflist': make.file(
      `${JSON.stringify(kindnet(subnet, secondRangeOf(node)), undefined, '\t')}\n`,
    ),
    ...(config.isControlPlane(node) ? controlPlaneFiles(make, node, server, authority, credentials) : {}),
  };
}

const kindnet = (subnet: string, second: string | undefined): object => ({
  cniVersion: '0.3.1',
  name: 'kindnet',
  plugins: [
    {
      type: 'ptp',
      ipMasq: false,
      ipam: {
        type: 'host-local',
        dataDir: '/run/cni-ipam-state',
        routes: [{ dst: '0.0.0.0/0' }, ...(second ? [{ dst: '::/0' }] : [])],
        ranges: [[{ subnet }], ...(second ? [[{ subnet: second }]] : [])],
      },
      mtu: 1500,
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
});

/** What the control planes of a cluster share, by the names of its files below /etc/kubernetes/pki. */
function sharedFiles(authority: string, credentials: Credentials): Record<string, string> {
  const pairs = AUTHORITY_FILES.flatMap(([name, file]): [string, string][] => {
    const { certificate, key } = credentials.authority(name);
    const base = file.slice(PKI.length + 1);
    return [
      [`${base}.crt`, name === 'kubernetes' ? authority : certificate],
      [`${base}.key`, key],
    ];
  });
  return { ...Object.fromEntries(pairs), 'sa.key': pem('RSA PRIVATE KEY', 'sa'), 'sa.pub': pem('PUBLIC KEY', 'sa') };
}

function controlPlaneFiles(
  make: Maker,
  node: Node,
  server: string,
  authority: string,
  credentials: Credentials,
): Record<string, FileNode> {
  const files: Record<string, FileNode> = {
    [AUTHORITIES_FILE]: make.lazy(() => JSON.stringify(sharedFiles(authority, credentials)), 0o600),
    '/var/lib/etcd': make.directory(0o700),
    '/var/lib/etcd/member/snap/db': make.opaque(8_802_304),
    '/var/lib/etcd/member/wal/0000000000000000-0000000000000000.wal': make.opaque(64_000_000),
    '/etc/kubernetes/pki/sa.key': make.file(pem('RSA PRIVATE KEY', 'sa'), 0o600),
    '/etc/kubernetes/pki/sa.pub': make.file(pem('PUBLIC KEY', 'sa'), 0o600),
  };
  const addPair = (file: string, find: () => KeyPair): void => {
    files[`${file}.crt`] = make.lazy(() => find().certificate);
    files[`${file}.key`] = make.lazy(() => find().key, 0o600);
  };
  for (const [name, file] of AUTHORITY_FILES) addPair(file, () => credentials.authority(name));
  files['/etc/kubernetes/pki/ca.crt'] = make.file(authority);
  for (const leaf of leavesOf(node)) {
    if (!leaf.file.endsWith('.conf')) {
      addPair(leaf.file, () => credentials.leaf(leaf));
      continue;
    }
    const user = leaf.holder.commonName;
    const content = (): string => {
      const { certificate, key } = credentials.leaf(leaf);
      return config.adminKubeconfig(
        server,
        encodeBase64(authority),
        user,
        encodeBase64(certificate),
        encodeBase64(key),
      );
    };
    files[leaf.file] = make.lazy(content, 0o600);
    if (leaf.name === 'admin.conf') files['/root/.kube/config'] = make.lazy(content, 0o600);
  }
  for (const [file, pod] of defaultManifests(node))
    files[`/etc/kubernetes/manifests/${file}`] = make.lazy(() => formatManifest(pod), 0o600);
  return files;
}

/** As sigs.k8s.io/yaml writes it. */
export const formatManifest = (pod: object): string =>
  stringify(pod, { sortMapEntries: true, indentSeq: false, lineWidth: 0 });

const bundle = ({ certificate, key }: KeyPair): string => certificate + key;
