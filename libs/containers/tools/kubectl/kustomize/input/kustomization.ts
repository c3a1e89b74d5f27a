import { textOf, type Bytes } from '../../../../../engine/kernel/bytes.js';
import { parseYaml } from '../../../../../engine/schema/index.js';
import { KustomizeFailure, within } from '../failure.js';
import { isMap, type Behavior } from '../resource.js';
import { checkType, type FieldType, type StructType } from './schema.js';

export interface GeneratorOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly disableNameSuffixHash?: boolean;
  readonly immutable?: boolean;
}

export interface GeneratorArguments {
  readonly name?: string;
  readonly namespace?: string;
  readonly behavior?: Behavior;
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly envs?: readonly string[];
  readonly env?: string;
  readonly type?: string;
  readonly options?: GeneratorOptions;
}

export interface Selector {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

export interface PatchArguments {
  readonly path?: string;
  readonly patch?: string;
  readonly target?: Selector;
  readonly options?: { readonly allowNameChange?: boolean; readonly allowKindChange?: boolean };
}

export interface LabelArguments {
  readonly pairs?: Readonly<Record<string, string>>;
  readonly includeSelectors?: boolean;
  readonly includeTemplates?: boolean;
  readonly includeVolumeClaimTemplates?: boolean;
  readonly fields?: readonly {
    readonly path?: string;
    readonly kind?: string;
    readonly group?: string;
    readonly version?: string;
    readonly create?: boolean;
  }[];
}

export interface ImageArguments {
  readonly name?: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly digest?: string;
  readonly tagSuffix?: string;
}

/** A kustomization file. Models api/types Kustomization. */
export interface Kustomization {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly namespace?: string;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly resources?: readonly string[];
  readonly bases?: readonly string[];
  readonly components?: readonly string[];
  readonly labels?: readonly LabelArguments[];
  readonly commonLabels?: Readonly<Record<string, string>>;
  readonly commonAnnotations?: Readonly<Record<string, string>>;
  readonly images?: readonly ImageArguments[];
  readonly imageTags?: readonly ImageArguments[];
  readonly replicas?: readonly { readonly name?: string; readonly count?: number }[];
  readonly patches?: readonly PatchArguments[];
  readonly patchesJson6902?: readonly PatchArguments[];
  readonly patchesStrategicMerge?: readonly string[];
  readonly configMapGenerator?: readonly GeneratorArguments[];
  readonly secretGenerator?: readonly GeneratorArguments[];
  readonly generatorOptions?: GeneratorOptions;
  readonly sortOptions?: {
    readonly order?: string;
    readonly legacySortOptions?: { readonly orderFirst?: readonly string[]; readonly orderLast?: readonly string[] };
  };
}

const strings: FieldType = { list: 'string' };
const texts: FieldType = { map: 'string' };
const structs = (struct: string, fields: StructType['fields']): FieldType => ({ list: { struct, fields } });

const OPTIONS: StructType = {
  struct: 'types.GeneratorOptions',
  fields: { labels: texts, annotations: texts, disableNameSuffixHash: 'bool', immutable: 'bool' },
};
const GENERATOR: StructType['fields'] = {
  ...{ name: 'string', namespace: 'string', behavior: 'string', literals: strings, files: strings, envs: strings },
  ...{ env: 'string', options: OPTIONS },
};
const GVK: StructType['fields'] = { group: 'string', version: 'string', kind: 'string' };
const SELECTOR: StructType = {
  struct: 'types.Selector',
  fields: { ...GVK, name: 'string', namespace: 'string', labelSelector: 'string', annotationSelector: 'string' },
};
const PATCH = structs('types.Patch', {
  ...{ path: 'string', patch: 'string', target: SELECTOR },
  options: { struct: 'types.PatchArgs', fields: { allowNameChange: 'bool', allowKindChange: 'bool' } },
});
const IMAGE = structs('types.Image', {
  ...{ name: 'string', newName: 'string', tagSuffix: 'string', newTag: 'string', digest: 'string' },
});
const FIELD_SPEC = structs('types.FieldSpec', { ...GVK, path: 'string', create: 'bool' });

const KUSTOMIZATION: StructType = {
  struct: 'types.Kustomization',
  fields: {
    ...{ apiVersion: 'string', kind: 'string', metadata: 'any', openapi: texts, namePrefix: 'string' },
    ...{ nameSuffix: 'string', namespace: 'string', commonLabels: texts, commonAnnotations: texts },
    labels: structs('types.Label', {
      ...{ pairs: texts, includeSelectors: 'bool', includeTemplates: 'bool', includeVolumeClaimTemplates: 'bool' },
      fields: FIELD_SPEC,
    }),
    ...{ patchesStrategicMerge: { list: 'string' }, patchesJson6902: PATCH, patches: PATCH },
    ...{ images: IMAGE, imageTags: IMAGE, replacements: { list: 'any' } },
    replicas: structs('types.Replica', { name: 'string', count: 'int' }),
    ...{ vars: { list: 'any' }, sortOptions: 'any', resources: strings, components: strings, crds: strings },
    bases: strings,
    configMapGenerator: structs('types.ConfigMapArgs', GENERATOR),
    secretGenerator: structs('types.SecretArgs', { ...GENERATOR, type: 'string' }),
    ...{ helmGlobals: 'any', helmCharts: { list: 'any' }, helmChartInflationGenerator: { list: 'any' } },
    ...{ generatorOptions: OPTIONS, configurations: strings, generators: strings, transformers: strings },
    ...{ validators: strings, buildMetadata: strings },
  },
};

/** Fields that are known, and not simulated. */
const ABSENT = [
  ...['replacements', 'vars', 'crds', 'configurations', 'generators', 'transformers', 'validators', 'openapi'],
  'buildMetadata',
];
const HELM = ['helmCharts', 'helmChartInflationGenerator'];

const FIX = "Run 'kustomize edit fix' to update your Kustomization automatically.";
const DEPRECATED: readonly (readonly [string, string])[] = [
  ['bases', 'resources'],
  ['commonLabels', 'labels'],
  ['imageTags', 'images'],
  ['patchesJson6902', 'patches'],
  ['patchesStrategicMerge', 'patches'],
];

/** Reads a kustomization file of the folder `root`. `warn`: of fields that are old. Throws KustomizeFailure. */
export function readKustomization(bytes: Bytes, root: string, warn: (line: string) => void): Kustomization {
  const file = within('invalid Kustomization', () => {
    const { value, error } = parseYaml(textOf(bytes));
    if (error !== undefined) throw new KustomizeFailure(error);
    checkType(value, KUSTOMIZATION, 'Kustomization', '');
    return isMap(value) ? value : {};
  });
  for (const [old, other] of DEPRECATED)
    if (file[old] !== undefined && file[old] !== null)
      warn(`# Warning: '${old}' is deprecated. Please use '${other}' instead. ${FIX}`);
  const { kind = 'Kustomization', apiVersion, ...rest } = file as Kustomization;
  if (Object.values(rest).every(isEmpty)) throw new KustomizeFailure('kustomization.yaml is empty');
  const wanted = `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`;
  const faults = [
    ...(kind === 'Kustomization' || kind === 'Component' ? [] : ['kind should be Kustomization or Component']),
    ...(apiVersion === undefined || apiVersion === wanted ? [] : [`apiVersion for ${kind} should be ${wanted}`]),
  ];
  if (faults.length > 0)
    throw new KustomizeFailure(`Failed to read kustomization file under ${root}:\n${faults.join('\n')}`);
  const absent = ABSENT.find((field) => isUsed(file[field]));
  if (absent !== undefined) throw new KustomizeFailure(`the field ${absent} is not simulated`);
  const helm = HELM.find((field) => isUsed(file[field]));
  if (helm !== undefined) {
    const [chart] = file[helm] as readonly { readonly name?: string }[];
    throw new KustomizeFailure(
      `trouble configuring builtin HelmChartInflationGenerator with config: \`\nname: ${chart?.name ?? ''}\n\`: must specify --enable-helm`,
    );
  }
  return { ...(rest as Kustomization), kind };
}

/** A list is something, even without entries. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (isMap(value) && Object.keys(value).length === 0);

const isUsed = (value: unknown): boolean => !isEmpty(value) && !(Array.isArray(value) && value.length === 0);
