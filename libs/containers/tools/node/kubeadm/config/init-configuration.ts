import { parseAllDocuments } from 'yaml';
import type { Taint } from '../../../../../engine/api/core_v1.js';
import { textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import type { ToolContext } from '../../../framework/tool.js';
import { diskOf } from '../../disk.js';
import { KubeadmFailure } from '../failure.js';

export type ExtraFlags = readonly (readonly [name: string, value: string])[];

/** What the phases of `kubeadm init` read of a configuration file. */
export interface InitConfiguration {
  readonly certSANs: readonly string[];
  readonly address?: string;
  readonly endpoint?: string;
  readonly name?: string;
  readonly certificatesDir?: string;
  readonly podSubnet?: string;
  readonly serviceSubnet?: string;
  readonly dnsDomain?: string;
  /** 'v1.36.4'. */
  readonly version?: string;
  readonly clusterName?: string;
  readonly imageRepository?: string;
  /** The first bootstrap token. */
  readonly token?: string;
  /** Of the node; absent: as kubeadm taints it. */
  readonly taints?: readonly Taint[];
  /** By component: 'apiServer'. */
  readonly extra: Readonly<Record<string, ExtraFlags>>;
}

type Fields = Readonly<Record<string, unknown>>;

const MAX_DOCUMENTS = 20;
const EMPTY: InitConfiguration = { certSANs: [], extra: {} };
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const textIn = (fields: Fields, key: string): string | undefined =>
  typeof fields[key] === 'string' && fields[key] !== '' ? fields[key] : undefined;
const optional = <K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> =>
  value === undefined ? {} : ({ [key]: value } as Partial<Record<K, string>>);

/**
 * Reads InitConfiguration and ClusterConfiguration (v1beta3 and v1beta4) as far as phases go by them; other kinds and
 * fields are passed over. Throws KubeadmFailure.
 */
export function readInitConfiguration({ sys }: ToolContext, path: Bytes | undefined): InitConfiguration {
  if (path === undefined) return EMPTY;
  const content = diskOf(sys).read(path);
  if (content === undefined)
    throw new KubeadmFailure(`error: unable to read config from "${path}": open ${path}: no such file or directory`);
  return parseInitConfiguration(textOf(content));
}

export function parseInitConfiguration(text: string): InitConfiguration {
  const documents = parseAllDocuments(text, { maxAliasCount: 0 } as object).slice(0, MAX_DOCUMENTS);
  const broken = documents.find(({ errors }) => errors.length > 0);
  if (broken) throw new KubeadmFailure(`error: error converting YAML to JSON: yaml: ${broken.errors[0]!.message}`);
  const objects = documents.map((one) => fieldsOf(one.toJS({ maxAliasCount: 0 })));
  for (const { apiVersion } of objects)
    if (typeof apiVersion === 'string' && /^kubeadm\.k8s\.io\/v1(?:alpha\d|beta[12])$/.test(apiVersion))
      throw new KubeadmFailure(
        `error: your configuration file uses an old API spec: "${apiVersion}" (kind: "${String(objects[0]!['kind'])}"). Please use kubeadm v1.22 instead and run 'kubeadm config migrate --old-config old-config-file --new-config new-config-file', which will write the new, similar spec using a newer API version.`,
      );
  const cluster = objects.find(({ kind }) => kind === 'ClusterConfiguration') ?? {};
  const init = objects.find(({ kind }) => kind === 'InitConfiguration') ?? {};
  const names = fieldsOf(cluster['apiServer'])['certSANs'];
  return {
    certSANs: Array.isArray(names) ? names.map(String) : [],
    ...optional('address', textIn(fieldsOf(init['localAPIEndpoint']), 'advertiseAddress')),
    ...optional('endpoint', textIn(cluster, 'controlPlaneEndpoint')),
    ...optional('name', textIn(fieldsOf(init['nodeRegistration']), 'name')),
    ...optional('certificatesDir', textIn(cluster, 'certificatesDir')),
    ...optional('podSubnet', textIn(fieldsOf(cluster['networking']), 'podSubnet')),
    ...optional('serviceSubnet', textIn(fieldsOf(cluster['networking']), 'serviceSubnet')),
    ...optional('dnsDomain', textIn(fieldsOf(cluster['networking']), 'dnsDomain')),
    ...optional('version', textIn(cluster, 'kubernetesVersion')),
    ...optional('clusterName', textIn(cluster, 'clusterName')),
    ...optional('imageRepository', textIn(cluster, 'imageRepository')),
    ...optional('token', textIn(fieldsOf(listIn(init, 'bootstrapTokens')?.[0]), 'token')),
    ...taintsOf(fieldsOf(init['nodeRegistration'])),
    extra: {
      apiServer: flagsOf(cluster['apiServer']),
      controllerManager: flagsOf(cluster['controllerManager']),
      scheduler: flagsOf(cluster['scheduler']),
      etcd: flagsOf(fieldsOf(cluster['etcd'])['local']),
    },
  };
}

const listIn = (fields: Fields, key: string): readonly unknown[] | undefined =>
  Array.isArray(fields[key]) ? (fields[key] as readonly unknown[]) : undefined;

/** An empty list is none at all, a missing one kubeadm's own. */
function taintsOf(registration: Fields): Pick<InitConfiguration, 'taints'> {
  const taints = listIn(registration, 'taints')?.map(fieldsOf);
  if (!taints) return {};
  return { taints: taints.map((one) => ({ ...one, key: String(one['key']), effect: String(one['effect']) })) };
}

/** A list of names and values (v1beta4), or a map (v1beta3). */
function flagsOf(component: unknown): ExtraFlags {
  const flags = fieldsOf(component)['extraArgs'];
  if (Array.isArray(flags)) return flags.map(fieldsOf).map(({ name, value }) => [String(name), String(value)] as const);
  return Object.entries(fieldsOf(flags)).map(([name, value]) => [name, String(value)] as const);
}
