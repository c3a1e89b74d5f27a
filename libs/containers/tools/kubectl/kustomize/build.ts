import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import type { ApiObject, KubeJson } from '../session/session.js';
import { readObjects } from './input/documents.js';
import { KustomizeFailure, within } from './failure.js';
import { Files, joinPaths } from './input/files.js';
import { generate } from './input/generate.js';
import { contentHash } from './hash.js';
import { type Kustomization, readKustomization } from './input/kustomization.js';
import { applyJsonPatches, applyOldStrategic, applyPatches } from './transform/patches.js';
import { fixReferences } from './transform/references.js';
import * as ids from './resource.js';
import { idOf, isMap, newResource, rememberId, type Resource, setName } from './resource.js';
import { sortResources } from './sort.js';
import { addAnnotations, addLabels, affixNames, setImages, setNamespaces, setReplicas } from './transform/transform.js';

const FILE_NAMES = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];
const MAX_FOLDERS = 20;
const MAX_RESOURCES = 1_000;
/** Resources with it are for tools only. */
const LOCAL = 'config.kubernetes.io/local-config';

export interface BuildOptions {
  /** In the order of kinds, unless the file says another. */
  readonly isSorted: boolean;
  warn(line: string): void;
  /** A file of the web; undefined: it cannot be had. */
  fetch?(url: string): Bytes | undefined;
}

interface Build {
  readonly files: Files;
  readonly warn: (line: string) => void;
}

/** What a folder with a kustomization file stands for. Models api/krusty Run. Throws KustomizeFailure. */
export function buildKustomization(sys: Syscalls, path: string, { isSorted, warn, fetch }: BuildOptions): ApiObject[] {
  const build: Build = { files: new Files(sys, fetch), warn };
  const root = build.files.confirmFolder(path);
  const file = loadFile(build, root);
  const resources = accumulate(build, [root], file, []);
  for (const resource of resources) {
    if (!resource.needsHash) continue;
    rememberId(resource);
    setName(resource, `${idOf(resource).name}-${contentHash(resource.object)}`);
  }
  fixReferences(resources);
  const shown = resources.filter(({ object }) => {
    const { metadata } = object;
    const annotations = isMap(metadata) && isMap(metadata['annotations']) ? metadata['annotations'] : {};
    return annotations[LOCAL] === undefined || annotations[LOCAL] === 'false';
  });
  return sortResources(shown, file.sortOptions, isSorted).map(({ object }) => object as ApiObject);
}

function loadFile({ files, warn }: Build, root: string): Kustomization {
  const found = FILE_NAMES.flatMap((name) => files.find(root, name) ?? []);
  if (found.length === 0)
    throw new KustomizeFailure(
      `unable to find one of 'kustomization.yaml', 'kustomization.yml' or 'Kustomization' in directory '${root}'`,
    );
  if (found.length > 1) throw new KustomizeFailure(`Found multiple kustomization files under: ${root}\n`);
  return readKustomization(found[0]!, root, warn);
}

/**
 * Resources of a kustomization file, changed as it says. `folders`: its own one last, after those that have led to it.
 * `before`: for a component, what is there so far. Models KustTarget.accumulateTarget.
 */
function accumulate(
  build: Build,
  folders: readonly string[],
  file: Kustomization,
  before: readonly Resource[],
): Resource[] {
  const { files } = build;
  const root = folders.at(-1)!;
  if (folders.length > MAX_FOLDERS)
    throw new KustomizeFailure(`too many kustomizations within each other (${MAX_FOLDERS})`);
  let resources: Resource[] = [...before];
  within('accumulating resources', () => {
    for (const path of [...(file.resources ?? []), ...(file.bases ?? [])]) addResource(build, folders, resources, path);
  });
  for (const given of file.configMapGenerator ?? [])
    absorb(resources, generate('ConfigMap', files, root, given, file.generatorOptions));
  for (const given of file.secretGenerator ?? [])
    absorb(resources, generate('Secret', files, root, given, file.generatorOptions));
  for (const path of file.components ?? []) resources = addComponent(build, folders, resources, path);
  applyOldStrategic(resources, files, root, file.patchesStrategicMerge ?? []);
  applyPatches(resources, files, root, file.patches ?? []);
  if (file.namespace) setNamespaces(resources, file.namespace);
  affixNames(resources, file.namePrefix ?? '', file.nameSuffix ?? '');
  addLabels(resources, file);
  addAnnotations(resources, file.commonAnnotations ?? {});
  applyJsonPatches(resources, files, root, file.patchesJson6902 ?? []);
  for (const replicas of file.replicas ?? []) setReplicas(resources, replicas);
  for (const image of [...(file.images ?? []), ...(file.imageTags ?? [])]) setImages(resources, image);
  return resources;
}

/** A file, else a folder with a kustomization file of its own. */
function addResource(build: Build, folders: readonly string[], resources: Resource[], path: string): void {
  const root = folders.at(-1)!;
  let failure: KustomizeFailure;
  try {
    return within(`accumulating resources from '${path}'`, () => {
      for (const object of readFile(build, root, path)) append(resources, newResource(object));
    });
  } catch (error) {
    if (!(error instanceof KustomizeFailure)) throw error;
    failure = error;
  }
  const enter = (): string => enterFolder(build, folders, path);
  if (failure.isMalformed) {
    try {
      enter();
    } catch {
      throw failure;
    }
  }
  within(`accumulation err='${failure.message}'`, () => {
    const folder = enter();
    const file = within(`couldn't make target for path '${folder}'`, () => loadFile(build, folder));
    if (file.kind === 'Component') throw new KustomizeFailure(`expected kind != 'Component' for path '${folder}'`);
    const more = within(`recursed accumulation of path '${folder}'`, () =>
      accumulate(build, [...folders, folder], file, []),
    );
    within(`recursed merging from path '${folder}'`, () => more.forEach((one) => append(resources, one)));
  });
}

function readFile({ files }: Build, root: string, path: string): KubeJson[] {
  const bytes = files.load(root, path);
  try {
    return readObjects(bytes);
  } catch (error) {
    if (!(error instanceof KustomizeFailure) || !error.message.startsWith('MalformedYAMLError')) throw error;
    throw new KustomizeFailure(`${error.message} in File: ${path}`, true);
  }
}

/** Models FileLoader.New. */
function enterFolder({ files }: Build, folders: readonly string[], path: string): string {
  if (path.startsWith('/')) throw new KustomizeFailure(`new root '${path}' cannot be absolute`);
  const isRemote = /^(?:git::|gh:|ssh:\/\/|git@|https?:\/\/|github\.com[/:])/.test(path);
  const folder = files.confirmFolder(isRemote ? path : joinPaths(folders.at(-1)!, path));
  const visited = [...folders]
    .reverse()
    .find((one) => one === folder || one.startsWith(folder === '/' ? '/' : `${folder}/`));
  if (visited !== undefined)
    throw new KustomizeFailure(`cycle detected: candidate root '${folder}' contains visited root '${visited}'`);
  return folder;
}

function addComponent(
  build: Build,
  folders: readonly string[],
  resources: readonly Resource[],
  path: string,
): Resource[] {
  return within('accumulating components', () => {
    const quoted = <T>(what: string, run: () => T): T => {
      try {
        return run();
      } catch (error) {
        if (!(error instanceof KustomizeFailure)) throw error;
        throw new KustomizeFailure(`${what} ${JSON.stringify(error.message)}`);
      }
    };
    const folder = quoted('loader.New', () => enterFolder(build, folders, path));
    return quoted('accumulateDirectory:', () => {
      const file = within(`couldn't make target for path '${folder}'`, () => loadFile(build, folder));
      if (file.kind !== 'Component')
        throw new KustomizeFailure(`expected kind 'Component' for path '${folder}' but got '${file.kind}'`);
      return within(`recursed accumulation of path '${folder}'`, () =>
        accumulate(build, [...folders, folder], file, resources),
      );
    });
  });
}

function append(resources: Resource[], resource: Resource): void {
  const id = idOf(resource);
  if (resources.some((one) => ids.isSameId(idOf(one), id)))
    throw new KustomizeFailure(`may not add resource with an already registered id: ${ids.showId(id)}`);
  if (resources.length >= MAX_RESOURCES)
    throw new KustomizeFailure(`too many resources for one build (${MAX_RESOURCES})`);
  resources.push(resource);
}

/** What a generator made: a new resource, or more of one that is there. Models resWrangler.AbsorbAll. */
function absorb(resources: Resource[], made: Resource): void {
  const id = idOf(made);
  const found = resources.filter((one) => ids.wasEver(one, id));
  const shown = `id resid.ResId{Gvk:resid.Gvk{Group:"", Version:"v1", Kind:"${id.kind}", isClusterScoped:false}, Name:"${id.name}", Namespace:"${id.namespace}"}`;
  const refuse = (why: string): never => {
    throw new KustomizeFailure(`merging from generator &{0xc000766b60 <nil>}: ${why}`);
  };
  if (found.length > 1) refuse(`found multiple objects that could accept merge of ${ids.showId(id)}`);
  const [old] = found;
  if (!old) {
    if (made.behavior === 'merge' || made.behavior === 'replace')
      refuse(`${shown} does not exist; cannot merge or replace`);
    return append(resources, made);
  }
  if (made.behavior === 'create' || made.behavior === 'unspecified')
    refuse(`${shown} exists; can not use behavior: '${made.behavior}', behavior must be merge or replace`);
  resources[resources.indexOf(old)] = mergeGenerated(old, made);
}

function mergeGenerated(old: Resource, made: Resource): Resource {
  const [before, after] = [old.object['metadata'] as KubeJson, made.object['metadata'] as KubeJson];
  const both = (field: 'labels' | 'annotations'): KubeJson => {
    const map = { ...(before[field] as KubeJson | undefined), ...(after[field] as KubeJson | undefined) };
    return Object.keys(map).length > 0 ? { [field]: map } : {};
  };
  const metadata = {
    ...{ name: before['name'], ...(before['namespace'] ? { namespace: before['namespace'] } : {}) },
    ...{ ...both('labels'), ...both('annotations') },
  };
  const object: KubeJson = { ...made.object, metadata };
  if (made.behavior === 'merge')
    for (const field of ['data', 'binaryData']) {
      const map = { ...(old.object[field] as KubeJson | undefined), ...(made.object[field] as KubeJson | undefined) };
      if (Object.keys(map).length > 0) object[field] = map;
    }
  const { earlier, prefixes, suffixes } = old;
  return { object, earlier, prefixes, suffixes, needsHash: old.needsHash || made.needsHash, behavior: 'create' };
}
