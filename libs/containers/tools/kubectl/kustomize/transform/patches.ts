import { bytesOf, textOf } from '../../../../../engine/kernel/bytes.js';
import { ApiError } from '../../../../../engine/machinery/meta/status.js';
import { applyJsonPatch } from '../../../../../engine/machinery/patch/patch.js';
import { parseYaml } from '../../../../../engine/schema/index.js';
import { formatYaml } from '../../output/yaml.js';
import type { KubeJson } from '../../session/session.js';
import { readObjects } from '../input/documents.js';
import { KustomizeFailure } from '../failure.js';
import type { Files } from '../input/files.js';
import type { PatchArguments } from '../input/kustomization.js';
import { idOf, isMap, newResource, rememberId, type Resource, showId, textIn, wasEver } from '../resource.js';
import { selectResources } from './select.js';
import { mergeStrategic } from './strategic.js';

type Json = Parameters<typeof applyJsonPatch>[0];

/** `patchesStrategicMerge`: each entry is a file, or the patch itself. Models PatchStrategicMergeTransformer. */
export function applyOldStrategic(resources: Resource[], files: Files, root: string, entries: readonly string[]): void {
  for (const entry of entries)
    for (const patch of inlineObjects(entry) ?? readObjects(files.load(root, entry)))
      mergeInto(resources, findTarget(resources, patch), patch);
}

function inlineObjects(text: string): KubeJson[] | undefined {
  try {
    return readObjects(bytesOf(text));
  } catch (error) {
    if (error instanceof KustomizeFailure) return undefined;
    throw error;
  }
}

/** `patches`: each one is a strategic merge patch or a JSON patch. Models PatchTransformer. */
export function applyPatches(
  resources: Resource[],
  files: Files,
  root: string,
  entries: readonly PatchArguments[],
): void {
  for (const entry of entries) {
    const { path, patch, target, options } = entry;
    const inline = (patch ?? '').trim();
    const trouble = (message: string): never => {
      throw new KustomizeFailure(
        `trouble configuring builtin PatchTransformer with config: \`\n${formatYaml({ ...entry, ...(patch === undefined ? {} : { patch }) })}\`: ${message}`,
      );
    };
    if (inline === '' && !path) trouble(`must specify one of patch and path in\n${formatYaml(entry)}`.trimEnd());
    if (inline !== '' && path) trouble(`patch and path can't be set at the same time\n${formatYaml(entry)}`.trimEnd());
    const text = path ? textOf(loadPatch(files, root, path, trouble)) : inline;
    const source = path ? `[path: ${JSON.stringify(path)}]` : `[patch: ${JSON.stringify(inline)}]`;
    const operations = readOperations(text);
    const objects = operations ? undefined : inlineObjects(text);
    if (!operations && (!objects || objects.length === 0)) trouble(`unable to parse SM or JSON patch from ${source}`);
    if (operations) {
      if (!target) throw new KustomizeFailure(`must specify a target for JSON patch ${source}`);
      for (const one of selectResources(resources, target)) applyOperations(one, operations);
      continue;
    }
    if (target && objects!.length > 1)
      throw new KustomizeFailure(
        `Multiple Strategic-Merge Patches in one \`patches\` entry is not allowed to set \`patches.target\` field: ${source}`,
      );
    for (const object of objects!)
      for (const one of target ? selectResources(resources, target) : [findPatched(resources, object)])
        mergeInto(resources, one, object, options);
  }
}

function loadPatch(files: Files, root: string, path: string, trouble: (message: string) => never): string {
  try {
    return files.load(root, path);
  } catch (error) {
    if (!(error instanceof KustomizeFailure)) throw error;
    return trouble(`failed to get the patch file from path(${path}): ${error.message}`);
  }
}

/** `patchesJson6902`. Models PatchJson6902Transformer. */
export function applyJsonPatches(
  resources: readonly Resource[],
  files: Files,
  root: string,
  entries: readonly PatchArguments[],
): void {
  for (const { path, patch, target } of entries) {
    if (!target?.name) throw new KustomizeFailure('must specify the target name');
    if (!path && !patch) throw new KustomizeFailure('empty file path and empty jsonOp');
    const operations = readOperations(path ? textOf(files.load(root, path)) : patch!);
    if (!operations) throw new KustomizeFailure(`decoding ${path ?? patch ?? ''}: it is no list of operations`);
    for (const one of selectResources(resources, target)) applyOperations(one, operations);
  }
}

function readOperations(text: string): Json[] | undefined {
  const { value, error } = parseYaml(text);
  const isList = error === undefined && Array.isArray(value) && value.length > 0;
  return isList && value.every((one) => isMap(one) && 'op' in one) ? (value as Json[]) : undefined;
}

function applyOperations(resource: Resource, operations: readonly Json[]): void {
  for (const operation of operations) {
    try {
      resource.object = applyJsonPatch(resource.object as Json, [operation]) as KubeJson;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new KustomizeFailure(explainOperation(resource.object, operation as KubeJson));
    }
  }
}

/** Models evanphx/json-patch. */
function explainOperation(object: KubeJson, operation: KubeJson): string {
  const [op, path] = [textIn(operation, 'op'), textIn(operation, 'path')];
  const shown = JSON.stringify(path);
  if (op === 'add') return `add operation does not apply: doc is missing path: ${shown}: missing value`;
  const steps = path.split('/').slice(1);
  const parent = steps.slice(0, -1).reduce<unknown>((at, step) => (at as KubeJson | undefined)?.[step], object);
  if (op === 'remove' && isMap(parent))
    return `error in remove for path: '${path}': Unable to remove nonexistent key: ${steps.at(-1)}: missing value`;
  if (op === 'remove') return `remove operation does not apply: doc is missing path: ${shown}: missing value`;
  if (op === 'replace') return `replace operation does not apply: doc is missing key: ${path}: missing value`;
  if (op === 'test') return `testing value ${path} failed: test failed`;
  return `Unexpected kind: ${op}`;
}

const findPatched = (resources: readonly Resource[], patch: KubeJson): Resource => {
  try {
    return findTarget(resources, patch);
  } catch (error) {
    if (!(error instanceof KustomizeFailure)) throw error;
    const shown = JSON.stringify(showId(idOf(newResource(patch))));
    throw new KustomizeFailure(`no resource matches strategic merge patch ${shown}: ${error.message}`);
  }
};

function findTarget(resources: readonly Resource[], patch: KubeJson): Resource {
  const id = idOf(newResource(patch));
  const found = resources.filter((one) => wasEver(one, id));
  if (found.length === 1) return found[0]!;
  const what = found.length > 1 ? 'multiple matches' : 'no matches';
  throw new KustomizeFailure(`${what} for Id ${showId(id)}; failed to find unique target for patch ${showId(id)}`);
}

/** What a patch leaves nothing of is no resource any more. */
function mergeInto(
  resources: Resource[],
  target: Resource,
  patch: KubeJson,
  options: PatchArguments['options'] = {},
): void {
  const id = idOf(target);
  if (options.allowNameChange || options.allowKindChange) rememberId(target);
  const merged = mergeStrategic(target.object, patch, id);
  if (merged === undefined) return void resources.splice(resources.indexOf(target), 1);
  const metadata = { ...(isMap(merged['metadata']) ? merged['metadata'] : {}) };
  if (!options.allowNameChange) metadata['name'] = id.name;
  if (id.namespace === '') delete metadata['namespace'];
  else metadata['namespace'] = id.namespace;
  const { apiVersion } = target.object;
  target.object = { ...merged, apiVersion, metadata, ...(options.allowKindChange ? {} : { kind: id.kind }) };
}
