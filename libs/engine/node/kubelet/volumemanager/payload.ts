import type { Container, KeyToPath, Pod, Volume } from '../../../api/core_v1.js';
import { ConfigError, configMap, field, resource, secret, type Surroundings } from '../container/environment.js';

type Files = Readonly<Record<string, string>>;
const NONE: Files = {};

/**
 * What volumes show inside a container now, by absolute path. What is not there is left out. Models the volume plugins'
 * payloads.
 */
export function mountedFiles(container: Container, around: Surroundings): Files {
  const mounts = container.volumeMounts ?? [];
  if (mounts.length === 0) return NONE;
  const files: Record<string, string> = {};
  for (const { name, mountPath, subPath } of mounts) {
    const volume = around.pod.spec.volumes?.find((v) => v.name === name);
    const shown = volume ? volumeFiles(volume, container, around) : NONE;
    const root = mountPath.replace(/\/+$/, '');
    for (const path in shown) {
      if (!subPath) files[`${root}/${path}`] = shown[path]!;
      else if (path === subPath) files[root] = shown[path]!;
      else if (path.startsWith(`${subPath}/`)) files[root + path.slice(subPath.length)] = shown[path]!;
    }
  }
  return files;
}

function volumeFiles(volume: Volume, container: Container, around: Surroundings): Files {
  const { configMap: map, secret: hidden, downwardAPI, projected } = volume;
  if (map) return keyed(() => configMap(map, around), map.items);
  if (hidden) return keyed(() => secret({ name: hidden.secretName, optional: hidden.optional }, around), hidden.items);
  if (downwardAPI) return described(downwardAPI.items, container, around);
  const files: Record<string, string> = {};
  for (const source of projected?.sources ?? []) {
    if (source.configMap)
      Object.assign(
        files,
        keyed(() => configMap(source.configMap!, around), source.configMap.items),
      );
    if (source.secret)
      Object.assign(
        files,
        keyed(() => secret(source.secret!, around), source.secret.items),
      );
    if (source.downwardAPI) Object.assign(files, described(source.downwardAPI.items, container, around));
  }
  return files;
}

/** All keys, or those that are asked for under the paths they are given. */
function keyed(read: () => Files | undefined, items: readonly KeyToPath[] | undefined): Files {
  const data = present(read) ?? NONE;
  if (!items?.length) return data;
  return Object.fromEntries(items.filter((i) => data[i.key] !== undefined).map((i) => [i.path, data[i.key]!]));
}

function present<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

type DownwardItems = NonNullable<NonNullable<Volume['downwardAPI']>['items']>;

function described(items: DownwardItems | undefined, container: Container, around: Surroundings): Files {
  const files: Record<string, string> = {};
  for (const { path, fieldRef, resourceFieldRef } of items ?? []) {
    if (fieldRef) files[path] = mapText(fieldRef.fieldPath, around.pod) ?? field(fieldRef.fieldPath, around);
    else if (resourceFieldRef)
      files[path] = resource(
        resourceFieldRef.resource,
        containerNamed(resourceFieldRef.containerName, container, around.pod),
        around,
      );
  }
  return files;
}

const containerNamed = (name: string | undefined, own: Container, { spec }: Pod): Container =>
  spec.containers.find((c) => c.name === name) ?? own;

/** All labels or annotations, one a line. Models pkg/fieldpath FormatMap. */
function mapText(path: string, { metadata }: Pod): string | undefined {
  const map =
    path === 'metadata.labels' ? metadata.labels : path === 'metadata.annotations' ? metadata.annotations : undefined;
  if (!map && path !== 'metadata.labels' && path !== 'metadata.annotations') return undefined;
  return Object.keys(map ?? {})
    .sort()
    .map((k) => `${k}=${JSON.stringify(map![k])}`)
    .join('\n');
}
