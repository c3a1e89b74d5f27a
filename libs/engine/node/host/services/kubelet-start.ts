import { textOf } from '../../../kernel/bytes.js';
import type { KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { applyMergePatch } from '../../../machinery/patch/patch.js';
import type { Json } from '../../../machinery/meta/object.js';
import { parseYaml } from '../../../schema/index.js';
import { readConfiguration } from '../../kubelet/config/configuration.js';
import type { Disk } from '../files/disk.js';

export const KUBELET_CONFIG = '/var/lib/kubelet/config.yaml';
export const KUBELET_KUBECONFIG = '/etc/kubernetes/kubelet.conf';
export const KUBEADM_FLAGS = '/var/lib/kubelet/kubeadm-flags.env';
export const MANIFESTS = '/etc/kubernetes/manifests';
const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';
const UNIT_FILES = [
  '/usr/lib/systemd/system/kubelet.service',
  '/etc/systemd/system/kubelet.service',
  '/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf',
  '/etc/systemd/system/kubelet.service.d/10-kubeadm.conf',
];

/** What a kubelet that is started now does. */
export interface KubeletStart {
  /** Why it ends at once; the last line that it prints. */
  readonly failure?: string;
  /** systemd cannot even execute it: status 203/EXEC. */
  readonly isMissing?: boolean;
  /** It runs, and does not reach the API server: why, in the words of Go's dialer or TLS. */
  readonly cut?: string;
  /** Where it looks for static pods; '' when nowhere. */
  readonly manifests: string;
  /** What it acts on of its configuration; absent: nothing was changed. */
  readonly configuration?: KubeletConfiguration;
}

/** Fields of KubeletConfiguration that courses set, and those of kubeadm; a wrong type ends the kubelet. */
const FIELDS: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object' | 'array'>> = {
  apiVersion: 'string',
  kind: 'string',
  address: 'string',
  port: 'number',
  readOnlyPort: 'number',
  authentication: 'object',
  authorization: 'object',
  cgroupDriver: 'string',
  cgroupRoot: 'string',
  clusterDNS: 'array',
  clusterDomain: 'string',
  containerRuntimeEndpoint: 'string',
  imageServiceEndpoint: 'string',
  cpuManagerReconcilePeriod: 'string',
  cpuManagerPolicy: 'string',
  crashLoopBackOff: 'object',
  allowedUnsafeSysctls: 'array',
  evictionHard: 'object',
  evictionMaxPodGracePeriod: 'number',
  evictionMinimumReclaim: 'object',
  mergeDefaultEvictionSettings: 'boolean',
  evictionSoft: 'object',
  evictionSoftGracePeriod: 'object',
  evictionPressureTransitionPeriod: 'string',
  failSwapOn: 'boolean',
  featureGates: 'object',
  fileCheckFrequency: 'string',
  healthzBindAddress: 'string',
  healthzPort: 'number',
  httpCheckFrequency: 'string',
  imageGCHighThresholdPercent: 'number',
  imageGCLowThresholdPercent: 'number',
  imageMaximumGCAge: 'string',
  imageMinimumGCAge: 'string',
  kubeReserved: 'object',
  systemReserved: 'object',
  logging: 'object',
  containerLogMaxSize: 'string',
  containerLogMaxFiles: 'number',
  maxPods: 'number',
  podPidsLimit: 'number',
  memorySwap: 'object',
  memoryManagerPolicy: 'string',
  topologyManagerPolicy: 'string',
  topologyManagerScope: 'string',
  nodeStatusReportFrequency: 'string',
  nodeStatusUpdateFrequency: 'string',
  resolvConf: 'string',
  rotateCertificates: 'boolean',
  serverTLSBootstrap: 'boolean',
  runtimeRequestTimeout: 'string',
  serializeImagePulls: 'boolean',
  maxParallelImagePulls: 'number',
  shutdownGracePeriod: 'string',
  shutdownGracePeriodCriticalPods: 'string',
  shutdownGracePeriodByPodPriority: 'array',
  staticPodPath: 'string',
  staticPodURL: 'string',
  streamingConnectionIdleTimeout: 'string',
  syncFrequency: 'string',
  tlsCertFile: 'string',
  tlsPrivateKeyFile: 'string',
  volumeStatsAggPeriod: 'string',
  protectKernelDefaults: 'boolean',
  enableServer: 'boolean',
  enableSystemLogHandler: 'boolean',
  enableSystemLogQuery: 'boolean',
  enableControllerAttachDetach: 'boolean',
  enforceNodeAllocatable: 'array',
  registerNode: 'boolean',
  registerWithTaints: 'array',
  seccompDefault: 'boolean',
};

/**
 * What becomes of the kubelet when it is started with the files of its node. Models cmd/kubelet/app/server.go: flags of
 * the unit, the configuration's file, the client's certificates. `apiServers`: addresses with ports that answer.
 */
export function startKubelet(disk: Disk, isApiServer: (host: string, port: number) => boolean): KubeletStart {
  const command = kubeletCommand(disk);
  const binary = command.words[0] ?? '/usr/bin/kubelet';
  if (!disk.has(binary)) {
    const failure = `kubelet.service: Unable to locate executable '${binary}': No such file or directory`;
    return { isMissing: true, failure, manifests: '' };
  }
  const config = readConfigs(
    disk,
    command.flags.get('config') ?? KUBELET_CONFIG,
    command.flags.get('config-dir')?.replace(/\/$/, ''),
  );
  if ('failure' in config) return { failure: config.failure, manifests: '' };
  const kubeconfig = command.flags.get('kubeconfig') ?? KUBELET_KUBECONFIG;
  const client = readClient(disk, kubeconfig, command.flags.get('bootstrap-kubeconfig') ?? BOOTSTRAP);
  if ('failure' in client) return { failure: client.failure, manifests: '' };
  const path = config.values['staticPodPath'];
  const manifests = typeof path === 'string' ? path : '';
  const told = readConfiguration(config.values, command.flags);
  if ('failure' in told) return { failure: told.failure, manifests: '' };
  const url = parseServer(client.server);
  if (url && isApiServer(url.host, url.port)) return { manifests, ...told };
  const target = url ? `${url.host}:${url.port}` : client.server;
  return { manifests, ...told, cut: `dial tcp ${target}: connect: connection refused` };
}

export interface KubeletCommand {
  /** As the unit's files have it: '/usr/bin/kubelet $KUBELET_CONFIG_ARGS'. */
  readonly line: string;
  /** With the variables' values. */
  readonly words: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
}

/** ExecStart of the unit and its drop-ins, the last one, with the variables of kubeadm's files. */
export function kubeletCommand(disk: Disk): KubeletCommand {
  const variables = new Map<string, string>();
  let line = '';
  for (const path of UNIT_FILES) {
    for (const raw of textOf(disk.read(path) ?? '').split('\n')) {
      const text = raw.trim();
      if (text.startsWith('ExecStart=')) line = text.slice('ExecStart='.length).trim() || line;
      if (text.startsWith('Environment=')) addVariable(variables, unquote(text.slice('Environment='.length)));
      if (text.startsWith('EnvironmentFile='))
        for (const one of textOf(disk.read(text.slice('EnvironmentFile='.length).replace(/^-/, '')) ?? '').split('\n'))
          addVariable(variables, one.trim());
    }
  }
  const words = line.split(' ').flatMap((word) => {
    const value = word.startsWith('$') ? variables.get(word.slice(1).replace(/^\{|\}$/g, '')) : word;
    return (value ?? '').split(' ').filter(Boolean);
  });
  const flags = new Map<string, string>();
  for (const word of words.slice(1)) {
    const at = word.indexOf('=');
    if (word.startsWith('--') && at > 0) flags.set(word.slice(2, at), word.slice(at + 1));
  }
  return { line, words, flags };
}

function addVariable(variables: Map<string, string>, text: string): void {
  const at = text.indexOf('=');
  if (at > 0) variables.set(text.slice(0, at), unquote(text.slice(at + 1)));
}

const unquote = (text: string): string =>
  text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inConfig = (path: string, error: string): string =>
  `"command failed" err="failed to load kubelet config file, path: ${path}, error: failed to load Kubelet config file ` +
  `${path}, error ${error}"`;

const inDropIn = (folder: string, path: string, error: string): string =>
  `"command failed" err="failed to merge kubelet configs: failed to walk through kubelet dropin directory ` +
  `\\"${folder}\\": failed to load kubelet dropin file, path: ${path}, error: failed to load Kubelet config file ` +
  `${path}, error ${error}"`;

type Values = Record<string, unknown>;

/**
 * The file, and over it those of a folder whose names end in .conf, in the order of their names. Models
 * cmd/kubelet/app/server.go mergeKubeletConfigurations.
 */
function readConfigs(
  disk: Disk,
  path: string,
  folder: string | undefined,
): { readonly failure: string } | { readonly values: Values } {
  const first = readConfig(disk, path);
  if ('error' in first) return { failure: inConfig(path, first.error) };
  let { values } = first;
  const dropIns = folder === undefined ? [] : disk.list(folder).filter((name) => name.endsWith('.conf'));
  for (const name of [...dropIns].sort()) {
    const next = readConfig(disk, `${folder}/${name}`);
    if ('error' in next) return { failure: inDropIn(folder!, `${folder}/${name}`, next.error) };
    values = applyMergePatch(values as Json, next.values as Json) as Values;
  }
  const authority = clientAuthority(values);
  if (authority === undefined || disk.has(authority)) return { values };
  return {
    failure:
      '"command failed" err="failed to construct kubelet dependencies: unable to load client CA file ' +
      `${authority}: open ${authority}: no such file or directory"`,
  };
}

function readConfig(disk: Disk, path: string): { readonly error: string } | { readonly values: Values } {
  const content = disk.read(path);
  if (content === undefined)
    return { error: `failed to read kubelet config file "${path}", error: open ${path}: no such file or directory` };
  const { value, error } = parseYaml(textOf(content));
  if (error !== undefined) return { error: `error converting YAML to JSON: ${error}` };
  if (!isObject(value) || value['kind'] === undefined)
    return { error: `Object 'Kind' is missing in '${JSON.stringify(value ?? null).slice(0, 200)}'` };
  const { kind, apiVersion } = value;
  if (kind !== 'KubeletConfiguration' || apiVersion !== 'kubelet.config.k8s.io/v1beta1') {
    const [group = '', version = ''] = String(apiVersion).includes('/')
      ? String(apiVersion).split('/')
      : ['', String(apiVersion)];
    return {
      error:
        `no kind "${String(kind)}" is registered for version "${group ? `${group}/` : ''}${version}" in scheme ` +
        '"pkg/kubelet/apis/config/scheme/scheme.go:33"',
    };
  }
  const wrong = findWrongType(value);
  return wrong === undefined ? { values: value } : { error: wrong };
}

const GO_TYPES = { string: 'string', number: 'int32', boolean: 'bool', object: 'map', array: '[]string' } as const;

function findWrongType(values: Record<string, unknown>): string | undefined {
  for (const [name, value] of Object.entries(values)) {
    const wanted = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    if (wanted === undefined || value === null || value === undefined) continue;
    const found = Array.isArray(value) ? 'array' : typeof value;
    if (found !== wanted)
      return `json: cannot unmarshal ${found === 'boolean' ? 'bool' : found} into Go struct field KubeletConfiguration.${name} of type ${GO_TYPES[wanted]}`;
  }
  return undefined;
}

function clientAuthority({ authentication }: Record<string, unknown>): string | undefined {
  const x509 = isObject(authentication) ? authentication['x509'] : undefined;
  const file = isObject(x509) ? x509['clientCAFile'] : undefined;
  return typeof file === 'string' && file !== '' ? file : undefined;
}

/** The server of a kubeconfig, and whether the files that it names are there. */
function readClient(
  disk: Disk,
  path: string,
  bootstrap: string,
): { readonly failure: string } | { readonly server: string } {
  const fail = (error: string): { failure: string } => ({
    failure: `"command failed" err="failed to run Kubelet: ${error}"`,
  });
  const content = disk.read(path);
  if (content === undefined)
    return fail(
      !disk.has(bootstrap)
        ? `unable to load bootstrap kubeconfig: stat ${bootstrap}: no such file or directory`
        : `cannot create certificate signing request: no token in ${bootstrap} is valid`,
    );
  const { value, error } = parseYaml(textOf(content));
  if (error !== undefined || !isObject(value))
    return fail(`invalid kubeconfig: error loading config file "${path}": ${error ?? 'no object'}`);
  const cluster = firstOf(value['clusters'], 'cluster');
  const user = firstOf(value['users'], 'user');
  for (const file of [cluster['certificate-authority'], user['client-certificate'], user['client-key']])
    if (typeof file === 'string' && !disk.has(file))
      return fail(
        `invalid configuration: [unable to read ${file} for ${path}: open ${file}: no such file or directory]`,
      );
  return { server: typeof cluster['server'] === 'string' ? cluster['server'] : '' };
}

function firstOf(list: unknown, field: string): Record<string, unknown> {
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  const found = isObject(first) ? first[field] : undefined;
  return isObject(found) ? found : {};
}

/** 'https://host:port'. */
export function parseServer(text: string): { readonly host: string; readonly port: number } | undefined {
  if (!text.startsWith('https://')) return undefined;
  const [authority = ''] = text.slice('https://'.length).split('/', 1);
  const at = authority.lastIndexOf(':');
  const port = at < 0 ? 443 : Number(authority.slice(at + 1));
  return Number.isInteger(port) ? { host: at < 0 ? authority : authority.slice(0, at), port } : undefined;
}
