import type { Kind } from '../../machinery/kind.js';
import { apiVersionOf, type KubeObject, type Unstructured } from '../../machinery/meta/object.js';
import { completeManagedFields } from '../../runtime/managed-fields.js';
import { encodeMessage, encodeProtobuf, encodeProtobufList } from '../../schema/index.js';

/** An object in protobuf, in the envelope that names its type. */
export const encodeObject = (kind: Kind, object: KubeObject): Uint8Array =>
  encodeProtobuf(completeManagedFields(kind, object), kind.definition);

/** A list in protobuf, 'PodList' of 'Pod'. `metadata` is its ListMeta. */
export const encodeList = (
  kind: Kind,
  objects: readonly KubeObject[],
  metadata: Readonly<Record<string, unknown>>,
): Uint8Array =>
  encodeProtobufList(
    { apiVersion: apiVersionOf(kind.group, kind.version), kind: `${kind.kind}List`, metadata },
    objects.map((object) => itemBytes(kind, object)),
  );

/** Makes items ready for a list, which is then put together fast. */
export function encodeItems(kind: Kind, objects: readonly KubeObject[]): void {
  for (const object of objects) itemBytes(kind, object);
}

/** Stored objects are immutable, so each is encoded once a revision and version. */
const items = new WeakMap<KubeObject, Uint8Array>();

function itemBytes(kind: Kind, object: KubeObject): Uint8Array {
  const cached = items.get(object);
  if (cached) return cached;
  const bytes = encodeMessage(completeManagedFields(kind, object) as Unstructured, kind.definition);
  items.set(object, bytes);
  return bytes;
}
