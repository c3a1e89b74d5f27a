import type { ConfigMap, Container, KeyToPath, Pod, Secret, Volume, VolumeProjection } from '../../../api/core_v1.js';
import { bytesOf, fromArray } from '../../../kernel/bytes.js';
import { ConfigMaps, Nodes, Secrets } from '../../../kinds/index.js';
import { decodeBase64 } from '../../../machinery/text/base64.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import { extractFieldPath, extractResource } from '../container/fieldpath.js';
import type { ValueSource } from '../container/value-source.js';
import type { Payload, PayloadFile } from './atomic-writer.js';
import { readLater } from '../../../kernel/files/lazy-file.js';

const DEFAULT_MODE = 0o644;
/** Of a token whose reader is known. Models pkg/volume/projected/projected.go collectData. */
const TOKEN_MODE = 0o600;
const DEFAULT_TOKEN_SECONDS = 3_600;

/** Where the files of a volume come from. */
export interface PayloadSource extends ValueSource {
  /** A token of the pod's service account that is valid now. */
  token(audience: string | undefined, seconds: number): string;
}

export interface ProjectedPayload {
  readonly payload: Payload;
  /** When the youngest of the objects that it comes from was written; 0 when that is not known. */
  readonly modified: Millis;
}

/** A volume that shows objects of the API: it is written by the kubelet, and read-only for its containers. */
export const isProjected = ({ configMap, secret, downwardAPI, projected }: Volume): boolean =>
  Boolean(configMap ?? secret ?? downwardAPI ?? projected);

/** The files of a volume that shows objects of the API. Objects that are missing yield no files. */
export function makeProjectedPayload(volume: Volume, source: PayloadSource): ProjectedPayload {
  const { configMap, secret, downwardAPI, projected } = volume;
  const [sources, mode] = secret
    ? [[{ secret: { ...secret, name: secret.secretName } }], secret.defaultMode]
    : projected
      ? [projected.sources ?? [], projected.defaultMode]
      : [[{ configMap, downwardAPI }], (configMap ?? downwardAPI)?.defaultMode];
  const payload: Record<string, PayloadFile> = {};
  let modified = 0;
  for (const projection of sources) {
    const part = makePayloadOf(projection, mode ?? DEFAULT_MODE, source);
    Object.assign(payload, part.payload);
    modified = Math.max(modified, part.modified);
  }
  return { payload, modified };
}

function makePayloadOf(
  { configMap, secret, downwardAPI, serviceAccountToken }: VolumeProjection,
  mode: number,
  source: PayloadSource,
): ProjectedPayload {
  const namespace = source.pod.metadata.namespace ?? '';
  if (configMap) {
    const found = source.read?.get(ConfigMaps, { namespace, name: configMap.name ?? '' });
    const { data, modified } = found ? contentOf(found) : NOTHING;
    return { payload: selectItems(data, configMap.items, mode), modified };
  }
  if (secret) {
    const found = source.read?.get(Secrets, { namespace, name: secret.name ?? '' });
    const { data, modified } = found ? contentOf(found) : NOTHING;
    return { payload: selectItems(data, secret.items, mode), modified };
  }
  if (downwardAPI) return { payload: describePod(downwardAPI.items ?? [], mode, source), modified: 0 };
  if (!serviceAccountToken) return { payload: {}, modified: 0 };
  const { audience, expirationSeconds = DEFAULT_TOKEN_SECONDS, path } = serviceAccountToken;
  const user = commonUser(source.pod);
  const isReaderKnown = user !== undefined || source.pod.spec.securityContext?.fsGroup !== undefined;
  const file = {
    version: '',
    mode: isReaderKnown ? TOKEN_MODE : mode,
    ...(user === undefined ? {} : { user }),
  };
  return { payload: { [path]: readLater(file, () => source.token(audience, expirationSeconds)) }, modified: 0 };
}

/** What an object of the API shows in a volume. */
interface Content {
  readonly data: Readonly<Record<string, string>>;
  /** When the object was last written. */
  readonly modified: Millis;
}

const NOTHING: Content = { data: {}, modified: 0 };

/** Objects do not change, and a volume is looked at whenever one of its pod's containers is. */
const contents = new WeakMap<ConfigMap | Secret, Content>();

function contentOf(object: ConfigMap | Secret): Content {
  let content = contents.get(object);
  if (!content) {
    const data = object.kind === 'Secret' ? decodeValues(object.data) : configMapData(object);
    contents.set(object, (content = { data, modified: writtenAt(object) }));
  }
  return content;
}

const configMapData = ({ data = {}, binaryData }: ConfigMap): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(data).map(([key, text]) => [key, bytesOf(text)])),
  ...decodeValues(binaryData),
});

const decodeValues = (data: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, fromArray(decodeBase64(text))]));

/** All keys, or those of `items` under the paths that these give. Models pkg/volume/configmap MakePayload. */
function selectItems(data: Readonly<Record<string, string>>, items: readonly KeyToPath[] = [], mode: number): Payload {
  const entries: [string, PayloadFile][] =
    items.length === 0
      ? Object.entries(data).map(([key, content]) => [key, { content, mode }])
      : items.flatMap(({ key, path, mode: own }) =>
          data[key] === undefined ? [] : [[path, { content: data[key], mode: own ?? mode }] as [string, PayloadFile]],
        );
  return Object.fromEntries(entries);
}

type DownwardItems = NonNullable<NonNullable<Volume['downwardAPI']>['items']>;

function describePod(items: DownwardItems, mode: number, given: PayloadSource): Payload {
  const { pod, read } = given;
  // A limit that is not set is what the node can give.
  const node = given.node ?? read?.get(Nodes, { namespace: '', name: pod.spec.nodeName ?? '' });
  const source = { ...given, node };
  const payload: Record<string, PayloadFile> = {};
  for (const { path, fieldRef, resourceFieldRef, mode: own } of items) {
    const named = resourceFieldRef && findContainer(source.pod, resourceFieldRef.containerName);
    const text = fieldRef
      ? extractFieldPath(fieldRef.fieldPath, source)
      : resourceFieldRef && named
        ? extractResource(resourceFieldRef, named, source)
        : '';
    payload[path] = { content: bytesOf(text), mode: own ?? mode };
  }
  return payload;
}

const findContainer = ({ spec }: Pod, name: string | undefined): Container | undefined =>
  [...spec.containers, ...(spec.initContainers ?? [])].find((c) => c.name === name);

/** When an object was last written, as far as its managed fields tell. */
function writtenAt({ metadata: { creationTimestamp, managedFields = [] } }: ConfigMap | Secret): Millis {
  const times = [creationTimestamp, ...managedFields.map(({ time }) => time)];
  return Math.max(0, ...times.map((time) => (time ? parseTimestamp(time) : 0)));
}

/** The user that all of the pod's containers run as. Models pkg/securitycontext FsUserFrom. */
function commonUser({ spec }: Pod): number | undefined {
  const users = [...(spec.initContainers ?? []), ...spec.containers].map(
    (c) => c.securityContext?.runAsUser ?? spec.securityContext?.runAsUser,
  );
  return users.every((user) => user === users[0]) ? users[0] : undefined;
}
