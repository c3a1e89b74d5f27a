import { ALL_VERBS, type Kind } from '../machinery/kind.js';
import { definition } from './definitions.js';
import { reference, type Dialect, type Schema } from './openapi-schema.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const SCALE = 'io.k8s.api.autoscaling.v1.Scale';
const BODY_TYPES = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const PATCH_TYPES = ['application/json-patch+json', 'application/merge-patch+json', 'application/strategic-merge-patch+json', 'application/apply-patch+yaml'];

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
interface Operation {
  readonly method: Method;
  /** As x-kubernetes-action names it. */
  readonly action: 'get' | 'list' | 'put' | 'post' | 'delete' | 'deletecollection' | 'patch';
  readonly body?: string;
  readonly answer: string;
  readonly query: readonly string[];
}

const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
const LIST = ['allowWatchBookmarks', 'continue', 'fieldSelector', 'labelSelector', 'limit', 'resourceVersion', 'resourceVersionMatch', 'sendInitialEvents', 'timeoutSeconds', 'watch'];
const DELETE = ['dryRun', 'gracePeriodSeconds', 'ignoreStoreReadErrorWithClusterBreakingPotential', 'orphanDependents', 'propagationPolicy'];
const BOOLEANS = new Set(['allowWatchBookmarks', 'force', 'ignoreStoreReadErrorWithClusterBreakingPotential', 'orphanDependents', 'sendInitialEvents', 'watch']);
const INTEGERS = new Set(['gracePeriodSeconds', 'limit', 'timeoutSeconds']);

/** Name of a kind's schema; a custom resource's is made of its group, 'example.shop.v1.Cart'. */
export const schemaName = (kind: Kind): string => kind.definition || [...kind.group.split('.').reverse(), kind.version, kind.kind].join('.');
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
  const add = (path: string, operations: readonly Operation[], of: GroupVersionKind = kind): void => {
    if (operations.length > 0) out[path] = pathItem(path, operations, of, dialect);
  };

  const list: Operation = { method: 'get', action: 'list', answer: listName(kind), query: LIST };
  add(all, [
    ...(verbs.has('list') ? [list] : []),
    ...(verbs.has('create') ? [{ method: 'post', action: 'post', body: self, answer: self, query: WRITE } as const] : []),
    ...(verbs.has('deletecollection') ? [{ method: 'delete', action: 'deletecollection', body: `${META}.DeleteOptions`, answer: `${META}.Status`, query: [...DELETE, ...LIST.filter((q) => q !== 'watch' && q !== 'allowWatchBookmarks')] } as const] : []),
  ]);
  add(one, [
    ...(verbs.has('get') ? [{ method: 'get', action: 'get', answer: self, query: [] } as const] : []),
    ...(verbs.has('update') ? [{ method: 'put', action: 'put', body: self, answer: self, query: WRITE } as const] : []),
    ...(verbs.has('delete') ? [{ method: 'delete', action: 'delete', body: `${META}.DeleteOptions`, answer: `${META}.Status`, query: DELETE } as const] : []),
    ...(verbs.has('patch') ? [patchOf(self)] : []),
  ]);
  if (namespaced && verbs.has('list')) add(`${prefix}/${kind.plural}`, [list]);
  if (kind.subresources?.status) add(`${one}/status`, readWrite(self));
  if (kind.subresources?.scale) add(`${one}/scale`, readWrite(SCALE), { group: 'autoscaling', version: 'v1', kind: 'Scale' });
  for (const [name, action] of Object.entries(kind.subresources?.actions ?? {})) {
    const body = action.body ?? self;
    const operations = action.verbs.map((verb): Operation =>
      verb === 'patch' ? patchOf(body) : verb === 'get' ? { method: 'get', action: 'get', answer: body, query: [] }
        : verb === 'delete' ? { method: 'delete', action: 'delete', answer: body, query: DELETE }
        : verb === 'create' ? { method: 'post', action: 'post', body, answer: body, query: WRITE }
        : { method: 'put', action: 'put', body, answer: body, query: WRITE });
    add(`${one}/${name}`, operations, action.kind ?? kind);
  }
  return out;
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const patchOf = (answer: string): Operation => ({ method: 'patch', action: 'patch', body: `${META}.Patch`, answer, query: [...WRITE, 'force'] });
const readWrite = (body: string): Operation[] => [
  { method: 'get', action: 'get', answer: body, query: [] },
  { method: 'put', action: 'put', body, answer: body, query: WRITE },
  patchOf(body),
];

function pathItem(path: string, operations: readonly Operation[], of: GroupVersionKind, dialect: Dialect): Schema {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name!, 'path', dialect));
  return {
    ...Object.fromEntries(operations.map((o) => [o.method, operation(path, o, of, dialect)])),
    parameters: [...inPath, parameter('pretty', 'query', dialect)],
  };
}

function operation(path: string, o: Operation, of: GroupVersionKind, dialect: Dialect): Schema {
  const types = o.method === 'patch' ? PATCH_TYPES : BODY_TYPES;
  const parameters = o.query.map((name) => parameter(name, 'query', dialect));
  const common = {
    tags: [tag(of)],
    operationId: operationId(path, o),
    'x-kubernetes-action': o.action,
    'x-kubernetes-group-version-kind': { group: of.group, kind: of.kind, version: of.version },
  };
  if (dialect === 'v2') {
    const body = o.body ? [{ name: 'body', in: 'body', required: o.method !== 'delete', schema: reference(o.body, dialect) }] : [];
    return { ...common, consumes: o.body ? types : ['*/*'], produces: BODY_TYPES, schemes: ['https'], parameters: [...body, ...parameters], responses: { 200: { description: 'OK', schema: reference(o.answer, dialect) } } };
  }
  const content = (names: readonly string[], name: string): Schema => Object.fromEntries(names.map((type) => [type, { schema: reference(name, dialect) }]));
  return {
    ...common,
    parameters,
    ...(o.body ? { requestBody: { content: o.method === 'patch' ? content(types, o.body) : { '*/*': { schema: reference(o.body, dialect) } }, required: o.method !== 'delete' } } : {}),
    responses: { 200: { description: 'OK', content: content(BODY_TYPES, o.answer) } },
  };
}

/** 'apps_v1', as client generators expect. */
const tag = (of: GroupVersionKind): string => `${of.group.split('.')[0] || 'core'}_${of.version}`;

/** Unique, from the method and the path. */
const operationId = (path: string, o: Operation): string =>
  o.action + path.split('/').filter(Boolean).map((part) => part.replace(/\W+(\w?)/g, (_all, c: string) => c.toUpperCase())).map((part) => (part ? part[0]!.toUpperCase() + part.slice(1) : '')).join('');

function parameter(name: string, where: 'path' | 'query', dialect: Dialect): Schema {
  const type = BOOLEANS.has(name) ? 'boolean' : INTEGERS.has(name) ? 'integer' : 'string';
  const base = { name, in: where, ...(where === 'path' ? { required: true } : {}), uniqueItems: true };
  return dialect === 'v2' ? { ...base, type } : { name, in: where, ...(where === 'path' ? { required: true } : {}), schema: { type, uniqueItems: true } };
}

/** Definitions that the paths of a kind refer to. */
export function definitionsOf(kind: Kind): string[] {
  const bodies = Object.values(kind.subresources?.actions ?? {}).flatMap((a) => (a.body ? [a.body] : []));
  const meta = ['DeleteOptions', 'Status', 'Patch', 'WatchEvent'].map((name) => `${META}.${name}`);
  const known = [schemaName(kind), listName(kind), ...bodies, ...(kind.subresources?.scale ? [SCALE] : []), ...meta];
  return known.filter((name) => definition(name));
}
