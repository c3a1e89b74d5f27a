import type { Container, KeyToPath, Pod, Volume, VolumeProjection } from '../../../api/core_v1.js';
import { extractFieldPath, extractResource } from '../container/fieldpath.js';
import { ConfigError, readConfigMap, readSecret, type Data, type ValueSource } from '../container/value-source.js';
import { trimRight } from '../../../machinery/text/strings.js';

/** File contents by path. */
type Files = Data;
const NO_FILES: Files = {};

/**
 * The files that a container's volumes show now, by absolute path. Objects that are missing yield no files.
 * Models the payloads of pkg/volume/configmap, secret, downwardapi and projected.
 */
export function mountedFiles(container: Container, source: ValueSource): Files {
  const mounts = container.volumeMounts ?? [];
  if (mounts.length === 0) return NO_FILES;
  const files: Record<string, string> = {};
  for (const { name, mountPath, subPath } of mounts) {
    const volume = source.pod.spec.volumes?.find((v) => v.name === name);
    const payload = volume ? makePayload(volume, container, source) : NO_FILES;
    const root = trimRight(mountPath, '/');
    for (const path in payload) {
      if (!subPath) files[`${root}/${path}`] = payload[path]!;
      else if (path === subPath) files[root] = payload[path]!;
      else if (path.startsWith(`${subPath}/`)) files[root + path.slice(subPath.length)] = payload[path]!;
    }
  }
  return files;
}

function makePayload(
  { configMap, secret, downwardAPI, projected }: Volume,
  container: Container,
  source: ValueSource,
): Files {
  if (secret) return makePayloadOf({ secret: { ...secret, name: secret.secretName } }, container, source);
  if (configMap ?? downwardAPI) return makePayloadOf({ configMap, downwardAPI }, container, source);
  const files: Record<string, string> = {};
  for (const projection of projected?.sources ?? []) Object.assign(files, makePayloadOf(projection, container, source));
  return files;
}

/** The files of one source of a projected volume; the other volumes have just one. */
function makePayloadOf(
  { configMap, secret, downwardAPI }: VolumeProjection,
  container: Container,
  source: ValueSource,
): Files {
  if (configMap) {
    const data = ignoreMissing(() => readConfigMap(configMap, source));
    return selectItems(data, configMap.items);
  }
  if (secret) {
    const data = ignoreMissing(() => readSecret(secret, source));
    return selectItems(data, secret.items);
  }
  return downwardAPI ? describePod(downwardAPI.items, container, source) : NO_FILES;
}

/** All keys, or those of `items` under the paths that these give. */
function selectItems(data: Data = NO_FILES, items: readonly KeyToPath[] | undefined): Files {
  if (!items?.length) return data;
  return Object.fromEntries(
    items.filter(({ key }) => data[key] !== undefined).map(({ key, path }) => [path, data[key]!]),
  );
}

function ignoreMissing(read: () => Data | undefined): Data | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
}

type DownwardItems = NonNullable<NonNullable<Volume['downwardAPI']>['items']>;

function describePod(items: DownwardItems = [], container: Container, source: ValueSource): Files {
  const files: Record<string, string> = {};
  for (const { path, fieldRef, resourceFieldRef } of items) {
    if (fieldRef) files[path] = extractFieldPath(fieldRef.fieldPath, source);
    else if (resourceFieldRef) {
      const named = findContainer(source.pod, resourceFieldRef.containerName) ?? container;
      files[path] = extractResource(resourceFieldRef, named, source);
    }
  }
  return files;
}

const findContainer = ({ spec }: Pod, name: string | undefined): Container | undefined =>
  spec.containers.find((c) => c.name === name);
