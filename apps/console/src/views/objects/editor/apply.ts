import { stringify } from 'yaml';
import { Failure, toFailure } from '../../../api/failure.js';
import { APPLY_PATCH, FIELD_MANAGER, read, write, type Place } from '../../../kube/client.js';
import type { KubeObject } from '../../../kube/object.js';
import { pathOf, resourceOfKind, type Resource } from '../../../kube/resource.js';
import { t } from '../../../texts/texts.js';
import { appliedOf, withoutManaged } from './conflicts.js';

export interface ApplyOptions {
  /** Replace the object as it is, instead of a server-side apply. */
  readonly isUpdate: boolean;
  /** Take fields from who has them. */
  readonly isForced: boolean;
  readonly isDryRun: boolean;
}

/** What applying one object has done, or would do. */
export interface Applied {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const NOT_FOUND = 404;

export const printYaml = (object: unknown): string => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });

/** Applies one object by the server: with a dry run nothing is stored. Rejects with Failure, a conflict among them. */
export async function applyObject(
  place: Place,
  resources: readonly Resource[],
  object: KubeObject,
  { namespace, ...options }: ApplyOptions & { readonly namespace: string },
): Promise<Applied> {
  const resource = resourceOfKind(resources, object.apiVersion ?? '', object.kind ?? '');
  if (!resource) throw new Failure(t.objects.noSuchKind(object.kind ?? '', object.apiVersion ?? ''), 400);
  const name = object.metadata?.name;
  if (!name) throw new Failure(t.objects.nameNeeded(object.kind), 400);
  const where = object.metadata.namespace ?? (namespace || 'default');
  const path = pathOf(resource, where, name);
  const found = await readIfThere(place, path);
  const written = await send(place, path, object, found, options);
  return {
    name: `${object.kind} ${name}`,
    before: found ? printYaml(shown(found)) : '',
    after: printYaml(shown(written)),
  };
}

function send(
  place: Place,
  path: string,
  object: KubeObject,
  found: KubeObject | undefined,
  { isUpdate, isForced, isDryRun }: ApplyOptions,
): Promise<KubeObject> {
  const query = new URLSearchParams({ fieldManager: FIELD_MANAGER, fieldValidation: 'Strict' });
  if (isDryRun) query.set('dryRun', 'All');
  if (isUpdate && found) {
    const { resourceVersion } = found.metadata;
    const body = { ...object, metadata: { resourceVersion, ...object.metadata } };
    return write(place, 'PUT', `${path}?${query.toString()}`, { body });
  }
  query.set('force', String(isForced));
  return write(place, 'PATCH', `${path}?${query.toString()}`, {
    body: printYaml(appliedOf(object)),
    type: APPLY_PATCH,
  });
}

const shown = (object: KubeObject): unknown => withoutManaged(object);

async function readIfThere(place: Place, path: string): Promise<KubeObject | undefined> {
  try {
    return await read(place, path);
  } catch (error) {
    if (toFailure(error).status === NOT_FOUND) return undefined;
    throw error;
  }
}
