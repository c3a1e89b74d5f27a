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
  add(all, [
    ...(verbs.has('list') ? [list] : []),
    ...(verbs.has('create')
      ? [{ method: 'post', action: 'post', body: self, answer: self, query: WRITE } as const]
      : []),
    ...(verbs.has('deletecollection')
      ? [
          {
            method: 'delete',
            action: 'deletecollection',
            body: `${META}.DeleteOptions`,
            answer: `${META}.Status`,
            query: [...DELETE, ...LIST.filter((q) => q !== 'watch' && q !== 'allowWatchBookmarks')],
          } as const,
        ]
      : []),
  ]);
  add(one, [
    ...(verbs.has('get') ? [{ method: 'get', action: 'get', answer: self, query: [] } as const] : []),
    ...(verbs.has('update') ? [{ method: 'put', action: 'put', body: self, answer: self, query: WRITE } as const] : []),
    ...(verbs.has('delete')
      ? [
          {
            method: 'delete',
            action: 'delete',
            body: `${META}.DeleteOptions`,
            answer: `${META}.Status`,
            query: DELETE,
          } as const,
        ]
      : []),
    ...(verbs.has('patch') ? [patchOf(self)] : []),
  ]);
  if (namespaced && verbs.has('list')) add(`${prefix}/${kind.plural}`, [list], { everywhere: true });
  if (kind.subresources?.status) add(`${one}/status`, readWrite(self), { subresource: 'status' });
  if (kind.subresources?.scale)
    add(
      `${one}/scale`,
      readWrite(SCALE),
      { subresource: 'scale' },
      { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    );
  for (const [name, action] of Object.entries(kind.subresources?.actions ?? {})) {
    const body = action.body ?? self;
    const operations = action.verbs.map((verb): Operation =>
      verb === 'patch'
        ? patchOf(body)
        : verb === 'get'
          ? { method: 'get', action: 'get', answer: body, query: [] }
          : verb === 'delete'
            ? { method: 'delete', action: 'delete', answer: body, query: DELETE }
            : verb === 'create'
              ? { method: 'post', action: 'post', body, answer: body, query: WRITE }
              : { method: 'put', action: 'put', body, answer: body, query: WRITE },
    );
    add(`${one}/${name}`, operations, { subresource: name }, action.kind ?? kind);
  }
  return out;
}

const patchOf = (answer: string): Operation => ({
  method: 'patch',
  action: 'patch',
  body: `${META}.Patch`,
  answer,
  query: [...WRITE, 'force'],
});
const readWrite = (body: string): Operation[] => [
  { method: 'get', action: 'get', answer: body, query: [] },
  { method: 'put', action: 'put', body, answer: body, query: WRITE },
  patchOf(body),
];

/** Definitions that the paths of a kind refer to. */
export function definitionsOf(kind: Kind): string[] {
  const bodies = Object.values(kind.subresources?.actions ?? {}).flatMap((a) => (a.body ? [a.body] : []));
  const meta = ['DeleteOptions', 'Status', 'Patch', 'WatchEvent'].map((name) => `${META}.${name}`);
  const known = [schemaName(kind), listName(kind), ...bodies, ...(kind.subresources?.scale ? [SCALE] : []), ...meta];
  return known.filter((name) => definition(name));
}
