import type { Container, Pod } from '../../../api/core_v1.js';
import type { Disk } from '../files/disk.js';
import { flagsOf, isFileFlag } from './component-flags.js';
import { parseServer } from './kubelet-start.js';

/** Ports that its clients, and probes, have to find a component at. */
const ETCD_PORT = 2_379;

/**
 * Why a component of the control plane does not come up from its manifest, in its own last words: a flag that it does
 * not have, a file that is not there, an etcd that it does not reach. Undefined: it comes up.
 */
export function findComponentFault(component: string, pod: Pod, disk: Disk): string | undefined {
  const container = pod.spec.containers[0];
  const known = flagsOf(component);
  if (!container || !known) return undefined;
  const [program = '', ...rest] = [...(container.command ?? []), ...(container.args ?? [])];
  if (program !== '' && baseName(program) !== component)
    return `exec: "${program}": executable file not found in $PATH`;
  const words = program === '' ? [] : rest;
  for (const word of words) {
    const flag = flagOf(word);
    if (flag !== undefined && !known.has(flag.name)) return unknownFlag(component, flag.name);
  }
  const flags = new Map(words.map(flagOf).flatMap((flag) => (flag ? [[flag.name, flag.value] as const] : [])));
  return (
    missingFile(component, flags, container, pod, disk) ??
    lostEtcd(component, flags) ??
    lostServer(component, flags, container, pod, disk)
  );
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
    return component === 'etcd'
      ? `{"level":"fatal","caller":"etcdmain/etcd.go:183","msg":"discovery failed","error":"open ${path}: no such file or directory"}`
      : `err="${name}: open ${path}: no such file or directory"`;
  }
  return undefined;
}

/** Where a path of a container lies on the node's disk; undefined for one that is not mounted from there. */
function hostPath(path: string, { volumeMounts = [] }: Container, { spec }: Pod): string | undefined {
  const mount = volumeMounts
    .filter(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
  const volume = mount && spec.volumes?.find(({ name }) => name === mount.name)?.hostPath;
  return volume && volume.path + path.slice(mount.mountPath.length);
}

/** An API server without its etcd gives up. */
function lostEtcd(component: string, flags: ReadonlyMap<string, string>): string | undefined {
  if (component !== 'kube-apiserver') return undefined;
  const servers = (flags.get('etcd-servers') ?? '').split(',');
  if (servers.some((server) => parseServer(server)?.port === ETCD_PORT)) return undefined;
  return `Error: error while dialing: dial tcp ${servers[0]?.replace('https://', '') ?? ''}: connect: connection refused`;
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
    return `err="invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable"`;
  return url.port === 6_443
    ? undefined
    : `err="Get "https://${url.host}:${url.port}": dial tcp ${url.host}:${url.port}: connect: connection refused"`;
}
