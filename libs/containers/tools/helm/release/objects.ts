import { parseYaml } from '../../../../engine/schema/index.js';
import { isMap } from '../../go-template/values.js';
import { apiVersionOf, pathOf, type ServerResource } from '../../kubectl/discovery/resources.js';
import { planPatch } from '../../kubectl/commands/write/three-way.js';
import { BUILT_IN } from '../../kubectl/commands/write/apply.js';
import { ApiFailure } from '../../kubectl/session/failure.js';
import type { ApiObject, Session } from '../../kubectl/session/session.js';
import { splitManifests } from '../engine/manifests.js';
import { HelmFailure } from '../failure.js';

/** An object of a manifest, and where it is. */
export interface ReleaseObject {
  readonly resource: ServerResource;
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  readonly object: ApiObject;
}

const MAX_OBJECTS = 500;

/** The objects of a manifest. Models pkg/kube Build. Throws HelmFailure. */
export function buildObjects(session: Session, manifest: string, namespace: string, what: string): ReleaseObject[] {
  const found = splitManifests(manifest).flatMap((text) => {
    const { value, error } = parseYaml(text);
    if (error !== undefined) throw new HelmFailure(`${what}: error parsing : error converting YAML to JSON: ${error}`);
    if (!isMap(value)) return [];
    const object = value as ApiObject;
    return object.kind === 'List' && Array.isArray(object['items']) ? (object['items'] as ApiObject[]) : [object];
  });
  if (found.length > MAX_OBJECTS) throw new HelmFailure(`${what}: too many objects in one release (${MAX_OBJECTS})`);
  return found.map((object) => {
    const { apiVersion = '', kind = '', metadata = {} } = object;
    const missing = [...(apiVersion === '' ? ['apiVersion not set'] : []), ...(kind === '' ? ['kind not set'] : [])];
    if (missing.length > 0)
      throw new HelmFailure(
        `${what}: error validating "": error validating data: ${missing.length > 1 ? `[${missing.join(', ')}]` : missing[0]}`,
      );
    const resource = session.resources.find((one) => apiVersionOf(one) === apiVersion && one.kind === kind);
    const { name = '' } = metadata;
    if (!resource)
      throw new HelmFailure(
        `${what}: resource mapping not found for name: "${name}" namespace: "${metadata.namespace ?? ''}" from "": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
      );
    const own = resource.isNamespaced ? (metadata.namespace ?? '') || namespace : '';
    return { resource, namespace: own, name, kind, object };
  });
}

export const objectPath = ({ resource, namespace, name }: ReleaseObject): string => pathOf(resource, namespace, name);
export const isSameObject = (a: ReleaseObject, b: ReleaseObject): boolean =>
  a.kind === b.kind && a.resource.group === b.resource.group && a.namespace === b.namespace && a.name === b.name;

const MANAGED_BY = 'app.kubernetes.io/managed-by';
const RELEASE_NAME = 'meta.helm.sh/release-name';
const RELEASE_NAMESPACE = 'meta.helm.sh/release-namespace';

/** Marks the object as the release's. Models setMetadataVisitor. */
export function withOwner(object: ApiObject, name: string, namespace: string): ApiObject {
  const { metadata = {} } = object;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, [MANAGED_BY]: 'Helm' },
      annotations: { ...metadata.annotations, [RELEASE_NAME]: name, [RELEASE_NAMESPACE]: namespace },
    },
  };
}

/**
 * Objects that are there already, and are the release's. Models existingResourceConflict. Throws HelmFailure for those
 * of somebody else, unless `takes`.
 */
export function checkOwnership(
  session: Session,
  objects: readonly ReleaseObject[],
  { name, namespace }: { readonly name: string; readonly namespace: string },
  takes: boolean,
): ReleaseObject[] {
  return objects.filter((one) => {
    const existing = one.name === '' ? undefined : session.find(objectPath(one));
    if (existing === undefined) return false;
    const { labels = {}, annotations = {} } = existing.metadata ?? {};
    const faults = takes
      ? []
      : [
          faultOf('label', labels, MANAGED_BY, 'Helm'),
          faultOf('annotation', annotations, RELEASE_NAME, name),
          faultOf('annotation', annotations, RELEASE_NAMESPACE, namespace),
        ].filter((fault) => fault !== '');
    if (faults.length > 0)
      throw new HelmFailure(
        `${one.kind} "${one.name}" in namespace "${one.namespace}" exists and cannot be imported into the current release: invalid ownership metadata; ${faults.join('; ')}`,
      );
    return true;
  });
}

function faultOf(what: string, map: Readonly<Record<string, string>>, key: string, value: string): string {
  const actual = Object.hasOwn(map, key) ? map[key] : undefined;
  if (actual === value) return '';
  return `${what} validation error: ${actual === undefined ? `missing key "${key}": must be set to "${value}"` : `key "${key}" must equal "${value}": current value is "${actual}"`}`;
}

const MANAGER = '?fieldManager=helm';

/** What the server says, without what kubectl puts before it. */
function inHelmsWords<T>(prefix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof ApiFailure ? new HelmFailure(prefix + error.message) : error;
  }
}

export const createObject = (session: Session, one: ReleaseObject, object = one.object): void =>
  inHelmsWords('', () => void session.post(pathOf(one.resource, one.namespace) + MANAGER, object));

/** Creates the object, or patches what is there; returns whether it is new. Models pkg/kube update. */
export function updateObject(
  session: Session,
  before: ReleaseObject | undefined,
  one: ReleaseObject,
  object: ApiObject,
  force: boolean,
): boolean {
  const current = inHelmsWords('could not get information about the resource: ', () => session.find(objectPath(one)));
  if (current === undefined) {
    inHelmsWords('failed to create resource: ', () => createObject(session, one, object));
    return true;
  }
  if (force) {
    const version = current.metadata?.resourceVersion;
    const metadata = { ...object.metadata, resourceVersion: version };
    inHelmsWords('failed to replace object: ', () => session.put(objectPath(one) + MANAGER, { ...object, metadata }));
    return false;
  }
  const strategic = BUILT_IN.test(one.resource.group) && one.kind !== 'CustomResourceDefinition';
  const patch = planPatch(before?.object ?? {}, object, strategic);
  inHelmsWords(`cannot patch "${one.name}" with kind ${one.kind}: `, () =>
    session.patch(objectPath(one) + MANAGER, patch, strategic ? 'strategic' : 'merge'),
  );
  return false;
}

/** False: it was not there. */
export function deleteObject(session: Session, one: ReleaseObject, propagation = 'Background'): boolean {
  const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: propagation };
  try {
    session.send('DELETE', objectPath(one), options, 'application/json');
    return true;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return false;
    throw error instanceof ApiFailure ? new HelmFailure(error.message) : error;
  }
}

export const isKept = ({ metadata }: ApiObject): boolean =>
  metadata?.annotations?.['helm.sh/resource-policy'] === 'keep';
