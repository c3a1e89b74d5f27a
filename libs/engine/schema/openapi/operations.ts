import { definition } from '../facts/definitions.js';
import { description } from '../facts/descriptions.js';
import { reference, type Dialect, type Schema } from './schema.js';
import type { Kind } from '../../machinery/kind.js';

export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** As x-kubernetes-action names it. */
  readonly action: 'get' | 'list' | 'put' | 'post' | 'delete' | 'deletecollection' | 'patch';
  readonly body?: string;
  readonly answer: string;
  readonly query: readonly string[];
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Where an operation stands: its resource, and what its bodies are. */
export interface Place {
  readonly kind: Kind;
  readonly of: GroupVersionKind;
  /** '' for the object itself. */
  readonly subresource: string;
  readonly namespaced: boolean;
  /** A list over all namespaces. */
  readonly everywhere: boolean;
}

const JSON_TYPE = 'application/json';
const YAML_TYPE = 'application/yaml';
const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf';
const STRATEGIC = 'application/strategic-merge-patch+json';
const PATCH_TYPES = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  STRATEGIC,
];
const BOOLEANS = new Set([
  'allowWatchBookmarks',
  'force',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'sendInitialEvents',
  'watch',
]);
const INTEGERS = new Set(['gracePeriodSeconds', 'limit', 'timeoutSeconds']);
/** Stands in each operation, since kubectl looks for it there; the others are written once and referred to. */
const INLINE = new Set(['dryRun', 'fieldValidation', 'name']);
const SHARED: Readonly<Record<Dialect, string>> = { v2: '#/parameters/', v3: '#/components/parameters/' };
/** The definition-like name under which parameters are described. */
const PARAMETERS = 'parameters';
const VERBS: Readonly<Record<Operation['action'], string>> = {
  get: 'read',
  list: 'list',
  put: 'replace',
  post: 'create',
  delete: 'delete',
  deletecollection: 'delete',
  patch: 'patch',
};
/** Answers beside 200. */
const MORE_ANSWERS: Readonly<Partial<Record<Operation['action'], readonly [code: number, text: string][]>>> = {
  post: [
    [201, 'Created'],
    [202, 'Accepted'],
  ],
  put: [[201, 'Created']],
  patch: [[201, 'Created']],
  delete: [[202, 'Accepted']],
};

/** One path with its operations. Models registerResourceHandlers of apiserver/pkg/endpoints/installer.go. */
export function pathItem(path: string, operations: readonly Operation[], place: Place, dialect: Dialect): Schema {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    name === 'name' ? nameOf(place.kind, dialect) : shared(name!, dialect),
  );
  return {
    ...Object.fromEntries(operations.map((o) => [o.method, operation(o, place, dialect)])),
    parameters: [...inPath, shared('pretty', dialect)],
  };
}

function operation(o: Operation, place: Place, dialect: Dialect): Schema {
  const builtIn = definition(place.kind.definition) !== undefined;
  const inputs = o.action !== 'patch' ? ['*/*'] : builtIn ? PATCH_TYPES : PATCH_TYPES.filter((t) => t !== STRATEGIC);
  const outputs = [JSON_TYPE, YAML_TYPE, ...(builtIn ? [PROTOBUF_TYPE] : [])];
  const parameters = o.query.map((name) =>
    shared(o.action === 'patch' && name === 'fieldManager' ? 'patch.fieldManager' : name, dialect),
  );
  const common = {
    tags: [tag(place.kind)],
    description: sentence(o, place),
    operationId: operationId(o, place),
    'x-kubernetes-action': o.action,
    'x-kubernetes-group-version-kind': { group: place.of.group, kind: place.of.kind, version: place.of.version },
  };
  const answers: [number, string][] = [[200, 'OK'], ...(MORE_ANSWERS[o.action] ?? [])];
  const responses = (make: (name: string) => Schema): Schema => ({
    ...Object.fromEntries(answers.map(([code, text]) => [code, { description: text, ...make(o.answer) }])),
    401: { description: 'Unauthorized' },
  });
  if (dialect === 'v2') {
    const body = o.body
      ? [{ name: 'body', in: 'body', ...(isDelete(o) ? {} : { required: true }), schema: reference(o.body, dialect) }]
      : [];
    return {
      ...common,
      consumes: inputs,
      produces: outputs,
      schemes: ['https'],
      parameters: [...body, ...parameters],
      responses: responses((name) => ({ schema: reference(name, dialect) })),
    };
  }
  const content = (types: readonly string[], name: string): Schema => ({
    content: Object.fromEntries(types.map((type) => [type, { schema: reference(name, dialect) }])),
  });
  return {
    ...common,
    parameters,
    ...(o.body ? { requestBody: { ...content(inputs, o.body), ...(isDelete(o) ? {} : { required: true }) } } : {}),
    responses: responses((name) => content(outputs, name)),
  };
}

const isDelete = (o: Operation): boolean => o.method === 'delete';
const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
/** 'rbac.authorization.k8s.io' -> ['rbac', 'authorization']. */
const groupWords = ({ group }: GroupVersionKind): string[] => (group.replace(/\.k8s\.io$/, '') || 'core').split('.');

/** 'rbacAuthorization_v1', as client generators expect. */
function tag(kind: GroupVersionKind): string {
  const [first = '', ...rest] = groupWords(kind);
  return `${first}${rest.map(title).join('')}_${kind.version}`;
}

/** 'replaceAppsV1NamespacedDeploymentStatus', which generated clients name their methods after. */
function operationId(o: Operation, { kind, namespaced, subresource, everywhere }: Place): string {
  const group = groupWords(kind).map(title).join('');
  const many = o.action === 'deletecollection' ? 'Collection' : '';
  const scope = namespaced && !everywhere ? 'Namespaced' : '';
  return `${VERBS[o.action]}${group}${title(kind.version)}${many}${scope}${kind.kind}${title(subresource)}${everywhere ? 'ForAllNamespaces' : ''}`;
}

function sentence({ action }: Operation, { kind: { kind }, subresource }: Place): string {
  const article = /^[AEIOU]/.test(kind) ? 'an' : 'a';
  const part = subresource ? `${subresource} of ` : '';
  switch (action) {
    case 'list':
      return `list or watch objects of kind ${kind}`;
    case 'deletecollection':
      return `delete collection of ${kind}`;
    case 'post':
      return `create ${part}${article} ${kind}`;
    case 'delete':
      return `delete ${part}${article} ${kind}`;
    case 'get':
      return `read ${part}the specified ${kind}`;
    case 'put':
      return `replace ${part}the specified ${kind}`;
    case 'patch':
      return `partially update ${part}the specified ${kind}`;
  }
}

const nameOf = (kind: Kind, dialect: Dialect): Schema => parameter('name', dialect, `name of the ${kind.kind}`);
const shared = (name: string, dialect: Dialect): Schema =>
  INLINE.has(name) ? parameter(name, dialect) : { $ref: SHARED[dialect] + name };

function parameter(name: string, dialect: Dialect, text = description(PARAMETERS, name)): Schema {
  const plain = name.replace(/^patch\./, '');
  const path = plain === 'name' || plain === 'namespace';
  const type = BOOLEANS.has(plain) ? 'boolean' : INTEGERS.has(plain) ? 'integer' : 'string';
  const base = {
    name: plain,
    in: path ? 'path' : 'query',
    ...(text ? { description: text } : {}),
    ...(path ? { required: true } : {}),
  };
  return dialect === 'v2' ? { ...base, type, uniqueItems: true } : { ...base, schema: { type, uniqueItems: true } };
}

const SHARED_NAMES = [
  'allowWatchBookmarks',
  'continue',
  'fieldManager',
  'fieldSelector',
  'force',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'labelSelector',
  'limit',
  'namespace',
  'orphanDependents',
  'patch.fieldManager',
  'pretty',
  'propagationPolicy',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];

/** What operations refer to, by name. */
export const sharedParameters = (dialect: Dialect): Schema =>
  Object.fromEntries(SHARED_NAMES.map((name) => [name, parameter(name, dialect)]));
