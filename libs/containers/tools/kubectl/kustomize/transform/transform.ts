import { compilePattern } from '../../../../../engine/machinery/text/regex.js';
import type { KubeJson } from '../../session/session.js';
import { KustomizeFailure } from '../failure.js';
import * as specs from './field-specs.js';
import { addPairs, changeField, emptyMap, type FieldSpec, isSelected } from './fields.js';
import type { ImageArguments, Kustomization, LabelArguments } from '../input/kustomization.js';
import * as ids from '../resource.js';
import { idOf, isMap, rememberId, type Resource, setName } from '../resource.js';

/** `namespace`. Models NamespaceTransformer. */
export function setNamespaces(resources: readonly Resource[], namespace: string): void {
  for (const resource of resources) {
    rememberId(resource);
    const id = idOf(resource);
    const { object } = resource;
    if (id.kind === 'Namespace' && id.group === '') setName(resource, namespace);
    else if (!ids.isClusterScoped(id)) (object['metadata'] as KubeJson)['namespace'] = namespace;
    if (/^(?:Cluster)?RoleBinding$/.test(id.kind) && Array.isArray(object['subjects']))
      for (const subject of object['subjects'] as unknown[])
        if (isMap(subject) && subject['name'] === 'default') subject['namespace'] = namespace;
    for (const spec of specs.NAMESPACES)
      changeField(
        resource,
        spec,
        () => namespace,
        () => '',
      );
    if (resources.filter((one) => ids.isSameId(idOf(one), idOf(resource))).length !== 1)
      throw new KustomizeFailure(`namespace transformation produces ID conflict: ${ids.showId(idOf(resource))}`);
  }
}

/** `namePrefix` and `nameSuffix`. Models PrefixTransformer and SuffixTransformer. */
export function affixNames(resources: readonly Resource[], prefix: string, suffix: string): void {
  for (const resource of resources) {
    const first = ids.firstId(resource);
    if (specs.UNNAMED.some((spec) => isSelected(first, spec))) continue;
    for (const [list, text] of [[resource.prefixes, prefix] as const, [resource.suffixes, suffix] as const]) {
      if (text === '') continue;
      list.push(text);
      rememberId(resource);
      const { name } = idOf(resource);
      setName(resource, list === resource.prefixes ? text + name : name + text);
    }
  }
}

/** `labels` and `commonLabels`. Models LabelTransformer. */
export function addLabels(resources: readonly Resource[], { labels = [], commonLabels = {} }: Kustomization): void {
  for (const label of labels) addTo(resources, labelSpecs(label), label.pairs ?? {});
  addTo(resources, specs.SELECTOR_LABELS, commonLabels);
}

function labelSpecs(label: LabelArguments): FieldSpec[] {
  const own = (label.fields ?? []).map((field) => ({ ...field, path: field.path ?? '' }));
  if (label.includeSelectors) return [...own, ...specs.SELECTOR_LABELS];
  return [
    ...own,
    ...(label.includeTemplates ? specs.TEMPLATE_LABELS : []),
    ...(label.includeVolumeClaimTemplates ? specs.CLAIM_LABELS : []),
    specs.OWN_LABELS,
  ];
}

/** `commonAnnotations`. Models AnnotationsTransformer. */
export const addAnnotations = (resources: readonly Resource[], pairs: Readonly<Record<string, string>>): void =>
  addTo(resources, specs.ANNOTATIONS, pairs);

function addTo(
  resources: readonly Resource[],
  fields: readonly FieldSpec[],
  pairs: Readonly<Record<string, string>>,
): void {
  if (Object.keys(pairs).length === 0) return;
  for (const resource of resources) for (const spec of fields) changeField(resource, spec, addPairs(pairs), emptyMap);
}

/** `replicas`. Models ReplicaCountTransformer. */
export function setReplicas(
  resources: readonly Resource[],
  { name = '', count = 0 }: { readonly name?: string; readonly count?: number },
): void {
  const found = resources.filter((resource) =>
    [...resource.earlier, idOf(resource)].some((id) => id.name === name && specs.REPLICAS.includes(id.kind)),
  );
  if (found.length === 0)
    throw new KustomizeFailure(
      `resource with name ${name} does not match a config with the following GVK [${specs.REPLICAS.map((kind) => `${kind}.[noVer].[noGrp]`).join(' ')}]`,
    );
  for (const resource of found)
    changeField(
      resource,
      { path: 'spec/replicas', create: true },
      () => count,
      () => 0,
    );
}

/** `images`. Models ImageTagTransformer. */
export function setImages(resources: readonly Resource[], image: ImageArguments): void {
  const pattern = compilePattern(`^${image.name ?? ''}(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$`);
  const change = (value: unknown): unknown =>
    typeof value === 'string' && pattern?.test(value) ? newImage(value, image) : value;
  for (const resource of resources) {
    if (idOf(resource).kind === 'CustomResourceDefinition') continue;
    changeContainers(resource.object, change, 0);
    for (const spec of specs.IMAGES) changeField(resource, spec, change);
  }
}

const MAX_DEPTH = 60;

/** `image` of the entries of any `containers` and `initContainers`. Models imagetag.LegacyFilter. */
function changeContainers(value: unknown, change: (image: unknown) => unknown, depth: number): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    changeContainers(one, change, depth + 1);
    if ((name !== 'containers' && name !== 'initContainers') || !Array.isArray(one)) continue;
    for (const container of one as unknown[])
      if (isMap(container) && 'image' in container) container['image'] = change(container['image']);
  }
}

/** Models api/internal/image Split, and the updater. */
function newImage(value: string, { newName, newTag, digest, tagSuffix }: ImageArguments): string {
  const [, base = value, tag = '', hash = ''] = /^((?:[^/]+\/)?[^:@]*?)(?::([^@]*))?(?:@(.*))?$/.exec(value) ?? [];
  const next = newTag
    ? { tag: newTag, hash: digest ?? '' }
    : digest
      ? { tag: '', hash: digest }
      : tagSuffix
        ? { tag: tag + tagSuffix, hash: '' }
        : { tag, hash };
  return `${newName || base}${next.tag === '' ? '' : `:${next.tag}`}${next.hash === '' ? '' : `@${next.hash}`}`;
}
