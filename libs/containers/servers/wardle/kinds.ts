import type { CustomResourceDefinition } from '../../../engine/api/apiextensions_v1.js';
import { compileCrd } from '../../../engine/extensions/compile.js';
import type { Kind } from '../../../engine/machinery/kind.js';
import { invalidValue, Path, type FieldError } from '../../../engine/machinery/meta/field.js';
import type { KubeObject, Unstructured } from '../../../engine/machinery/meta/object.js';
import { invalid } from '../../../engine/machinery/meta/status.js';
import { nameColumn } from '../../../engine/machinery/meta/columns.js';
import type { Column } from '../../../engine/machinery/meta/table.js';
import { Registry } from '../../../engine/runtime/registry.js';

export const GROUP = 'wardle.example.com';
const [ALPHA, BETA] = ['v1alpha1', 'v1beta1'];

const text = (description: string) => ({ type: 'string', description });
const objectOf = (properties: object) => ({ type: 'object', properties });
const REFERENCE_TYPES = ['', 'Flunder', 'Fischer'];

const flunderVersion = (name: string, isStored: boolean, spec: object) => ({
  ...{ name, served: true, storage: isStored },
  schema: {
    openAPIV3Schema: objectOf({
      spec: { ...objectOf(spec), default: {} },
      status: { type: 'object', default: {} },
    }),
  },
});

const definitionOf = (plural: string, kind: string, scope: string, versions: readonly object[]) =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, names: { plural, singular: kind.toLowerCase(), kind }, scope, versions },
  }) as unknown as CustomResourceDefinition;

const FLUNDERS = definitionOf('flunders', 'Flunder', 'Namespaced', [
  flunderVersion(ALPHA!, true, {
    reference: text('A name of another flunder or fischer, depending on the reference type.'),
    referenceType: text('The reference type, defaults to "Flunder" if reference is set.'),
  }),
  flunderVersion(BETA!, false, {
    flunderReference: text('A name of another flunder, mutually exclusive to the FischerReference.'),
    fischerReference: text('A name of a fischer, mutually exclusive to the FlunderReference.'),
    referenceType: text('The reference type.'),
  }),
]);

const FISCHERS = definitionOf('fischers', 'Fischer', 'Cluster', [
  {
    ...{ name: ALPHA, served: true, storage: true },
    schema: {
      openAPIV3Schema: objectOf({
        disallowedFlunders: {
          ...{ type: 'array', items: { type: 'string' } },
          description: 'DisallowedFlunders holds a list of Flunder.Names that are disallowed.',
        },
      }),
    },
  },
]);

/** What a server prints that has no columns of its own. Models registry/rest/table.go. */
const COLUMNS: readonly Column[] = [
  nameColumn,
  {
    ...{ name: 'Created At', type: 'date', description: 'CreationTimestamp is a timestamp of the creation.' },
    cell: ({ metadata }) => metadata.creationTimestamp ?? '',
  },
];

interface FlunderSpec {
  readonly reference?: string;
  readonly flunderReference?: string;
  readonly fischerReference?: string;
  readonly referenceType?: string;
}
const specOf = (object: KubeObject): FlunderSpec => ((object as Unstructured)['spec'] ?? {}) as FlunderSpec;

/** Models v1alpha1/conversion.go. */
function toAlpha(object: KubeObject): Unstructured {
  const { flunderReference, fischerReference, ...rest } = specOf(object);
  const reference = flunderReference || fischerReference || rest.reference;
  const spec = { ...rest, ...(reference ? { reference } : {}) };
  return { ...object, apiVersion: `${GROUP}/${ALPHA}`, spec };
}

function toBeta(object: KubeObject): Unstructured {
  const { reference, referenceType, ...rest } = specOf(object);
  const field = referenceType === 'Fischer' ? 'fischerReference' : 'flunderReference';
  const spec = { ...rest, ...(reference ? { [field]: reference } : {}), ...(referenceType ? { referenceType } : {}) };
  return { ...object, apiVersion: `${GROUP}/${BETA}`, spec };
}

/** Models pkg/apis/wardle/validation. */
function validateFlunder(object: KubeObject): FieldError[] {
  const { reference = '', referenceType: type = '', ...given } = specOf(object);
  const flunder = given.flunderReference ?? (type === 'Flunder' ? reference : '');
  const fischer = given.fischerReference ?? (type === 'Fischer' ? reference : '');
  const refuse = (name: string, value: string, why: string) => [invalidValue(Path.of('spec').child(name), value, why)];
  const errors = validateReferences(flunder, fischer, type, refuse);
  return REFERENCE_TYPES.includes(type)
    ? errors
    : [...errors, ...refuse('referenceType', type, 'must be Flunder or Fischer')];
}

function validateReferences(
  flunder: string,
  fischer: string,
  type: string,
  refuse: (name: string, value: string, why: string) => FieldError[],
): FieldError[] {
  if (flunder && fischer)
    return refuse('fischerReference', fischer, 'cannot be set with flunderReference at the same time');
  for (const [name, value, own] of [
    ['flunderReference', flunder, 'Flunder'],
    ['fischerReference', fischer, 'Fischer'],
  ] as const) {
    if (value && type !== own) return refuse(name, value, `cannot be set if referenceType is not ${own}`);
    if (!value && type === own) return refuse(name, value, `cannot be empty if referenceType is ${own}`);
  }
  return [];
}

const plain = (kind: Kind): Kind => ({ ...kind, columns: COLUMNS, generation: false, needsVersion: false });

function flunders(): Kind[] {
  const [stored, other] = compileCrd(FLUNDERS).map((kind) => ({
    ...plain(kind),
    validate: (object: KubeObject) => validateFlunder(object),
  }));
  const alpha: Kind = {
    ...stored!,
    fromStored: (objects) => objects.map(toAlpha),
    defaults(draft) {
      stored!.defaults?.(draft);
      const spec = (draft as Unstructured)['spec'] as { reference?: string; referenceType?: string };
      if (spec.reference && !spec.referenceType) spec.referenceType = 'Flunder';
    },
  };
  const beta: Kind = {
    ...other!,
    fromStored: (objects) => objects.map(toBeta),
    storedAs: {
      kind: alpha,
      toStorage(object) {
        // Two references are no object of the stored version any more.
        const errors = validateFlunder(object);
        if (errors.length > 0) throw invalid({ group: GROUP, kind: 'Flunder' }, object.metadata.name ?? '', errors);
        return toAlpha(object);
      },
      fromStorage: toBeta,
    },
  };
  return [alpha, beta];
}

/** What the server serves; no cluster's state is in it. */
const KINDS: readonly Kind[] = [...flunders(), ...compileCrd(FISCHERS).map(plain)];

export const FISCHER = KINDS.find(({ kind }) => kind === 'Fischer')!;
export const registry = new Registry(KINDS);
