import { deepEqual } from './meta/equal.js';
import type { Change } from './change.js';
import type { KubeObject } from './meta/object.js';
import type { Millis } from './time/time.js';

export type PastVerb = 'create' | 'update' | 'delete';

/** A change of the log without its object: who did what to what, when, and because of which earlier revision. */
export interface PastChange {
  readonly revision: number;
  readonly at: Millis;
  readonly actor: string;
  readonly cause: number;
  readonly verb: PastVerb;
  /** Storage key: 'pods', 'deployments.apps'. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** What an update has changed: 'spec', 'status', 'metadata.labels'. */
  readonly fields: readonly string[];
  /** Of lines typed into a terminal: where, and which. */
  readonly typed?: TypedLines;
}

export interface TypedLines {
  /** 'pod/shop/web'. */
  readonly place: string;
  readonly lines: readonly string[];
}

/** The storage key of TerminalInputs. */
export const TERMINAL_INPUTS = 'terminalinputs.terrarium.dev';

/** Which changes are meant; what is absent holds for all. */
export interface ChangeFilter {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** A user or component, or the last part of its name: 'deployment-controller'. */
  readonly actor?: string;
  readonly verbs?: readonly PastVerb[];
  readonly since?: Millis;
  readonly until?: Millis;
  /** Changes after this revision. */
  readonly after?: number;
  /** Changes that nothing but a user's request has caused. */
  readonly ofUsers?: boolean;
}

/** What may be asked about the past. Answers begin with the newest change. */
export type HistoryQuery =
  /** The change of this revision, the one that caused it, and so on. */
  | { readonly type: 'chain'; readonly revision: number; readonly limit: number }
  /** The creation of an object by its creationTimestamp. */
  | {
      readonly type: 'creation';
      readonly resource: string;
      readonly namespace: string;
      readonly name: string;
      readonly at: Millis;
    }
  /** The last changes before a revision. */
  | { readonly type: 'search'; readonly filter: ChangeFilter; readonly before: number; readonly limit: number };

export interface HistoryAnswer {
  readonly changes: readonly PastChange[];
  /** Every change after this revision was looked at. */
  readonly reached: number;
  /**
   * Why older changes were not looked at: they are not kept, the cluster was made with what they had come to, or the
   * search has taken long enough.
   */
  readonly ended?: 'retention' | 'beginning' | 'budget';
  /** At the beginning: the template that the cluster was made of. */
  readonly template?: string;
}

/** Undefined: older changes than those in memory cannot be read here. Throws HistoryNeeded. */
export type AskHistory = (query: HistoryQuery) => HistoryAnswer | undefined;

/** Ends a run of a request that cannot go on before its host has read in the log. */
export class HistoryNeeded extends Error {
  constructor(readonly query: HistoryQuery) {
    super('a part of the log is wanted');
  }
}

/** The same for every asking of the same query. */
export const historyKey = (query: HistoryQuery): string => JSON.stringify(query);

/** Metadata that changes with every write. */
const BOOKKEEPING = new Set(['resourceVersion', 'managedFields', 'generation']);

/** A change as `why` and the timeline show it. `changed`: the names of the top-level fields and of metadata's. */
export const summarize = (
  { revision, at, actor, cause, type, resource, namespace, name }: Omit<Change, 'object'>,
  isCreation: boolean,
  fields: readonly string[],
): PastChange => ({
  revision,
  at,
  actor,
  cause,
  verb: type === 'delete' ? 'delete' : isCreation ? 'create' : 'update',
  resource,
  namespace,
  name,
  fields: type === 'delete' || isCreation ? [] : fields,
});

export function pastChangeOf(change: Change & { readonly old: KubeObject | undefined }): PastChange {
  const { object, old } = change;
  const typed = change.type === 'put' ? typedLinesOf(change.resource, object) : undefined;
  if (typed) return { ...summarize(change, true, []), typed };
  return summarize(change, !old, old ? changedFields(object, (field) => old[field as keyof KubeObject], old) : []);
}

/** Undefined: it is no TerminalInput. */
export function typedLinesOf(storage: string, object: unknown): TypedLines | undefined {
  if (storage !== TERMINAL_INPUTS) return undefined;
  const { resource, namespace, name, lines } = object as Record<'resource' | 'namespace' | 'name', string> & TypedLines;
  return { place: [resource.replace(/s$/, ''), namespace, name].filter((part) => part !== '').join('/'), lines };
}

function changedFields(object: KubeObject, before: (field: string) => unknown, old: KubeObject): string[] {
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  names.delete('metadata');
  const differ = (a: unknown, b: unknown): boolean => a !== b && !deepEqual(a, b);
  const changed = [...names].filter((name) => differ(object[name as keyof KubeObject], before(name)));
  const [now, was] = [object.metadata, old.metadata] as unknown as Record<string, unknown>[];
  return [...changed, ...changedMetadata(Object.keys({ ...was, ...now }), (name) => differ(now![name], was![name]))];
}

/** 'metadata.labels' of the names that `isChanged`. */
export const changedMetadata = (names: readonly string[], isChanged: (name: string) => boolean): string[] =>
  names.filter((name) => !BOOKKEEPING.has(name) && isChanged(name)).map((name) => `metadata.${name}`);

/** Whether somebody outside of the cluster has made it, rather than one of its components. */
export const isOfUser = ({ actor, cause }: Pick<PastChange, 'actor' | 'cause'>): boolean =>
  cause === 0 && !actor.startsWith('system:');

export function matchesFilter(filter: ChangeFilter, change: Omit<PastChange, 'fields' | 'verb'>): boolean {
  const { resource, namespace, name, actor, since, until, after, ofUsers } = filter;
  return (
    (resource === undefined || change.resource === resource) &&
    (namespace === undefined || change.namespace === namespace) &&
    (name === undefined || change.name === name) &&
    (actor === undefined || change.actor === actor || change.actor.endsWith(`:${actor}`)) &&
    (since === undefined || change.at >= since) &&
    (until === undefined || change.at <= until) &&
    (after === undefined || change.revision > after) &&
    (!ofUsers || isOfUser(change))
  );
}

/** Whether no older change can match. */
export const isBehind = (
  { since, after }: ChangeFilter,
  { at, revision }: Pick<PastChange, 'at' | 'revision'>,
): boolean => (since !== undefined && at < since) || (after !== undefined && revision <= after);

export const matchesVerb = ({ verbs }: ChangeFilter, { verb }: Pick<PastChange, 'verb'>): boolean =>
  verbs === undefined || verbs.includes(verb);
