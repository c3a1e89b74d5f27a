import { ALL_VERBS, type Kind } from '../../machinery/kind.js';
import { definition } from '../facts/definitions.js';
import { pathItem, type GroupVersionKind, type Operation, type Place } from './operations.js';
import type { Dialect, Schema } from './schema.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const SCALE = 'io.k8s.api.autoscaling.v1.Scale';
const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
const LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];
const DELETE = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];

/** Name of a kind's schema; a custom resource's is made of its group, 'example.shop.v1.Cart'. */
export const schemaName = (kind: Kind): string =>
  kind.definition || [...kind.group.split('.').reverse(), kind.version, kind.kind].join('.');
export const listName = (kind: Kind): string => `${schemaName(kind)}List`;

/** Every path of one kind with its operations. Models apiserver/pkg/endpoints/installer.go. */
export function pathsOf(kind: Kind, dialect: Dialect): Record<string, Schema> {
  const prefix = kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`;
  const namespaced = kind.scope === 'Namespaced';
  const all = `${prefix}${namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`;
  const one = `${all}/{name}`;
  const verbs = new Set(kind.verbs ?? ALL_VERBS);
  const self = schemaName(kind);
  const out: Record<string, Schema> = {};
  const add = (
    path: string,
    operations: readonly Operation[],
    place: Partial<Place> = {},
    of: GroupVersionKind = kind,
  ): void => {
    if (operations.length > 0)
      out[path] = pathItem(
        path,
        operations,
        { kind, of, namespaced, subresource: '', everywhere: false, ...place },
        dialect,
      );
  };

  const list: Operation = { method: 'get', action: 'list', answer: listName(kind), query: LIST };
  add(all, collectionOperations(self, verbs, list));
  add(one, objectOperations(self, verbs));
  if (namespaced && verbs.has('list')) add(`${prefix}/${kind.plural}`, [list], { everywhere: true });
  if (kind.subresources?.status) add(`${one}/status`, readWrite(self), { subresource: 'status' });
  if (kind.subresources?.scale) add(`${one}/scale`, readWrite(SCALE), { subresource: 'scale' }, SCALE_KIND);
  for (const [name, action] of Object.entries(kind.subresources?.actions ?? {})) {
    const operations = action.verbs.map((verb) => actionOperation(verb, action.body ?? self));
    add(`${one}/${name}`, operations, { subresource: name }, action.kind ?? kind);
  }
  return out;
}

const SCALE_KIND = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** Of all objects together, as far as the kind has the verbs. */
function collectionOperations(self: string, verbs: ReadonlySet<string>, list: Operation): Operation[] {
  const query = [...DELETE, ...LIST.filter((q) => q !== 'watch' && q !== 'allowWatchBookmarks')];
  return [
    ...(verbs.has('list') ? [list] : []),
    ...(verbs.has('create') ? [createOf(self)] : []),
    ...(verbs.has('deletecollection') ? [deleteOf('deletecollection', `${META}.Status`, query)] : []),
  ];
}

/** Of one object. */
function objectOperations(self: string, verbs: ReadonlySet<string>): Operation[] {
  return [
    ...(verbs.has('get') ? [getOf(self)] : []),
    ...(verbs.has('update') ? [putOf(self)] : []),
    ...(verbs.has('delete') ? [deleteOf('delete', `${META}.Status`, DELETE)] : []),
    ...(verbs.has('patch') ? [patchOf(self)] : []),
  ];
}

function actionOperation(verb: string, body: string): Operation {
  switch (verb) {
    case 'patch':
      return patchOf(body);
    case 'get':
      return getOf(body);
    case 'delete':
      return { method: 'delete', action: 'delete', answer: body, query: DELETE };
    case 'create':
      return createOf(body);
    default:
      return putOf(body);
  }
}

const getOf = (answer: string): Operation => ({ method: 'get', action: 'get', answer, query: [] });
const createOf = (self: string): Operation => ({
  method: 'post',
  action: 'post',
  body: self,
  answer: self,
  query: WRITE,
});
const putOf = (self: string): Operation => ({ method: 'put', action: 'put', body: self, answer: self, query: WRITE });
const deleteOf = (action: 'delete' | 'deletecollection', answer: string, query: readonly string[]): Operation => ({
  method: 'delete',
  action,
  body: `${META}.DeleteOptions`,
  answer,
  query,
});
const patchOf = (answer: string): Operation => ({
  method: 'patch',
  action: 'patch',
  body: `${META}.Patch`,
  answer,
  query: [...WRITE, 'force'],
});
const readWrite = (body: string): Operation[] => [getOf(body), putOf(body), patchOf(body)];

/** Definitions that the paths of a kind refer to. */
export function definitionsOf(kind: Kind): string[] {
  const bodies = Object.values(kind.subresources?.actions ?? {}).flatMap((a) => (a.body ? [a.body] : []));
  const meta = ['DeleteOptions', 'Status', 'Patch', 'WatchEvent'].map((name) => `${META}.${name}`);
  const known = [schemaName(kind), listName(kind), ...bodies, ...(kind.subresources?.scale ? [SCALE] : []), ...meta];
  return known.filter((name) => definition(name));
}
