import type { Container, Pod } from '../../../api/core_v1.js';
import type { Disk } from '../files/disk.js';
import { flagsOf, isFileFlag } from './component-flags.js';
import { parseServer } from './kubelet-start.js';

/** Where kubeadm has etcd listen. */
const ETCD_PORT = 2_379;
const ETCD_DATA = '/var/lib/etcd';
const MISSING = 'no such file or directory';

/**
 * Why a component of the control plane does not come up from its manifest, in its own last words: a flag that it does
 * not have, a file that is not there, an etcd that it does not reach. `etcd`: the static pod of the node's etcd, where
 * that runs. Lines that begin with a level and a place ('E run.go:72] …') get klog's header when they are printed, an
 * empty "ts" of etcd's gets the time. Undefined: it comes up.
 */
export function findComponentFault(component: string, pod: Pod, disk: Disk, etcd?: Pod): string | undefined {
  const container = pod.spec.containers[0];
  const known = flagsOf(component);
  if (!container || !known) return undefined;
  const [program = '', ...words] = commandOf(container);
  if (program !== '' && baseName(program) !== component)
    return `exec: "${program}": executable file not found in $PATH`;
  for (const word of words) {
    const flag = flagOf(word);
    if (flag !== undefined && !known.has(flag.name)) return unknownFlag(component, flag.name);
  }
  const flags = flagsIn(words);
  return (
    missingFile(component, flags, container, pod, disk) ??
    unmountedData(component, flags, pod) ??
    lostEtcd(component, flags, etcd) ??
    lostServer(component, flags, container, pod, disk)
  );
}

export const commandOf = ({ command = [], args = [] }: Container): string[] => [...command, ...args];

/** Flags by their names, without hyphens; the last one of a name counts. */
export const flagsIn = (words: readonly string[]): ReadonlyMap<string, string> =>
  new Map(words.map(flagOf).flatMap((flag) => (flag ? [[flag.name, flag.value] as const] : [])));

/** The folder of the node's disk that an etcd keeps its data in; undefined: none of the node's. */
export function dataFolderOf(pod: Pod): string | undefined {
  const container = pod.spec.containers[0];
  if (!container) return undefined;
  const path = flagsIn(commandOf(container).slice(1)).get('data-dir') ?? ETCD_DATA;
  return hostPath(path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path, container, pod);
}

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const unknownFlag = (component: string, flag: string): string =>
  component === 'etcd' ? `flag provided but not defined: -${flag}` : `Error: unknown flag: --${flag}`;

function flagOf(word: string): { readonly name: string; readonly value: string } | undefined {
  if (!word.startsWith('-')) return undefined;
  const text = word.startsWith('--') ? word.slice(2) : word.slice(1);
  const at = text.indexOf('=');
  return at < 0 ? { name: text, value: '' } : { name: text.slice(0, at), value: text.slice(at + 1) };
}

function missingFile(
  component: string,
  flags: ReadonlyMap<string, string>,
  container: Container,
  pod: Pod,
  disk: Disk,
): string | undefined {
  for (const [name, path] of flags) {
    if (!isFileFlag(name) || path === '') continue;
    const onDisk = hostPath(path, container, pod);
    if (onDisk !== undefined && disk.has(onDisk)) continue;
    return component === 'etcd' ? fatal(`open ${path}: ${MISSING}`) : notRead(name, path);
  }
  return undefined;
}

export const fatal = (error: string): string =>
  `{"level":"fatal","ts":"","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":${JSON.stringify(error)}}`;

/** A file that a flag of a Kubernetes component names and that is not there. */
function notRead(flag: string, path: string): string {
  if (flag.startsWith('etcd-')) return creatingLeases(`open ${path}: ${MISSING}`);
  if (flag === 'client-ca-file') return failed(`unable to load client CA provider: open ${path}: ${MISSING}`);
  return failed(flag.endsWith('kubeconfig') ? `stat ${path}: ${MISSING}` : `open ${path}: ${MISSING}`);
}

/** The last line of a component of Kubernetes that does not come up. */
export const failed = (error: string): string => `E run.go:72] "command failed" err="${error}"`;
const creatingLeases = (error: string): string =>
  `F instance.go:226] Error creating leases: error creating storage factory: ${error}`;

/** A store that goes with its container is none that is simulated. */
function unmountedData(component: string, flags: ReadonlyMap<string, string>, pod: Pod): string | undefined {
  if (component !== 'etcd' || dataFolderOf(pod) !== undefined) return undefined;
  const path = flags.get('data-dir') ?? ETCD_DATA;
  return fatal(`no hostPath is mounted at data-dir ${path}: an etcd whose data go with its container is not simulated`);
}

/** Where a path of a container lies on the node's disk; undefined for one that is not mounted from there. */
export function hostPath(path: string, { volumeMounts = [] }: Container, { spec }: Pod): string | undefined {
  const mount = volumeMounts
    .map((one) => ({ ...one, mountPath: withoutSlash(one.mountPath) }))
    .filter(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
  const volume = mount && spec.volumes?.find(({ name }) => name === mount.name)?.hostPath;
  return volume && withoutSlash(volume.path) + path.slice(mount.mountPath.length);
}

const withoutSlash = (path: string): string => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** An API server without its etcd gives up. */
function lostEtcd(component: string, flags: ReadonlyMap<string, string>, etcd: Pod | undefined): string | undefined {
  if (component !== 'kube-apiserver') return undefined;
  const servers = (flags.get('etcd-servers') ?? '').split(',').map(parseServer);
  const ports = etcd === undefined ? [] : clientPorts(etcd);
  if (servers.some((server) => server && ports.includes(server.port))) return undefined;
  const [first] = servers;
  const address = first ? `${first.host}:${first.port}` : (flags.get('etcd-servers') ?? '');
  return [
    `W logging.go:55] [core] [Channel #1 SubChannel #2]grpc: addrConn.createTransport failed to connect to ` +
      `{Addr: "${address}", ServerName: "${address}", }. Err: connection error: desc = ` +
      `"transport: Error while dialing: dial tcp ${address}: connect: connection refused"`,
    creatingLeases('context deadline exceeded'),
  ].join('\n');
}

/** Ports that an etcd listens at for clients. */
function clientPorts({ spec }: Pod): number[] {
  const container = spec.containers[0];
  const urls = container && flagsIn(commandOf(container).slice(1)).get('listen-client-urls');
  if (urls === undefined) return [ETCD_PORT];
  return urls.split(',').flatMap((url) => parseServer(url)?.port ?? []);
}

/** A kubeconfig that is not readable as one, or names another server than the control plane's. */
function lostServer(
  component: string,
  flags: ReadonlyMap<string, string>,
  container: Container,
  pod: Pod,
  disk: Disk,
): string | undefined {
  const path = flags.get('kubeconfig');
  if (path === undefined || component === 'etcd' || component === 'kube-apiserver') return undefined;
  const content = disk.read(hostPath(path, container, pod) ?? '') ?? '';
  const server = content.split('\n').find((line) => line.trim().startsWith('server:'));
  const url = parseServer(server?.slice(server.indexOf(':') + 1).trim() ?? '');
  if (!url)
    return failed(
      'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    );
  return url.port === 6_443
    ? undefined
    : failed(
        `Get \\"https://${url.host}:${url.port}\\": dial tcp ${url.host}:${url.port}: connect: connection refused`,
      );
}
