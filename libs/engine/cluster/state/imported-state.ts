import { kinds } from '../../kinds/index.js';
import { storageKey, type Kind } from '../../machinery/kind.js';
import { isObject, type KubeObject } from '../../machinery/meta/object.js';
import { badRequest } from '../../machinery/meta/status.js';
import { isPathSegmentName } from '../../machinery/meta/validation.js';
import type { Millis } from '../../machinery/time/time.js';
import type { StoredObject } from '../../runtime/state/state.js';
import { normalize } from '../../schema/index.js';
import type { CheckpointState } from './checkpoint.js';

const MAX_NAME = 253;
const RESOURCE_VERSION = /^\d{1,15}$/;
const CUSTOM_RESOURCE_DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

/**
 * Takes in the objects of a state that came from outside, one by one: each must be of a known kind, or of a CRD's among
 * them, fit its schema, and stand in its own place. Every refusal is an ApiError 400.
 */
export class ImportedState {
  private readonly objects = new Map<string, StoredObject>();
  private readonly definitions = new Set<string>();
  private readonly custom = new Set<string>();
  private readonly byResource = new Map<string, Kind>(
    // Of those that share their objects, such as the Events of two groups, the one in whose form they are stored.
    kinds.filter((kind) => !kind.storedAs).map((kind) => [storageKey(kind), kind]),
  );

  constructor(
    private readonly revision: number,
    private readonly now: Millis,
  ) {}

  get size(): number {
    return this.objects.size;
  }

  /** How many objects of a resource there are. */
  count(resource: string): number {
    let count = 0;
    for (const object of this.objects.values()) if (object.resource === resource) count++;
    return count;
  }

  add(entry: unknown): void {
    if (!isObject(entry)) throw badRequest('an entry is no object');
    const { resource, object } = entry as { resource?: unknown; object?: unknown };
    if (typeof resource !== 'string' || !isObject(object)) throw badRequest('an entry has no resource or no object');
    const kind = this.byResource.get(resource);
    if (!kind) this.custom.add(resource);
    const value = kind ? (normalize(object, kind.definition, { expected: kind }).value as KubeObject) : object;
    const place = this.checkPlace(resource, value as KubeObject, kind);
    if (this.objects.has(place)) throw badRequest(`${place} is there twice`);
    this.objects.set(place, { resource, object: value as KubeObject });
    if (resource === CUSTOM_RESOURCE_DEFINITIONS) this.definitions.add((value as KubeObject).metadata.name ?? '');
  }

  finish(): CheckpointState {
    for (const resource of this.custom)
      if (!this.definitions.has(resource)) throw badRequest(`no CustomResourceDefinition is of ${resource}`);
    return { revision: this.revision, now: this.now, objects: [...this.objects.values()] };
  }

  /** Where the object stands. */
  private checkPlace(resource: string, { apiVersion, metadata }: KubeObject, kind: Kind | undefined): string {
    if (!isObject(metadata) || typeof apiVersion !== 'string')
      throw badRequest(`an object of ${resource} has no metadata`);
    const { name, namespace = '', uid, resourceVersion } = metadata as Record<string, unknown>;
    const fault =
      !isName(name, kind) || !(namespace === '' || isName(namespace))
        ? 'is not named'
        : typeof uid !== 'string' || uid.length > MAX_NAME
          ? 'has no uid'
          : !isVersion(resourceVersion) || Number(resourceVersion) > this.revision
            ? 'has no resourceVersion up to that of the file'
            : kind && (kind.scope === 'Namespaced') !== (namespace !== '')
              ? 'is not where objects of its kind are'
              : undefined;
    if (fault !== undefined) throw badRequest(`an object of ${resource} ${fault}`);
    return `${resource} ${String(namespace)}/${String(name)}`;
  }
}

/** Records of machines and files, which no URL names, are called as their keys are. */
const isName = (name: unknown, kind?: Kind): name is string =>
  typeof name === 'string' &&
  name !== '' &&
  (kind?.internal === true || (name.length <= MAX_NAME && isPathSegmentName(name).length === 0));

const isVersion = (version: unknown): boolean => typeof version === 'string' && RESOURCE_VERSION.test(version);
