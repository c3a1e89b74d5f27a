import type { Kind } from '../../../machinery/kind.js';
import { apiVersionOf, keyOf, type KubeObject, type Unstructured } from '../../../machinery/meta/object.js';
import { badRequest } from '../../../machinery/meta/status.js';
import { deepEqual } from '../../../machinery/meta/equal.js';
import { timestamp } from '../../../machinery/time/time.js';
import type { CreateWrite, UpdateWrite } from '../write.js';

const MAX_NAME_TRIES = 8;
const MAX_GENERATED_BASE = 58;
/** Actions whose strategies leave the generation alone. */
const KEEPS_GENERATION: ReadonlySet<string> = new Set(['binding', 'finalize']);

/** Gives the draft metadata of its own, and the type of the stored version. Throws 400. */
export function prepareMetadata({ kind, draft }: CreateWrite): void {
  const metadata = (draft.metadata = { ...draft.metadata });
  if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
  draft.apiVersion = apiVersionOf(kind.group, kind.version);
  draft.kind = kind.kind;
  if (kind.scope === 'Cluster') setOrDrop(metadata, 'namespace', undefined);
}

/** Names an object that only has a generateName. Models apiserver/pkg/storage/names/generate.go. */
export function generateName({ kind, draft, context, writer }: CreateWrite): void {
  const { metadata } = draft;
  if (metadata.name || !metadata.generateName) return;
  const base = metadata.generateName.slice(0, MAX_GENERATED_BASE);
  for (let i = 0; i < MAX_NAME_TRIES; i++) {
    metadata.name = base + context.random.suffix(5);
    if (!writer.state.get(kind, keyOf(draft))) return;
  }
}

/** Models registry/rest/meta.go FillObjectMetaSystemFields, and the resets of BeforeCreate. */
export function fillSystemFields({ kind, draft: { metadata }, context }: CreateWrite): void {
  metadata.uid = context.random.uuid();
  metadata.creationTimestamp = timestamp(context.now);
  setOrDrop(metadata, 'deletionTimestamp', undefined);
  setOrDrop(metadata, 'deletionGracePeriodSeconds', undefined);
  setOrDrop(metadata, 'selfLink', undefined);
  if (hasGeneration(kind)) metadata.generation = 1;
}

/** Takes the metadata that a client cannot change from the stored object. Models registry/rest/update.go. */
export function keepSystemFields({ draft, old }: UpdateWrite): void {
  draft.apiVersion = old.apiVersion;
  draft.kind = old.kind;
  draft.metadata = mergeMetadata(draft.metadata, old.metadata);
}

function mergeMetadata(draft: KubeObject['metadata'], old: KubeObject['metadata']): KubeObject['metadata'] {
  const { uid, creationTimestamp, resourceVersion, namespace } = old;
  const metadata = { ...draft, uid, creationTimestamp, resourceVersion };
  if (namespace !== undefined) metadata.namespace = namespace;
  setOrDrop(metadata, 'deletionTimestamp', old.deletionTimestamp);
  setOrDrop(metadata, 'deletionGracePeriodSeconds', old.deletionGracePeriodSeconds);
  setOrDrop(metadata, 'generation', old.generation);
  setOrDrop(metadata, 'generateName', metadata.generateName ?? old.generateName);
  setOrDrop(metadata, 'selfLink', undefined);
  setOrDrop(metadata, 'managedFields', metadata.managedFields ?? old.managedFields);
  return metadata;
}

/** Sets a field, or removes it where it stands: a `delete` of an absent field would make the object slow for good. */
export function setOrDrop<K extends keyof KubeObject['metadata']>(
  metadata: KubeObject['metadata'],
  field: K,
  value: KubeObject['metadata'][K],
): void {
  if (value !== undefined) metadata[field] = value;
  else if (field in metadata) delete metadata[field];
}

/** Begins a new generation when anything but metadata and, for most kinds, status has changed. */
export function increaseGeneration({ kind, target, draft, old }: UpdateWrite): void {
  if (hasGeneration(kind) && !KEEPS_GENERATION.has(target) && isSpecChanged(kind, draft, old))
    draft.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** Kinds with a status have a generation unless they say otherwise. */
const hasGeneration = ({ generation, subresources }: Kind): boolean =>
  Boolean(generation ?? subresources?.status === true);

function isSpecChanged({ generation }: Kind, draft: KubeObject, old: KubeObject): boolean {
  const isApart = generation !== 'with-status';
  const [a, b] = [draft as Unstructured, old as Unstructured];
  const fields = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const f of fields) if (f !== 'metadata' && !(f === 'status' && isApart) && !deepEqual(a[f], b[f])) return true;
  return false;
}
