import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from '../api/apiextensions_v1.js';
import type { Kind } from '../machinery/kind.js';
import { keyOf, type KubeObject, type Unstructured } from '../machinery/meta/object.js';
import { ApiError } from '../machinery/meta/status.js';
import type { Column } from '../machinery/meta/table.js';
import { ageColumn, nameColumn } from '../machinery/meta/columns.js';
import { createConverter, type Convert } from './conversion.js';
import { compilePrinterColumn } from './printer-columns.js';
import { applyDefaults } from './schema/defaulting.js';
import { findUnknownFields, prune } from './schema/pruning.js';
import type { StructuralSchema } from './schema/structural-schema.js';
import { createFieldSelector } from './jsonpath.js';
import { validateScale } from './scale.js';
import { validateCustomResource, validateCustomResourceStatus } from './validation.js';
import type { CallWebhook } from '../machinery/requests/webhook.js';

/**
 * The kinds that a CRD adds, one for each served version, the storage version first; a storage version that is not
 * served is internal. An object stays in the version it was stored in until it is written again. `call` calls the
 * conversion webhook.
 */
export function compileCrd(crd: CustomResourceDefinition, call?: CallWebhook): Kind[] {
  const versions = crd.spec.versions ?? [];
  const storage = versions.find((v) => v.storage);
  if (!storage) return [];
  const convert = createConverter(crd, call);
  const stored: Kind<Unstructured> = {
    ...compileVersion(crd, storage),
    fromStored: createVersionConverter(convert, storage),
    ...(storage.served ? {} : { internal: true }),
  };
  const others = versions
    .filter((v) => v !== storage && v.served)
    .map((version) => {
      const [toStored, fromStored] = [
        createVersionConverter(convert, storage, version),
        createVersionConverter(convert, version),
      ];
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

/** Converts objects to the version `to`; they are pruned and defaulted by the schemas of both versions. */
function createVersionConverter(
  convert: Convert,
  to: CustomResourceDefinitionVersion,
  from?: CustomResourceDefinitionVersion,
): (objects: readonly KubeObject[]) => readonly Unstructured[] {
  const schema = from?.schema?.openAPIV3Schema as StructuralSchema | undefined;
  const targetSchema = to.schema?.openAPIV3Schema as StructuralSchema | undefined;
  return (objects) => {
    const given = objects as readonly Unstructured[];
    const complete = schema ? given.map((object) => pruneAndDefault(object, schema)) : given;
    return convert(complete, to.name).map((object) => (targetSchema ? pruneAndDefault(object, targetSchema) : object));
  };
}

/** The object as the schema prunes and defaults it; the same object when that changes nothing. */
const pruneAndDefault = (object: Unstructured, schema: StructuralSchema): Unstructured =>
  applyDefaults(schema, prune(schema, object, true)) as Unstructured;

function compileVersion(
  { spec, status: crdStatus }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): Kind<Unstructured> {
  const { names } = spec;
  const schema = version.schema?.openAPIV3Schema as StructuralSchema | undefined;
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
    // Without the subresource a status is a field as others (customresource/strategy.go PrepareForUpdate).
    generation: status ? true : 'with-status',
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
      (version.selectableFields ?? []).map(({ jsonPath }) => [
        jsonPath.replace(/^\./, ''),
        createFieldSelector(jsonPath),
      ]),
    ),
    columns: compileColumns(version),
    ...(schema ? { schema: schema as Record<string, unknown> } : {}),
    ...(version.deprecated
      ? { deprecation: version.deprecationWarning || `${spec.group}/${version.name} ${names.kind} is deprecated` }
      : {}),
    ...(status ? statusStrategy : {}),
    ...(isTerminating(crdStatus) ? TERMINATING : {}),
    ...(schema
      ? {
          defaults: (draft) => pruneAndDefaultDraft(draft, schema),
          unknownFields: (object) => findUnknownFields(schema, object, true),
          ...createValidators(schema, scale),
        }
      : {}),
  };
}

/** The kind has one validation for creates and updates: an update finds the stored object of the same uid. */
const createValidators = (
  schema: StructuralSchema,
  scale: CustomResourceSubresourceScale | undefined,
): Pick<Kind<Unstructured>, 'validate' | 'validateStatusUpdate'> & ThisType<Kind<Unstructured>> => ({
  validate(object, context) {
    const old = context.read.get(this, keyOf(object));
    return [
      ...validateCustomResource(object, old && old.metadata.uid === object.metadata.uid ? old : undefined, schema),
      ...validateScale(object, scale?.specReplicasPath),
    ];
  },
  validateStatusUpdate: (object, old) => [
    ...validateCustomResourceStatus(object, old, schema),
    ...validateScale(object, scale?.statusReplicasPath),
  ],
});

const compileColumns = ({
  additionalPrinterColumns,
}: CustomResourceDefinitionVersion): readonly Column<Unstructured>[] =>
  additionalPrinterColumns?.length
    ? [nameColumn, ...additionalPrinterColumns.map(compilePrinterColumn)]
    : [nameColumn, ageColumn];

/** Models apiextensions-apiserver/pkg/registry/customresource: status is written only through its own subresource. */
const statusStrategy: Pick<Kind<Unstructured>, 'prepareForCreate' | 'prepareForUpdate' | 'prepareForStatusUpdate'> = {
  prepareForCreate(draft) {
    delete draft['status'];
  },
  prepareForUpdate(draft, old) {
    if (old['status'] === undefined) delete draft['status'];
    else draft['status'] = old['status'];
  },
  prepareForStatusUpdate(draft, old) {
    for (const field of Object.keys(draft)) if (!KEPT_BY_STATUS.has(field)) delete draft[field];
    for (const field of Object.keys(old)) if (!KEPT_BY_STATUS.has(field)) draft[field] = old[field];
  },
};
const isTerminating = (status: CustomResourceDefinition['status'] | undefined): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Terminating' && condition.status === 'True') ?? false;

/** Models apiextensions-apiserver/pkg/apiserver/customresource_handler.go: no object comes while all of them go. */
const TERMINATING: Pick<Kind<Unstructured>, 'prepareForCreate'> = {
  prepareForCreate() {
    throw new ApiError(405, 'MethodNotAllowed', 'create not allowed while custom resource definition is terminating');
  },
};
const KEPT_BY_STATUS = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** The same in place; subtrees that are complete stay shared. */
function pruneAndDefaultDraft(draft: Unstructured, schema: StructuralSchema): void {
  const complete = pruneAndDefault(draft, schema);
  if (complete === draft) return;
  for (const field of Object.keys(draft)) if (!(field in complete)) delete draft[field];
  Object.assign(draft, complete);
}
