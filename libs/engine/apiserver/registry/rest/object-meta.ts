import {
  forbiddenField,
  invalidValue,
  Path,
  required,
  tooLong,
  type FieldError,
} from '../../../machinery/meta/field.js';
import type { Kind, NameRule } from '../../../machinery/kind.js';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../../machinery/meta/object.js';
import {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isQualifiedName,
  notNegative,
  validateLabels,
} from '../../../machinery/meta/validation.js';

const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const METADATA = Path.of('metadata');
const OWNERS = METADATA.child('ownerReferences');
const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];
/** Groups whose objects upstream does not validate as internal types. */
const NOT_INTERNAL = ['apiextensions.k8s.io', 'apiregistration.k8s.io', 'admissionregistration.k8s.io'];

const isInternal = (kind: Kind): boolean => !kind.schema && !NOT_INTERNAL.includes(kind.group);

const nameRules: Record<NameRule, (name: string) => string[]> = {
  subdomain: isDNS1123Subdomain,
  label: isDNS1123Label,
  label1035: isDNS1035Label,
  pathSegment: isPathSegmentName,
};

/** The rules for the metadata of every object. Models apimachinery/pkg/api/validation/objectmeta.go. */
export function validateObjectMeta(kind: Kind, { metadata }: KubeObject): FieldError[] {
  return [
    ...validateNames(kind, metadata),
    ...validateNamespace(kind, metadata),
    ...notNegative(METADATA.child('generation'), metadata.generation),
    ...validateLabels(metadata.labels, METADATA.child('labels')),
    ...validateAnnotations(metadata.annotations),
    ...validateOwnerReferences(metadata.ownerReferences),
    ...validateFinalizers(metadata.finalizers, isInternal(kind)),
  ];
}

/** A name that has become invalid since the object was created stays. Models ValidateObjectMetaUpdate. */
export function validateObjectMetaUpdate(kind: Kind, object: KubeObject, old: KubeObject): FieldError[] {
  const errors = validateObjectMeta({ ...kind, nameRule: 'pathSegment' }, object);
  return object.metadata.deletionTimestamp === undefined
    ? errors
    : [...errors, ...validateNoNewFinalizers(object, old)];
}

/** Models ValidateNoNewFinalizers. */
function validateNoNewFinalizers(object: KubeObject, old: KubeObject): FieldError[] {
  const existing = new Set(old.metadata.finalizers ?? []);
  const added = (object.metadata.finalizers ?? []).filter((name) => !existing.has(name));
  if (added.length === 0) return [];
  const list = `[]string{${added.map((name) => JSON.stringify(name)).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [forbiddenField(METADATA.child('finalizers'), detail)];
}

function validateNames({ nameRule = 'subdomain' }: Kind, { name, generateName }: ObjectMeta): FieldError[] {
  const [namePath, prefixPath] = [METADATA.child('name'), METADATA.child('generateName')];
  const rule = nameRules[nameRule];
  const prefixFaults = generateName ? rule(maskTrailingDash(generateName)) : [];
  const prefixErrors = prefixFaults.map((fault) => invalidValue(prefixPath, generateName, fault));
  if (!name) return [...prefixErrors, required(namePath, 'name or generateName is required')];
  return [...prefixErrors, ...rule(name).map((fault) => invalidValue(namePath, name, fault))];
}

function validateNamespace({ scope }: Kind, { namespace }: ObjectMeta): FieldError[] {
  if (scope === 'Cluster') return [];
  const path = METADATA.child('namespace');
  if (!namespace) return [required(path)];
  return isDNS1123Label(namespace).map((fault) => invalidValue(path, namespace, fault));
}

/** A prefix may end in a dash, since a suffix follows it. Models maskTrailingDash. */
const maskTrailingDash = (name: string): string =>
  name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;

function validateAnnotations(annotations: Record<string, string> | undefined): FieldError[] {
  if (!annotations) return [];
  const path = METADATA.child('annotations');
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) {
    errors.push(...isQualifiedName(key.toLowerCase()).map((m) => invalidValue(path, key, m)));
    bytes += key.length + value.length;
  }
  if (bytes > MAX_ANNOTATIONS_BYTES) errors.push(tooLong(path, MAX_ANNOTATIONS_BYTES));
  return errors;
}

function validateFinalizers(finalizers: readonly string[] | undefined, areQualified: boolean): FieldError[] {
  if (!finalizers?.length) return [];
  const path = METADATA.child('finalizers');
  const errors = finalizers.flatMap((f) => isQualifiedName(f).map((m) => invalidValue(path, f, m)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return areQualified ? [...errors, ...validateFinalizerNames(finalizers)] : errors;
}

/** Finalizers of built-in kinds have a group, but for the old ones. Models core/validation ValidateFinalizerName. */
function validateFinalizerNames(finalizers: readonly string[]): FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  const isKnown = (name: string): boolean => name.includes('/') || STANDARD_FINALIZERS.includes(name);
  const path = METADATA.child('finalizers');
  return finalizers.flatMap((name, i) => (isKnown(name) ? [] : [invalidValue(path.index(i), name, detail)]));
}

function validateOwnerReferences(owners: readonly OwnerReference[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const owner of owners ?? []) {
    errors.push(...validateOwnerReference(owner));
    if (!owner.controller) continue;
    const text = `${owner.kind ?? ''}/${owner.name ?? ''}`;
    if (controller === undefined) controller = text;
    else errors.push(invalidValue(OWNERS, owners, secondController(controller, text)));
  }
  return errors;
}

const secondController = (first: string, second: string): string =>
  `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;

function validateOwnerReference({ apiVersion = '', kind = '', name = '', uid = '' }: OwnerReference): FieldError[] {
  const errors: FieldError[] = [];
  // As upstream: 'apps/' has a group and no version; the path is the list's.
  if (!apiVersion || apiVersion.endsWith('/'))
    errors.push(invalidValue(OWNERS.child('apiVersion'), apiVersion, 'version must not be empty'));
  if (!kind) errors.push(invalidValue(OWNERS.child('kind'), kind, 'must not be empty'));
  if (!name) errors.push(invalidValue(OWNERS.child('name'), name, 'must not be empty'));
  if (!uid) errors.push(invalidValue(OWNERS.child('uid'), uid, 'must not be empty'));
  if (apiVersion === 'v1' && kind === 'Event') {
    const reference = { apiVersion, kind, name, uid };
    errors.push(invalidValue(OWNERS, reference, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}
