import { forbiddenField, invalidValue, Path, required, tooLong, type FieldError } from '../machinery/field.js';
import type { Kind, NameRule } from '../machinery/kind.js';
import type { KubeObject, OwnerReference } from '../machinery/object.js';
import { isDNS1035Label, isDNS1123Label, isDNS1123Subdomain, isPathSegmentName, isQualifiedName, validateLabels } from '../machinery/validation.js';

const MAX_ANNOTATIONS_BYTES = 256 * 1024;
const METADATA = Path.of('metadata');

const nameRules: Record<NameRule, (name: string) => string[]> = {
  subdomain: isDNS1123Subdomain, label: isDNS1123Label, label1035: isDNS1035Label, pathSegment: isPathSegmentName,
};

/** Rules for every object's metadata. Models apimachinery/pkg/api/validation/objectmeta.go. */
export function validateMetadata(kind: Kind, object: KubeObject): FieldError[] {
  const { name, generateName, namespace, labels, annotations, finalizers, ownerReferences } = object.metadata;
  const errors: FieldError[] = [];
  const rule = nameRules[kind.nameRule ?? 'subdomain'];
  if (generateName) errors.push(...rule(maskTrailingDash(generateName)).map((m) => invalidValue(METADATA.child('generateName'), generateName, m)));
  if (!name) errors.push(required(METADATA.child('name'), 'name or generateName is required'));
  else errors.push(...rule(name).map((m) => invalidValue(METADATA.child('name'), name, m)));
  if (kind.scope === 'Namespaced') {
    if (!namespace) errors.push(required(METADATA.child('namespace')));
    else errors.push(...isDNS1123Label(namespace).map((m) => invalidValue(METADATA.child('namespace'), namespace, m)));
  }
  errors.push(...validateLabels(labels, METADATA.child('labels')));
  errors.push(...validateAnnotations(annotations), ...validateFinalizers(finalizers), ...validateOwners(ownerReferences));
  return errors;
}

export function validateMetadataUpdate(kind: Kind, object: KubeObject, old: KubeObject): FieldError[] {
  const errors = validateMetadata({ ...kind, nameRule: 'pathSegment' }, object);
  const before = new Set(old.metadata.finalizers ?? []);
  if (object.metadata.deletionTimestamp !== undefined) {
    const added = (object.metadata.finalizers ?? []).filter((f) => !before.has(f));
    if (added.length > 0) {
      const list = `[]string{${added.map((f) => JSON.stringify(f)).join(', ')}}`;
      errors.push(forbiddenField(METADATA.child('finalizers'), `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`));
    }
  }
  return errors;
}

const maskTrailingDash = (name: string): string => (name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

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

function validateFinalizers(finalizers: readonly string[] | undefined): FieldError[] {
  const path = METADATA.child('finalizers');
  const errors = (finalizers ?? []).flatMap((f, i) => isQualifiedName(f).map((m) => invalidValue(path.index(i), f, m)));
  if (finalizers?.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalidValue(path, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

function validateOwners(owners: readonly OwnerReference[] | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const path = METADATA.child('ownerReferences');
  (owners ?? []).forEach((owner, i) => {
    const at = path.index(i);
    if (!owner.apiVersion) errors.push(invalidValue(at.child('apiVersion'), owner.apiVersion ?? '', 'version must not be empty'));
    if (!owner.kind) errors.push(invalidValue(at.child('kind'), owner.kind ?? '', 'must not be empty'));
    if (!owner.name) errors.push(invalidValue(at.child('name'), owner.name ?? '', 'must not be empty'));
    if (!owner.uid) errors.push(invalidValue(at.child('uid'), owner.uid ?? '', 'must not be empty'));
  });
  const controllers = (owners ?? []).filter((o) => o.controller);
  if (controllers.length > 1) {
    errors.push(invalidValue(path, owners, `Only one reference can have Controller set to true. Found "true" in references for ${controllers[0]!.name} and ${controllers[1]!.name}`));
  }
  return errors;
}
