import { isBuiltIn, type Kind } from '../../machinery/kind.js';
import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import { completeManagedFields } from '../../runtime/managed-fields.js';

/** JSON of an object, and where its fields other than the type begin. */
interface Printed {
  readonly text: string;
  readonly tailAt: number;
  /** The text is that of the object as it is stored; else what clients see is added, and the type may be missing. */
  readonly isStored: boolean;
}

/** Stored objects are immutable, so their JSON is made once a revision. */
const printed = new WeakMap<KubeObject, Printed>();
const heads = new WeakMap<Kind, string>();
/** JSON of metadata. */
const partials = new WeakMap<KubeObject['metadata'], string>();

/** JSON of an object, kind and apiVersion first as Go writes them. */
export const objectText = (kind: Kind, object: KubeObject): string => head(kind) + tail(kind, object);

/** JSON of an object as it is stored: for the log, too, that of the answer to its creation. */
export function storedText(object: KubeObject): string {
  const known = printed.get(object);
  return known?.isStored ? known.text : JSON.stringify(object);
}

/** JSON of an object within a list: built-in kinds' items carry no type, as in Go's typed lists. */
export const itemText = (kind: Kind, object: KubeObject): string =>
  isBuiltIn(kind) ? `{${tail(kind, object)}` : objectText(kind, object);

/** JSON of an object's PartialObjectMetadata. `metaVersion`: of meta.k8s.io. */
export function partialText(kind: Kind, object: KubeObject, metaVersion: string): string {
  let text = partials.get(object.metadata);
  if (text === undefined)
    partials.set(object.metadata, (text = JSON.stringify(completeManagedFields(kind, object).metadata)));
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${metaVersion}","metadata":${text}}`;
}

/** '{"kind":"Pod","apiVersion":"v1",'. */
function head(kind: Kind): string {
  let text = heads.get(kind);
  if (text === undefined) {
    const apiVersion = apiVersionOf(kind.group, kind.version);
    text = `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
    heads.set(kind, text);
  }
  return text;
}

/** '"metadata":{…}}'. */
function tail(kind: Kind, object: KubeObject): string {
  let known = printed.get(object);
  if (known === undefined) printed.set(object, (known = print(kind, object)));
  return known.text.slice(known.tailAt);
}

function print(kind: Kind, object: KubeObject): Printed {
  const complete = completeManagedFields(kind, object);
  if (complete === object && beginsWithType(kind, object))
    return { text: JSON.stringify(object), tailAt: head(kind).length, isStored: true };
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = complete;
  return { text: JSON.stringify(rest), tailAt: 1, isStored: false };
}

/** Whether the object's JSON begins with its type: then that is as long as head(), in whichever order. */
function beginsWithType(kind: Kind, object: KubeObject): boolean {
  let fields = 0;
  for (const name in object) {
    if (fields === 2) break;
    if (name !== 'kind' && name !== 'apiVersion') return false;
    fields++;
  }
  return object.kind === kind.kind && object.apiVersion === apiVersionOf(kind.group, kind.version);
}
