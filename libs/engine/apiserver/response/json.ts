import { isBuiltIn, type Kind } from '../../machinery/kind.js';
import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import { completeManagedFields } from '../../runtime/managed-fields.js';

/** Stored objects are immutable, so their JSON is made once a revision: without the opening brace and the type. */
const tails = new WeakMap<KubeObject, string>();
const heads = new WeakMap<Kind, string>();
/** JSON of metadata. */
const partials = new WeakMap<KubeObject['metadata'], string>();

/** JSON of an object, kind and apiVersion first as Go writes them. */
export const objectText = (kind: Kind, object: KubeObject): string => head(kind) + tail(kind, object);

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

function tail(kind: Kind, object: KubeObject): string {
  let text = tails.get(object);
  if (text === undefined) {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = completeManagedFields(kind, object);
    text = JSON.stringify(rest).slice(1);
    tails.set(object, text);
  }
  return text;
}
