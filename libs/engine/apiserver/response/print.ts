import { apiVersionOf, type KubeObject } from '../../machinery/meta/object.js';
import type { Kind } from '../../machinery/kind.js';
import { ApiError, tooManyRequests } from '../../machinery/meta/status.js';
import { withFields } from '../../runtime/attribution.js';

/** Stored objects never change, so their text is made once a revision. The text lacks the brace and the type. */
const tails = new WeakMap<object, string>();
const partials = new WeakMap<object, string>();
const converted = new WeakMap<Kind, WeakMap<KubeObject, KubeObject>>();
const heads = new WeakMap<Kind, string>();

/** The stored object as the requested version has it. Throws 500: a conversion webhook fails. */
export function inVersion<T extends KubeObject>(kind: Kind<T>, object: KubeObject): T {
  if (isAsStored(kind)) return object as T;
  const known = knownIn(kind);
  let result = known.get(object);
  if (!result) known.set(object, (result = convert(kind, [object])[0]!));
  return result as T;
}

/** The same of many, with one call of a conversion webhook. Throws 429, as a cache that cannot be filled. */
export function allInVersion<T extends KubeObject>(kind: Kind<T>, objects: readonly KubeObject[]): readonly T[] {
  const known = knownIn(kind);
  const foreign = kind.fromStored ? objects.filter((o) => !known.has(o)) : [];
  if (foreign.length > 0) remember(kind, foreign, known);
  return objects.map((o) => inVersion(kind, o));
}

function remember(kind: Kind, objects: readonly KubeObject[], known: WeakMap<KubeObject, KubeObject>): void {
  try {
    convert(kind, objects).forEach((result, i) => known.set(objects[i]!, result));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw tooManyRequests(
      `storage is (re)initializing: failed to list ${apiVersionOf(kind.group, kind.version)}, Kind=${kind.kind}: ${error.message}`,
      1,
    );
  }
}

/** What a custom kind's schema has come to say since an object was stored, it says when the object is read. */
const isAsStored = (kind: Kind): boolean => !kind.storedAs && !kind.fromStored;

function knownIn(kind: Kind): WeakMap<KubeObject, KubeObject> {
  let known = converted.get(kind);
  if (!known) converted.set(kind, (known = new WeakMap()));
  return known;
}

function convert(kind: Kind, objects: readonly KubeObject[]): readonly KubeObject[] {
  const whole = objects.map((o) => withFields(kind.storedAs?.kind ?? kind, o));
  return kind.fromStored ? kind.fromStored(whole) : whole.map((o) => kind.storedAs!.fromStorage(o));
}

/** The same with all its managed fields, for those who look into them. */
export const wholeInVersion = <T extends KubeObject>(kind: Kind<T>, object: KubeObject): T =>
  withFields(kind, inVersion(kind, object));

/** '{"kind":"Pod","apiVersion":"v1",': Go's order of fields. */
function head(kind: Kind): string {
  let text = heads.get(kind);
  if (!text)
    heads.set(
      kind,
      (text = `{"kind":${JSON.stringify(kind.kind)},"apiVersion":${JSON.stringify(apiVersionOf(kind.group, kind.version))},`),
    );
  return text;
}

function tail(kind: Kind, object: KubeObject): string {
  let text = tails.get(object);
  if (text === undefined) {
    const { kind: _kind, apiVersion: _apiVersion, ...rest } = withFields(kind, object);
    text = JSON.stringify(rest).slice(1);
    tails.set(object, text);
  }
  return text;
}

/** JSON of an object of the requested version, type first. */
export const objectText = (kind: Kind, object: KubeObject): string => head(kind) + tail(kind, object);

/** As in a list: built-in kinds' items carry no type, as Go's typed lists. */
export const itemText = (kind: Kind, object: KubeObject): string =>
  isBuiltIn(kind) ? `{${tail(kind, object)}` : objectText(kind, object);

export const isBuiltIn = (kind: Kind): boolean => kind.definition.startsWith('io.k8s.');

/** The metadata alone, as meta.k8s.io has it. */
export function partialText(kind: Kind, object: KubeObject, metaVersion: string): string {
  let text = partials.get(object.metadata);
  if (text === undefined) partials.set(object.metadata, (text = JSON.stringify(withFields(kind, object).metadata)));
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/${metaVersion}","metadata":${text}}`;
}
