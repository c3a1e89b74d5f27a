import { parseYaml } from '../../../../engine/schema/index.js';
import { isMap } from '../../go-template/values.js';
import { lastName } from '../../names.js';
import { HelmFailure } from '../failure.js';
import type { Hook } from '../release/release.js';

/** One object of a rendered file. */
export interface Manifest {
  /** The template's path. */
  readonly path: string;
  readonly content: string;
  readonly kind: string;
  readonly name: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Models releaseutil.InstallOrder. */
const INSTALL_ORDER = (
  'PriorityClass Namespace NetworkPolicy ResourceQuota LimitRange PodSecurityPolicy PodDisruptionBudget ServiceAccount ' +
  'Secret SecretList ConfigMap StorageClass PersistentVolume PersistentVolumeClaim CustomResourceDefinition ClusterRole ' +
  'ClusterRoleList ClusterRoleBinding ClusterRoleBindingList Role RoleList RoleBinding RoleBindingList Service DaemonSet ' +
  'Pod ReplicationController ReplicaSet Deployment HorizontalPodAutoscaler StatefulSet Job CronJob IngressClass Ingress ' +
  'APIService'
).split(' ');
const UNINSTALL_ORDER = (
  'APIService Ingress IngressClass Service CronJob Job StatefulSet HorizontalPodAutoscaler Deployment ReplicaSet ' +
  'ReplicationController Pod DaemonSet RoleBindingList RoleBinding RoleList Role ClusterRoleBindingList ' +
  'ClusterRoleBinding ClusterRoleList ClusterRole CustomResourceDefinition PersistentVolumeClaim PersistentVolume ' +
  'StorageClass ConfigMap SecretList Secret ServiceAccount PodDisruptionBudget PodSecurityPolicy LimitRange ' +
  'ResourceQuota NetworkPolicy Namespace PriorityClass'
).split(' ');

const EVENTS = [
  ...['pre-install', 'post-install', 'pre-delete', 'post-delete', 'pre-upgrade', 'post-upgrade', 'pre-rollback'],
  ...['post-rollback', 'test'],
];

/** Documents of a text, trimmed, without empty ones. Models releaseutil.SplitManifests. */
export function splitManifests(text: string): string[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.startsWith('---')) parts.push([line.slice('---'.length)]);
    else parts.at(-1)!.push(line);
  }
  return parts.map((lines) => lines.join('\n').trim()).filter((part) => part !== '');
}

/** By kind, those of one kind as they came; kinds that the order does not know stand at its end, by name. */
export function sortByKind<T extends { readonly kind: string }>(list: readonly T[], order = INSTALL_ORDER): T[] {
  const rank = (kind: string): number => {
    const at = order.indexOf(kind);
    return at < 0 ? order.length : at;
  };
  return [...list].sort((a, b) => {
    const first = rank(a.kind) - rank(b.kind);
    if (first !== 0 || rank(a.kind) < order.length) return first;
    return a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0;
  });
}

export const sortForUninstall = <T extends { readonly kind: string }>(list: readonly T[]): T[] =>
  sortByKind(list, UNINSTALL_ORDER);

/** Hooks and other objects of rendered files, in the order of their kinds. Models SortManifests. Throws HelmFailure. */
export function sortManifests(files: ReadonlyMap<string, string>): { hooks: Hook[]; manifests: Manifest[] } {
  const hooks: Hook[] = [];
  const manifests: Manifest[] = [];
  for (const path of [...files.keys()].sort()) {
    if (lastName(path).startsWith('_')) continue;
    for (const content of splitManifests(files.get(path)!)) {
      const one = readManifest(path, content);
      const types = one.annotations['helm.sh/hook'];
      if (types === undefined) manifests.push(one);
      else {
        const hook = hookOf(one, types);
        if (hook) hooks.push(hook);
      }
    }
  }
  return { hooks: sortByKind(hooks), manifests: sortByKind(manifests) };
}

export function readManifest(path: string, content: string): Manifest {
  const { value, error } = parseYaml(content);
  if (error !== undefined)
    throw new HelmFailure(`YAML parse error on ${path}: error converting YAML to JSON: ${error}`);
  const object = isMap(value) ? value : {};
  if (value !== null && value !== undefined && !isMap(value))
    throw new HelmFailure(
      `YAML parse error on ${path}: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${Array.isArray(value) ? 'array' : typeof value} into Go value of type releaseutil.SimpleHead`,
    );
  const metadata = isMap(object['metadata']) ? object['metadata'] : {};
  const annotations = isMap(metadata['annotations']) ? metadata['annotations'] : {};
  const text = (of: unknown): string => (typeof of === 'string' ? of : '');
  return {
    ...{ path, content, kind: text(object['kind']), name: text(metadata['name']) },
    annotations: Object.fromEntries(Object.entries(annotations).map(([name, one]) => [name, String(one)])),
  };
}

/** Undefined: it is for no event that helm knows. */
function hookOf({ path, content, kind, name, annotations }: Manifest, types: string): Hook | undefined {
  const events = listOf(types).map((one) => (one === 'test-success' ? 'test' : one));
  if (events.some((one) => !EVENTS.includes(one))) return undefined;
  const weight = annotations['helm.sh/hook-weight'] ?? '';
  return {
    ...{ name, kind, path, manifest: content, events },
    last_run: { started_at: '', completed_at: '', phase: '' },
    weight: /^[-+]?\d+$/.test(weight) ? Number(weight) : 0,
    delete_policies: listOf(annotations['helm.sh/hook-delete-policy'] ?? ''),
    output_log_policies: listOf(annotations['helm.sh/hook-output-log-policy'] ?? ''),
  };
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '');
