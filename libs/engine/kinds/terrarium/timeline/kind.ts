import { defineKind } from '../../../machinery/kind.js';
import { invalidValue, notSupported, Path, type FieldError } from '../../../machinery/meta/field.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { badRequest, invalid } from '../../../machinery/meta/status.js';
import type { ChangeFilter, PastVerb } from '../../../machinery/past-change.js';
import { parseTimestamp, type Millis } from '../../../machinery/time/time.js';
import type { Timeline as Answer, TimelineQuestion } from '../../../machinery/questions/why.js';
import { unknownFields } from '../unknown-fields.js';

/** Who did what, when, and because of what: a page of the history, newest first. It is answered and never stored. */
export interface Timeline extends KubeObject {
  spec?: {
    resource?: string;
    namespace?: string;
    name?: string;
    /** A user, a component, or the last part of its name. */
    actor?: string;
    verbs?: PastVerb[];
    /** Only what no component did. */
    ofUsers?: boolean;
    /** Times as RFC 3339. */
    since?: string;
    until?: string;
    /** Changes after this revision, and before that one. */
    after?: number;
    before?: number;
    /** By default 100. */
    limit?: number;
  };
  status?: Answer;
}

const FIELDS = [
  'resource',
  'namespace',
  'name',
  'actor',
  'verbs',
  'ofUsers',
  'since',
  'until',
  'after',
  'before',
  'limit',
];
const VERBS: readonly PastVerb[] = ['create', 'update', 'delete'];
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const MAX_TEXT = 253;
const MAX_STAMP = 40;

export const kind = defineKind<Timeline>({
  group: 'terrarium.dev',
  version: 'v1alpha1',
  kind: 'Timeline',
  plural: 'timelines',
  singular: 'timeline',
  scope: 'Cluster',
  definition: '',
  verbs: ['create'],
  evaluate(timeline, _client, { timeline: read }) {
    const errors: FieldError[] = [];
    const question = readQuestion(timeline.spec ?? {}, Path.of('spec'), errors);
    if (errors.length > 0) throw invalid(kind, timeline.metadata?.name ?? '', errors);
    if (!read) throw badRequest('nobody here knows the history');
    const status = read(question);
    if (typeof status === 'string') throw badRequest(status);
    return { ...timeline, status };
  },
});

function readQuestion(spec: NonNullable<Timeline['spec']>, path: Path, errors: FieldError[]): TimelineQuestion {
  errors.push(...unknownFields(spec, FIELDS, path));
  const { resource, namespace, name, actor, verbs, ofUsers, after, before, limit = DEFAULT_LIMIT } = spec;
  for (const [field, value] of Object.entries({ resource, namespace, name, actor }))
    if (value !== undefined && (typeof value !== 'string' || value.length > MAX_TEXT))
      errors.push(invalidValue(path.child(field), '', `must be a text of at most ${MAX_TEXT} characters`));
  for (const [field, value] of Object.entries({ after, before }))
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0))
      errors.push(invalidValue(path.child(field), value, 'must be a revision'));
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    errors.push(invalidValue(path.child('limit'), limit, `must be a number of 1 to ${MAX_LIMIT}`));
  if (ofUsers !== undefined && typeof ofUsers !== 'boolean')
    errors.push(invalidValue(path.child('ofUsers'), ofUsers, 'must be true or false'));
  checkVerbs(verbs, path.child('verbs'), errors);
  const filter: Omit<ChangeFilter, 'resource'> = {
    ...present({ namespace, name, actor, after, ofUsers, verbs }),
    ...present({ since: readTime(spec.since, path.child('since'), errors) }),
    ...present({ until: readTime(spec.until, path.child('until'), errors) }),
  };
  return { filter, ...present({ resource, before }), limit };
}

function checkVerbs(verbs: unknown, path: Path, errors: FieldError[]): void {
  if (verbs === undefined) return;
  if (!Array.isArray(verbs) || verbs.length === 0 || verbs.length > VERBS.length)
    return void errors.push(invalidValue(path, verbs, 'must be a list of verbs'));
  for (const verb of verbs)
    if (!VERBS.includes(verb as PastVerb)) errors.push(notSupported(path, String(verb).slice(0, MAX_TEXT), VERBS));
}

function readTime(text: unknown, path: Path, errors: FieldError[]): Millis | undefined {
  if (text === undefined) return undefined;
  const at = typeof text === 'string' && text.length <= MAX_STAMP ? parseTimestamp(text) : NaN;
  if (!Number.isNaN(at)) return at;
  errors.push(
    invalidValue(path, typeof text === 'string' ? text.slice(0, MAX_STAMP) : text, 'must be a time as RFC 3339 has it'),
  );
  return undefined;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that are set. */
const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
