import { textOf } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import { readSmallFile } from '../../accounts.js';
import { pairFault } from '../../network/client-certificate.js';
import { parseUrl } from '../../network/fetch.js';
import type { Flags } from '../flags/flags.js';
import { KubectlFailure } from './failure.js';

/** Where the API server is, and as whom it is asked. */
export interface ClientConfig {
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** Before every path of the server's URL: '' or '/clusters/x'. */
  readonly prefix: string;
  readonly token: string;
  /** PEM of the client's certificate; '' without one. */
  readonly certificate: string;
  /** PEM of its key. */
  readonly key: string;
  readonly namespace: string;
  /** PEM of the authority that the server's certificate must be of; '' when it is not checked. */
  readonly authority: string;
  /** What `--as` asks for. */
  readonly headers: readonly string[];
  /** The file that it comes from; undefined for a pod's account or nothing at all. */
  readonly kubeconfig: Kubeconfig | undefined;
}

export interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly clusters?: readonly { readonly name?: string; readonly cluster?: Readonly<Record<string, unknown>> }[];
  readonly contexts?: readonly { readonly name?: string; readonly context?: Readonly<Record<string, string>> }[];
  readonly users?: readonly { readonly name?: string; readonly user?: Readonly<Record<string, unknown>> }[];
}

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const LOCAL = { scheme: 'http', host: 'localhost', port: 8_080, prefix: '' };

/**
 * Models client-go's clientcmd: a kubeconfig file by flag, environment or home; else the pod's service account; else
 * localhost. `mayBeMissing`: the file is going to be written. Throws KubectlFailure.
 */
export function readConfig(sys: Syscalls, flags: Flags, mayBeMissing = false): ClientConfig {
  const file = findKubeconfig(sys, flags, mayBeMissing);
  const found = file ?? inCluster(sys);
  const token = flags.value('token') || found.token;
  const server = flags.value('server');
  return {
    ...found,
    ...(server === '' ? {} : readServer(server)),
    token,
    namespace: found.namespace || 'default',
    authority: flags.isOn('insecure-skip-tls-verify') ? '' : found.authority,
    headers: impersonation(flags),
  };
}

function impersonation(flags: Flags): string[] {
  const user = flags.value('as');
  if (user === '' && flags.all('as-group').length > 0)
    throw new KubectlFailure('requesting uid, groups or user-extra for <nil> without impersonating a user');
  return [
    ...(user === '' ? [] : [`Impersonate-User: ${user}`]),
    ...flags.all('as-group').map((group) => `Impersonate-Group: ${group}`),
    ...(flags.has('as-uid') ? [`Impersonate-Uid: ${flags.value('as-uid')}`] : []),
  ];
}

type Found = Omit<ClientConfig, 'headers'>;

function inCluster(sys: Syscalls): Found {
  const host = sys.env['KUBERNETES_SERVICE_HOST'];
  const token = readText(sys, `${ACCOUNT}/token`).trim();
  const common = { token, certificate: '', key: '', namespace: readText(sys, `${ACCOUNT}/namespace`).trim() };
  if (host === undefined || token === '') return { ...LOCAL, ...common, authority: '', kubeconfig: undefined };
  const port = Number(sys.env['KUBERNETES_SERVICE_PORT'] ?? 443);
  const authority = readText(sys, `${ACCOUNT}/ca.crt`);
  return { scheme: 'https', host, port, prefix: '', ...common, authority, kubeconfig: undefined };
}

const readText = (sys: Syscalls, path: string): string => textOf(readSmallFile(sys, path));

/** The file that is to be read: `--kubeconfig`, the first of KUBECONFIG that is there, ~/.kube/config. */
export function kubeconfigPath(sys: Syscalls, flags: Flags, mayBeMissing = false): string | undefined {
  const flag = flags.value('kubeconfig');
  if (flag !== '') {
    if (!mayBeMissing && !sys.access(flag, '')) throw new KubectlFailure(`stat ${flag}: no such file or directory`);
    return flag;
  }
  const listed = (sys.env['KUBECONFIG'] ?? '').split(':').filter((path) => path !== '');
  const own = `${sys.env['HOME'] ?? '/root'}/.kube/config`;
  return (listed.length > 0 ? listed : [own]).find((path) => sys.access(path, ''));
}

function findKubeconfig(sys: Syscalls, flags: Flags, mayBeMissing: boolean): Found | undefined {
  const path = kubeconfigPath(sys, flags, mayBeMissing);
  if (path === undefined || (mayBeMissing && !sys.access(path, ''))) return undefined;
  if (!sys.access(path, 'r'))
    throw new KubectlFailure(`error loading config file "${path}": open ${path}: permission denied`);
  const parsed = parseYaml(readText(sys, path));
  if (parsed.error !== undefined)
    throw new KubectlFailure(`error loading config file "${path}": yaml: ${parsed.error}`);
  const file = (parsed.value ?? {}) as Kubeconfig;
  const wanted = flags.value('context') || (file['current-context'] ?? '');
  const context = file.contexts?.find(({ name }) => name === wanted)?.context;
  if (!context && flags.value('context') !== '') throw new KubectlFailure(`context "${wanted}" does not exist`);
  const clusterName = flags.value('cluster') || (context?.['cluster'] ?? '');
  const cluster = file.clusters?.find(({ name }) => name === clusterName)?.cluster ?? {};
  const user = file.users?.find(({ name }) => name === (flags.value('user') || context?.['user']))?.user ?? {};
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  const text = (from: Readonly<Record<string, unknown>>, name: string): string => dataOf(sys, from, name, folder);
  const skips = cluster['insecure-skip-tls-verify'] === true;
  return {
    ...(typeof cluster['server'] === 'string' ? readServer(cluster['server']) : LOCAL),
    token: typeof user['token'] === 'string' ? user['token'] : '',
    ...readPair(text(user, 'client-certificate'), text(user, 'client-key')),
    namespace: context?.['namespace'] ?? '',
    authority: skips ? '' : text(cluster, 'certificate-authority'),
    kubeconfig: file,
  };
}

/** Models crypto/tls X509KeyPair. Throws KubectlFailure. */
function readPair(certificate: string, key: string): Pick<ClientConfig, 'certificate' | 'key'> {
  if (certificate !== '' && key === '')
    throw new KubectlFailure(
      'clientKeyData or clientKey must be specified to use the clientCert authentication method',
    );
  const fault = certificate === '' ? undefined : pairFault(certificate, key);
  if (fault !== undefined) throw new KubectlFailure(fault);
  return { certificate, key };
}

/** The text of `NAME-data`, or of the file that NAME says, from the file's own folder on. Throws KubectlFailure. */
function dataOf(sys: Syscalls, from: Readonly<Record<string, unknown>>, name: string, folder: string): string {
  const data = from[`${name}-data`];
  if (typeof data === 'string') {
    try {
      return atob(data);
    } catch {
      throw new KubectlFailure('illegal base64 data at input byte 0');
    }
  }
  const given = from[name];
  if (typeof given !== 'string' || given === '') return '';
  const path = given.startsWith('/') ? given : folder + given;
  if (!sys.access(path, 'r'))
    throw new KubectlFailure(`unable to read ${name} ${path} due to open ${path}: no such file or directory`);
  return readText(sys, path);
}

function readServer(text: string): Pick<ClientConfig, 'scheme' | 'host' | 'port' | 'prefix'> {
  const url = parseUrl(text);
  if (!url) throw new KubectlFailure(`host must be a URL or a host:port pair: "${text}"`);
  return { scheme: url.scheme, host: url.host, port: url.port, prefix: url.path.replace(/\/$/, '') };
}
