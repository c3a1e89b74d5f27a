import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { commonName } from '../../../../engine/machinery/crypto/x509/name.js';
import { encodeBase64 } from '../../../../engine/machinery/text/base64.js';
import { adminKubeconfig } from '../../../../engine/node/host/files/config-files.js';
import { extensionsOf } from '../../../../engine/node/host/pki/extensions.js';
import type { AuthorityName } from '../../../../engine/node/host/pki/issuer.js';
import { AUTHORITIES_FILE, leavesFor, type Leaf } from '../../../../engine/node/host/pki/leaves.js';
import { CLUSTER_FILE, type ClusterInfo } from '../../../../engine/node/host/views/releases-view.js';
import type { Options } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf, writeFile } from '../disk.js';
import { KubeadmFailure } from './failure.js';
import { readInitConfiguration, type InitConfiguration } from './config/init-configuration.js';
import { findSigner, signLeaf, type Signer } from './certs/issue.js';
import { PKI, readCertificateFile } from './certs/leaves.js';

const KUBERNETES = '/etc/kubernetes';
/** The base names of authorities' files. */
const AUTHORITIES: Readonly<Record<AuthorityName, string>> = {
  kubernetes: 'ca',
  'etcd-ca': 'etcd/ca',
  'front-proxy-ca': 'front-proxy-ca',
};
/** Models cmd/kubeadm/app/phases/certs/certlist.go GetDefaultCertList: each behind the one that signs it. */
const CERTIFICATES = [
  ...['ca', 'apiserver', 'apiserver-kubelet-client', 'front-proxy-ca', 'front-proxy-client', 'etcd-ca'],
  ...['etcd-server', 'etcd-peer', 'etcd-healthcheck-client', 'apiserver-etcd-client', 'sa'],
];
const KUBECONFIGS = ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'];

/** What the phases go by. */
export interface Setting {
  readonly info: ClusterInfo;
  readonly configuration: InitConfiguration;
  readonly node: string;
  readonly ip: string;
  /** Of the configuration, or what the cluster says. */
  readonly endpoint: string;
}

export function readSetting(tool: ToolContext, options: Options): Setting {
  const info = JSON.parse(textOf(diskOf(tool.sys).read(CLUSTER_FILE) ?? '{}')) as ClusterInfo;
  const configuration = readInitConfiguration(tool, options.value('config'));
  const dir = options.value('cert-dir') ?? configuration.certificatesDir ?? PKI;
  if (dir.replace(/\/$/, '') !== PKI)
    throw new KubeadmFailure(`error: certificates in another folder than ${PKI} are not simulated`);
  return {
    ...{ info, configuration, node: options.value('node-name') ?? configuration.name ?? tool.sys.hostname },
    ip: options.value('apiserver-advertise-address') ?? configuration.address ?? info.ip,
    endpoint: options.value('control-plane-endpoint') ?? configuration.endpoint ?? info.endpoint,
  };
}

/**
 * `kubeadm init phase certs NAME`. Models cmd/kubeadm/app/cmd/phases/init/certs.go. Other than upstream's, authorities
 * that are made again are those which the cluster had.
 */
export function certsPhase(tool: ToolContext, options: Options, name: string): number {
  const chosen = name === 'all' ? CERTIFICATES : CERTIFICATES.filter((one) => one === name);
  if (chosen.length === 0) throw new KubeadmFailure(`invalid subcommand: "${name}"`);
  const setting = readSetting(tool, options);
  const extra = [
    ...(options.value('apiserver-cert-extra-sans') ?? '').split(',').filter(Boolean),
    ...setting.configuration.certSANs,
  ];
  if (name === 'all') tool.out(`[certs] Using certificateDir folder "${PKI}"\n`);
  for (const one of chosen) {
    if (one === 'sa') keepAccountKey(tool);
    else if (one.endsWith('ca')) keepAuthority(tool, one === 'etcd-ca' ? 'etcd/ca' : one);
    else makeCertificate(tool, withNames(leafNamed(one, setting), setting, extra));
  }
  return 0;
}

const leafNamed = (name: string, { node, ip }: Setting): Leaf => leavesFor(node, ip).find((one) => one.name === name)!;

const isAddress = (name: string): boolean => /^\d+(?:\.\d+){3}$/.test(name);

/** Models app/util/pkiutil GetAPIServerAltNames. */
function withNames(leaf: Leaf, { endpoint }: Setting, extra: readonly string[]): Leaf {
  if (leaf.name !== 'apiserver') return leaf;
  const shared = endpoint.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  const more = [...new Set([...(shared ? [shared] : []), ...extra])];
  const { dns = [], addresses = [] } = leaf.holder;
  const added = (known: readonly string[], wanted: (name: string) => boolean): string[] => [
    ...known,
    ...more.filter((one) => wanted(one) && !known.includes(one)),
  ];
  const names = added(dns, (one) => !isAddress(one)).sort();
  return { ...leaf, holder: { ...leaf.holder, dns: names, addresses: added(addresses, isAddress) } };
}

function keepAccountKey(tool: ToolContext): void {
  if (diskOf(tool.sys).has(`${PKI}/sa.key`)) return tool.out('[certs] Using the existing "sa" key\n');
  writeShared(tool, 'certs/sa', ['sa.key', 'sa.pub']);
  tool.out('[certs] Generating "sa" key and public key\n');
}

/** Files that the cluster's control planes share, as they were. Throws KubeadmFailure on another node. */
function writeShared({ sys }: ToolContext, phase: string, names: readonly string[]): void {
  const found = diskOf(sys).read(AUTHORITIES_FILE);
  if (found === undefined)
    throw phaseFailure(phase, 'this node has never been of the control plane: a second cluster is not simulated');
  const shared = JSON.parse(textOf(found)) as Readonly<Record<string, string>>;
  for (const name of names)
    writeFile(sys, `${PKI}/${name}`, bytesOf(shared[name] ?? ''), name.endsWith('.key') ? 0o600 : 0o644);
}

function keepAuthority(tool: ToolContext, base: string): void {
  const disk = diskOf(tool.sys);
  const phase = `certs/${base.replace('/', '-')}`;
  const hasKey = disk.has(`${PKI}/${base}.key`);
  if (!readCertificateFile(disk, `${PKI}/${base}.crt`)) {
    if (hasKey) throw phaseFailure(phase, `failure loading ${base} certificate: ${notLoaded(`${PKI}/${base}.crt`)}`);
    writeShared(tool, phase, [`${base}.crt`, `${base}.key`]);
    return tool.out(`[certs] Generating "${base}" certificate and key\n`);
  }
  tool.out(`[certs] Using existing ${base} ${hasKey ? '' : 'keyless '}certificate authority\n`);
}

const notLoaded = (file: string): string =>
  `failed to load certificate: couldn't load the certificate file ${file}: open ${file}: no such file or directory`;
const phaseFailure = (phase: string, text: string): KubeadmFailure =>
  new KubeadmFailure(`error: error execution phase ${phase}: ${text}`);

function makeCertificate(tool: ToolContext, leaf: Leaf): void {
  const { sys, out } = tool;
  const disk = diskOf(sys);
  const base = leaf.file.slice(PKI.length + 1);
  if (readCertificateFile(disk, `${leaf.file}.crt`))
    return out(`[certs] Using existing ${base} certificate and key on disk\n`);
  const phase = `certs/${leaf.name}`;
  const signer = requireSigner(tool, leaf, phase);
  if (disk.has(`${leaf.file}.key`))
    throw phaseFailure(
      phase,
      `failed to write or validate certificate "${base}": failure loading ${base} certificate: ${notLoaded(`${leaf.file}.crt`)}`,
    );
  const { certificate, key } = sign(tool, leaf, signer);
  writeFile(sys, `${leaf.file}.crt`, bytesOf(certificate));
  writeFile(sys, `${leaf.file}.key`, bytesOf(key), 0o600);
  out(`[certs] Generating "${base}" certificate and key\n`);
  const { usages, dns = [], addresses = [] } = leaf.holder;
  if (usages.includes('server auth'))
    out(`[certs] ${base} serving cert is signed for DNS names [${dns.join(' ')}] and IPs [${addresses.join(' ')}]\n`);
}

function requireSigner(tool: ToolContext, { authority }: Leaf, phase: string): Signer {
  const base = AUTHORITIES[authority];
  const disk = diskOf(tool.sys);
  const file = `${PKI}/${base}.key`;
  const name = base.replace('/', '-');
  if (!disk.has(`${PKI}/${base}.crt`) && !disk.has(file))
    throw phaseFailure(
      phase,
      `couldn't load CA certificate ${name}: couldn't load ${base} certificate authority from ${PKI}`,
    );
  const signer = disk.has(`${PKI}/${base}.crt`) ? findSigner(tool, base) : undefined;
  if (signer) return signer;
  const missing = disk.has(`${PKI}/${base}.crt`)
    ? `failed to load key: couldn't load the private key file ${file}: open ${file}: no such file or directory`
    : notLoaded(`${PKI}/${base}.crt`);
  throw phaseFailure(
    phase,
    `couldn't load CA certificate ${name}: failure loading ${base} certificate authority: ${missing}`,
  );
}

const sign = (tool: ToolContext, { name, holder }: Leaf, signer: Signer): ReturnType<typeof signLeaf> =>
  signLeaf(
    tool,
    name,
    { subject: commonName(holder.commonName, holder.organizations), extensions: extensionsOf(holder) },
    signer,
  );

/** `kubeadm init phase kubeconfig NAME`. Models cmd/kubeadm/app/phases/kubeconfig. */
export function kubeconfigPhase(tool: ToolContext, options: Options, name: string): number {
  const chosen = name === 'all' ? KUBECONFIGS : KUBECONFIGS.filter((one) => one === name);
  if (chosen.length === 0) throw new KubeadmFailure(`invalid subcommand: "${name}"`);
  const setting = readSetting(tool, options);
  const folder = (options.value('kubeconfig-dir') ?? KUBERNETES).replace(/(.)\/$/, '$1');
  if (name === 'all') tool.out(`[kubeconfig] Using kubeconfig folder "${folder}"\n`);
  for (const one of chosen) writeKubeconfig(tool, setting, one, `${folder}/${one}.conf`);
  return 0;
}

function configLeaf(name: string, setting: Setting): Leaf {
  if (name !== 'kubelet') return leafNamed(`${name}.conf`, setting);
  const holder = {
    commonName: `system:node:${setting.node}`,
    organizations: ['system:nodes'],
    usages: ['client auth'],
  } as const;
  return { name: 'kubelet.conf', file: `${KUBERNETES}/kubelet.conf`, authority: 'kubernetes', holder };
}

function writeKubeconfig(tool: ToolContext, setting: Setting, name: string, path: string): void {
  const { sys, out } = tool;
  const disk = diskOf(sys);
  const phase = `kubeconfig/${name}`;
  const leaf = configLeaf(name, setting);
  const signer = requireSigner(tool, leaf, phase);
  const authority = encodeBase64(textOf(disk.read(`${PKI}/ca.crt`) ?? ''));
  const server = serverOf(setting);
  const found = disk.read(path);
  if (found !== undefined) {
    const text = textOf(found);
    const known = /certificate-authority-data: *(\S+)/.exec(text)?.[1];
    if (known !== undefined && known !== authority)
      throw phaseFailure(phase, `a kubeconfig file "${path}" exists already but has got the wrong CA cert`);
    const got = /server: *(\S+)/.exec(text)?.[1] ?? '';
    if (got !== server)
      tool.err(
        `W kubeconfig.go:244] a kubeconfig file "${path}" exists already but has an unexpected API Server URL: expected: ${server}, got: ${got}\n`,
      );
    return out(`[kubeconfig] Using existing kubeconfig file: "${path}"\n`);
  }
  const { certificate, key } = sign(tool, leaf, signer);
  const user = leaf.holder.commonName;
  const text = adminKubeconfig(server, authority, user, encodeBase64(certificate), encodeBase64(key));
  writeFile(sys, path, bytesOf(text), 0o600);
  out(`[kubeconfig] Writing "${name}.conf" kubeconfig file\n`);
}

/** The shared address of the control planes, or where this one was told to listen, or where the cluster's is. */
export function serverOf({ configuration, endpoint, info, ip }: Setting): string {
  if (endpoint !== '' && endpoint !== info.endpoint)
    return `https://${/:\d+$/.test(endpoint) ? endpoint : `${endpoint}:6443`}`;
  return configuration.address === undefined && ip === info.ip ? info.server : `https://${ip}:6443`;
}
