import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '../api/apiextensions_v1.js';
import type { Kind } from '../machinery/kind.js';
import { keyOf, type KubeObject, type Unstructured } from '../machinery/meta/object.js';
import type { Column } from '../machinery/meta/table.js';
import { ageColumn, nameColumn } from '../machinery/meta/columns.js';
import { conversionOf, type Convert } from './conversion.js';
import { printerColumn } from './printer-columns.js';
import { fill, prune, unknownFields, type Schema } from './structural-schema.js';
import { selectText } from './jsonpath.js';
import { validateReplicas } from './scale.js';
import { validateCustom, validateCustomStatus } from './validation.js';
import type { CallWebhook } from '../machinery/webhook.js';

/**
 * The kinds that a CRD adds, one a version, the storage version first. An object stays in the version it was stored in
 * until
 * it is written again. A storage version that is not served is internal. `call` asks its conversion webhook.
 */
export function compileCrd(crd: CustomResourceDefinition, call?: CallWebhook): Kind[] {
  const versions = crd.spec.versions ?? [];
  const storage = versions.find((v) => v.storage);
  if (!storage) return [];
  const convert = conversionOf(crd, call);
  const stored: Kind<Unstructured> = {
    ...compileVersion(crd, storage),
    fromStored: converter(convert, storage),
    ...(storage.served ? {} : { internal: true }),
  };
  const others = versions
    .filter((v) => v !== storage && v.served)
    .map((version) => {
      const [toStored, fromStored] = [converter(convert, storage, version), converter(convert, version)];
      return {
        ...compileVersion(crd, version),
        fromStored,
        storedAs: {
          kind: stored,
          toStorage: (object: KubeObject) => toStored([object])[0]!,
          fromStorage: (object: KubeObject) => fromStored([object])[0]!,
        },
      };
    });
  return [stored, ...others];
}

/** Brings objects to a version; what each version knows and defaults is settled on its side. */
function converter(
  convert: Convert,
  to: CustomResourceDefinitionVersion,
  from?: CustomResourceDefinitionVersion,
): (objects: readonly KubeObject[]) => readonly Unstructured[] {
  const schema = from?.schema?.openAPIV3Schema as Schema | undefined;
  const wanted = to.schema?.openAPIV3Schema as Schema | undefined;
  return (objects) => {
    const given = objects as readonly Unstructured[];
    const settled = schema ? given.map((object) => shaped(object, schema)) : given;
    return convert(settled, to.name).map((object) => (wanted ? shaped(object, wanted) : object));
  };
}

/** Without what the schema does not know, with its defaults; the same object when that changes nothing. */
const shaped = (object: Unstructured, schema: Schema): Unstructured =>
  fill(schema, prune(schema, object, true)) as Unstructured;

function compileVersion(
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): Kind<Unstructured> {
  const { names } = spec;
  const schema = version.schema?.openAPIV3Schema as Schema | undefined;
  const { status, scale } = version.subresources ?? {};
  return {
    group: spec.group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    singular: names.singular || names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    scope: spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    definition: '',
    needsVersion: true,
    generation: true,
    subresources: {
      ...(status ? { status: true } : {}),
      ...(scale
        ? {
            scale: {
              spec: scale.specReplicasPath,
              status: scale.statusReplicasPath,
              ...(scale.labelSelectorPath ? { selector: scale.labelSelectorPath } : {}),
            },
          }
        : {}),
    },
    fieldSelectors: Object.fromEntries(
      (version.selectableFields ?? []).map(({ jsonPath }) => [jsonPath.replace(/^\./, ''), selectText(jsonPath)]),
    ),
    columns: columnsOf(version),
    ...(schema ? { schema: schema as Record<string, unknown> } : {}),
    ...(version.deprecated
      ? { deprecation: version.deprecationWarning || `${spec.group}/${version.name} ${names.kind} is deprecated` }
      : {}),
    ...(status ? statusHooks : {}),
    ...(schema
      ? {
          defaults: (draft) => shape(draft, schema),
          unknownFields: (object) => unknownFields(schema, object, true),
          ...checksOf(schema, scale),
        }
      : {}),
  };
}

/** A create finds no object of the same uid; an update is compared with the one that is stored. */
const checksOf = (
  schema: Schema,
  scale: CustomResourceSubresourceScale | undefined,
): Pick<Kind<Unstructured>, 'validate' | 'validateStatusUpdate'> & ThisType<Kind<Unstructured>> => ({
  validate(object, context) {
    const old = context.read.get(this, keyOf(object));
    return [
      ...validateCustom(object, old && old.metadata.uid === object.metadata.uid ? old : undefined, schema),
      ...validateReplicas(object, scale?.specReplicasPath),
    ];
  },
  validateStatusUpdate: (object, old) => [
    ...validateCustomStatus(object, old, schema),
    ...validateReplicas(object, scale?.statusReplicasPath),
  ],
});

const columnsOf = ({ additionalPrinterColumns }: CustomResourceDefinitionVersion): readonly Column<Unstructured>[] =>
  additionalPrinterColumns?.length
    ? [nameColumn, ...additionalPrinterColumns.map(printerColumn)]
    : [nameColumn, ageColumn];

/** Models apiextensions-apiserver/pkg/registry/customresource: status is written only through its own subresource. */
const statusHooks: Pick<Kind<Unstructured>, 'prepareForCreate' | 'prepareForUpdate' | 'prepareForStatusUpdate'> = {
  prepareForCreate(draft) {
    delete draft['status'];
  },
  prepareForUpdate(draft, old) {
    if (old['status'] === undefined) delete draft['status'];
    else draft['status'] = old['status'];
  },
  prepareForStatusUpdate(draft, old) {
    for (const field of Object.keys(draft)) if (!KEPT.has(field)) delete draft[field];
    for (const field of Object.keys(old)) if (!KEPT.has(field)) draft[field] = old[field];
  },
};
const KEPT = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Drops what the schema does not know and fills its defaults; the parts that are complete already stay shared. */
function shape(draft: Unstructured, schema: Schema): void {
  const shaped = fill(schema, prune(schema, draft, true)) as Unstructured;
  if (shaped === draft) return;
  for (const field of Object.keys(draft)) if (!(field in shaped)) delete draft[field];
  Object.assign(draft, shaped);
}
