import { makeAccess } from '../../../machinery/requests/auth.js';
import { defineKind } from '../../../machinery/kind.js';
import { invalidValue, Path, required, type FieldError } from '../../../machinery/meta/field.js';
import { isObject, type KubeObject } from '../../../machinery/meta/object.js';
import { badRequest, invalid } from '../../../machinery/meta/status.js';
import type { User } from '../../../machinery/requests/user.js';
import type { WhyAnswer, WhyQuestion } from '../../../machinery/questions/why.js';
import { readConnection, type Trace } from '../trace/kind.js';
import { unknownFields } from '../unknown-fields.js';

/** A request that was refused, or would be. */
export interface WhyRequest {
  /** By default who asks. */
  user?: string;
  groups?: string[];
  verb: string;
  group?: string;
  resource?: string;
  subresource?: string;
  namespace?: string;
  name?: string;
  /** A URL that is no resource. */
  path?: string;
  /** Tried with `verb: create`, and not stored. */
  object?: KubeObject;
}

/** Why something is as it is: of an object, a connection, a request or a revision. It is answered and never stored. */
export interface Why extends KubeObject {
  spec: {
    /** As kubectl takes it: 'pods', 'po', 'Pod', 'deployments.apps'. */
    resource?: string;
    /** By default 'default'. */
    namespace?: string;
    name?: string;
    condition?: string;
    /** The deletion of a missing object is looked for in changes before this revision. */
    before?: number;
    connection?: Trace['spec'];
    request?: WhyRequest;
    revision?: number;
  };
  status?: WhyAnswer;
}

const FIELDS = ['resource', 'namespace', 'name', 'condition', 'before', 'connection', 'request', 'revision'];
const REQUEST_FIELDS = [
  'user',
  'groups',
  'verb',
  'group',
  'resource',
  'subresource',
  'namespace',
  'name',
  'path',
  'object',
];
const MAX_TEXT = 253;
const MAX_PATH = 1_024;
const MAX_GROUPS = 50;

export const kind = defineKind<Why>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Why',
  plural: 'whys',
  singular: 'why',
  scope: 'Cluster',
  definition: '',
  verbs: ['create'],
  columns: [
    { name: 'Reason', type: 'string', cell: ({ status }) => status?.reason ?? '' },
    { name: 'Message', type: 'string', cell: ({ status }) => status?.message ?? '' },
  ],
  evaluate(why, _client, { why: answer, user, now }) {
    const errors: FieldError[] = [];
    const question = readQuestion(why.spec ?? {}, user, Path.of('spec'), errors);
    if (errors.length > 0 || !question) throw invalid(kind, why.metadata?.name ?? '', errors);
    if (!answer) throw badRequest('nobody here knows why');
    const status = answer(question, user, now);
    if (typeof status === 'string') throw badRequest(status);
    return { ...why, status };
  },
});

function readQuestion(spec: Why['spec'], asker: User, path: Path, errors: FieldError[]): WhyQuestion | undefined {
  errors.push(...unknownFields(spec, FIELDS, path));
  const { connection, request, revision, name, resource } = spec;
  const asked = [connection, request, revision, name ?? resource].filter((one) => one !== undefined);
  if (asked.length !== 1) {
    errors.push(required(path, 'one of name, connection, request and revision'));
    return undefined;
  }
  if (connection !== undefined) return readTrace(connection, path.child('connection'), errors);
  if (request !== undefined) return readRequest(request, asker, path.child('request'), errors);
  if (revision === undefined) return readObject(spec, path, errors);
  checkRevision(revision, path.child('revision'), errors);
  return { type: 'revision', revision };
}

function readTrace(spec: Trace['spec'], path: Path, errors: FieldError[]): WhyQuestion | undefined {
  const connection = readConnection(spec, path, errors);
  return connection && { type: 'connection', connection };
}

function readObject(spec: Why['spec'], path: Path, errors: FieldError[]): WhyQuestion {
  const { resource = '', namespace = 'default', name = '', condition, before } = spec;
  if (!resource) errors.push(required(path.child('resource'), 'such as pods, or deployments.apps'));
  if (!name) errors.push(required(path.child('name')));
  for (const [field, value] of Object.entries({ resource, namespace, name, condition }))
    if (value !== undefined) checkText(value, MAX_TEXT, path.child(field), errors);
  if (before !== undefined) checkRevision(before, path.child('before'), errors);
  return {
    type: 'object',
    resource,
    namespace,
    name,
    ...(condition === undefined ? {} : { condition }),
    ...(before === undefined ? {} : { before }),
  };
}

function readRequest(request: WhyRequest, asker: User, path: Path, errors: FieldError[]): WhyQuestion {
  errors.push(...unknownFields(request, REQUEST_FIELDS, path));
  const { user, groups, verb, path: url, object, ...rest } = request;
  if (!verb) errors.push(required(path.child('verb')));
  if (!rest.resource && url === undefined) errors.push(required(path.child('resource')));
  for (const [field, value] of Object.entries({ user, verb, ...rest }))
    if (value !== undefined) checkText(value, MAX_TEXT, path.child(field), errors);
  if (url !== undefined) checkText(url, MAX_PATH, path.child('path'), errors);
  const isList = Array.isArray(groups) && groups.length <= MAX_GROUPS && groups.every((one) => typeof one === 'string');
  if (groups !== undefined && !isList)
    errors.push(invalidValue(path.child('groups'), groups, `must be a list of at most ${MAX_GROUPS} names`));
  if (object !== undefined && (!isObject(object) || (verb !== 'create' && verb !== 'update')))
    errors.push(invalidValue(path.child('object'), '', 'must be an object, with verb create or update'));
  const isOther = user !== undefined && user !== asker.name;
  const as =
    isOther || groups ? { name: user ?? asker.name, groups: ['system:authenticated', ...(groups ?? [])] } : asker;
  // As rules have it: 'pods/log'.
  const [resource = '', subresource = rest.subresource] = (rest.resource ?? '').split('/');
  const what = url === undefined ? { resource, ...(subresource ? { subresource } : {}) } : { path: url };
  const access = makeAccess(verb, { ...rest, ...what });
  return { type: 'request', user: as, access, ...(object ? { object } : {}) };
}

function checkText(value: unknown, max: number, path: Path, errors: FieldError[]): void {
  if (typeof value !== 'string' || value.length > max)
    errors.push(
      invalidValue(path, typeof value === 'string' ? '' : value, `must be a text of at most ${max} characters`),
    );
}

function checkRevision(value: unknown, path: Path, errors: FieldError[]): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    errors.push(invalidValue(path, value, 'must be a whole number of at least 1'));
}
