import { forbiddenField, invalidValue, Path, required, tooLong, type FieldError } from '../../machinery/meta/field.js';
import type { Kind, NameRule } from '../../machinery/kind.js';
import type { KubeObject, OwnerReference } from '../../machinery/meta/object.js';
import {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  isQualifiedName,
  notNegative,
  validateLabels,
} from '../../machinery/meta/validation.js';

const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const METADATA = Path.of('metadata');
const STANDARD_FINALIZERS = ['kubernetes', 'orphan', 'foregroundDeletion'];
/** Groups that upstream validates outside its internal types. */
const NOT_INTERNAL = ['apiextensions.k8s.io', 'apiregistration.k8s.io', 'admissionregistration.k8s.io'];

const isInternal = (kind: Kind): boolean => !kind.schema && !NOT_INTERNAL.includes(kind.group);

const nameRules: Record<NameRule, (name: string) => string[]> = {
  subdomain: isDNS1123Subdomain,
  label: isDNS1123Label,
  label1035: isDNS1035Label,
  pathSegment: isPathSegmentName,
};

/** Rules for every object's metadata. Models apimachinery/pkg/api/validation/objectmeta.go. */
export function validateObjectMeta(kind: Kind, object: KubeObject): FieldError[] {
  const { name, generateName, namespace, generation, labels, annotations, finalizers, ownerReferences } =
    object.metadata;
  const errors: FieldError[] = [];
  const rule = nameRules[kind.nameRule ?? 'subdomain'];
  if (generateName)
    errors.push(
      ...rule(maskTrailingDash(generateName)).map((m) => invalidValue(METADATA.child('generateName'), generateName, m)),
    );
  if (!name) errors.push(required(METADATA.child('name'), 'name or generateName is required'));
  else errors.push(...rule(name).map((m) => invalidValue(METADATA.child('name'), name, m)));
  if (kind.scope === 'Namespaced') {
    if (!namespace) errors.push(required(METADATA.child('namespace')));
    else errors.push(...isDNS1123Label(namespace).map((m) => invalidValue(METADATA.child('namespace'), namespace, m)));
  }
  errors.push(
    ...notNegative(METADATA.child('generation'), generation),
    ...validateLabels(labels, METADATA.child('labels')),
  );
  errors.push(
    ...validateAnnotations(annotations),
    ...validateOwnerReferences(ownerReferences),
    ...validateFinalizers(finalizers, isInternal(kind)),
  );
  return errors;
}

export function validateObjectMetaUpdate(kind: Kind, object: KubeObject, old: KubeObject): FieldError[] {
  const errors = validateObjectMeta({ ...kind, nameRule: 'pathSegment' }, object);
  const before = new Set(old.metadata.finalizers ?? []);
  if (object.metadata.deletionTimestamp !== undefined) {
    const added = (object.metadata.finalizers ?? []).filter((f) => !before.has(f));
    if (added.length > 0) {
      const list = `[]string{${added.map((f) => JSON.stringify(f)).join(', ')}}`;
      errors.push(
        forbiddenField(
          METADATA.child('finalizers'),
          `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
        ),
      );
    }
  }
  return errors;
}

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

function validateFinalizers(finalizers: readonly string[] | undefined, qualified: boolean): FieldError[] {
  if (!finalizers?.length) return [];
  const path = METADATA.child('finalizers');
  const errors = finalizers.flatMap((f) => isQualifiedName(f).map((m) => invalidValue(path, f, m)));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return qualified ? [...errors, ...validateFinalizerNames(finalizers)] : errors;
}

/** Built-in kinds take no bare name but the old ones. */
const validateFinalizerNames = (finalizers: readonly string[] | undefined): FieldError[] =>
  (finalizers ?? []).flatMap((f, i) =>
    f.includes('/') || STANDARD_FINALIZERS.includes(f)
      ? []
      : [
          invalidValue(
            METADATA.child('finalizers').index(i),
            f,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );

function validateOwnerReferences(owners: readonly OwnerReference[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const path = METADATA.child('ownerReferences');
  let first: string | undefined;
  for (const owner of owners ?? []) {
    const { apiVersion = '', kind = '', name = '', uid = '' } = owner;
    // As upstream: 'apps/' has a group and no version; the path is the list's.
    if (!apiVersion || apiVersion.endsWith('/'))
      errors.push(invalidValue(path.child('apiVersion'), apiVersion, 'version must not be empty'));
    if (!kind) errors.push(invalidValue(path.child('kind'), kind, 'must not be empty'));
    if (!name) errors.push(invalidValue(path.child('name'), name, 'must not be empty'));
    if (!uid) errors.push(invalidValue(path.child('uid'), uid, 'must not be empty'));
    if (apiVersion === 'v1' && kind === 'Event')
      errors.push(
        invalidValue(path, { apiVersion, kind, name, uid }, '/v1, Kind=Event is disallowed from being an owner'),
      );
    if (!owner.controller) continue;
    const text = `${kind}/${name}`;
    if (first === undefined) first = text;
    else
      errors.push(
        invalidValue(
          path,
          owners,
          `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${text}`,
        ),
      );
  }
  return errors;
}
