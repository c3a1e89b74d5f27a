import type { WriteContext } from '../machinery/client.js';
import { ClusterAuth } from '../auth/cluster-auth.js';
import type { State } from '../runtime/state/state.js';
import type { Kind } from '../machinery/kind.js';
import type { Json, KubeObject } from '../machinery/meta/object.js';
import { cloneJson } from '../machinery/patch/patch.js';
import { SeededRandom } from '../machinery/random.js';
import type { Cell } from '../machinery/meta/table.js';
import { MINUTE } from '../machinery/time/time.js';

/** The time in the kinds' specs, and the age of an object that was created five minutes before. */
export const NOW = Date.parse('2026-01-01T12:00:00Z');
const CREATED = '2026-01-01T11:55:00Z';
export const AGE = `${(NOW - Date.parse(CREATED)) / MINUTE}m`;

const read = { get: () => undefined, list: () => [], byIndex: () => [], now: NOW };

export const context = {
  now: NOW,
  random: new SeededRandom(1),
  read,
  auth: new ClusterAuth(read as unknown as State, undefined),
  user: { name: 'ann', groups: ['system:masters', 'system:authenticated'] },
} as unknown as WriteContext;

type Fields = Record<string, unknown>;
const messagesOf = (errors: readonly { readonly message: string }[] | undefined): string[] =>
  (errors ?? []).map((error) => error.message);

/** An object as the write path hands it to a kind: named, with spec and status. */
export const make = <T extends KubeObject>(kind: Kind<T>, fields: Fields = {}): T =>
  cloneJson({
    apiVersion: kind.group ? `${kind.group}/${kind.version}` : kind.version,
    kind: kind.kind,
    spec: {},
    status: {},
    ...fields,
    metadata: { name: 'a', creationTimestamp: CREATED, ...(fields['metadata'] as object | undefined) },
  } as unknown as Json) as unknown as T;

export function makeWithDefaults<T extends KubeObject>(kind: Kind<T>, fields: Fields = {}): T {
  const object = make(kind, fields);
  kind.defaults?.(object);
  return object;
}

/** With defaults and what the server sets on create. */
export function create<T extends KubeObject>(kind: Kind<T>, fields: Fields = {}): T {
  const object = makeWithDefaults(kind, fields);
  kind.prepareForCreate?.(object, context);
  return object;
}

/** The object that is stored when `after` replaces `before`: with defaults and what the server sets on update. */
export function update<T extends KubeObject>(kind: Kind<T>, before: Fields, after: Fields): T {
  const object = makeWithDefaults(kind, after);
  kind.prepareForUpdate?.(object, create(kind, before), context);
  return object;
}

export const errorsOf = <T extends KubeObject>(kind: Kind<T>, fields: Fields): string[] => [
  ...messagesOf(kind.validate?.(create(kind, fields), context)),
  ...messagesOf(kind.validateNew?.(create(kind, fields), context)),
];

/** The errors of changing one object into another, without those of the new object itself. */
export const updateErrors = <T extends KubeObject>(kind: Kind<T>, before: Fields, after: Fields): string[] =>
  messagesOf(kind.validateUpdate?.(create(kind, after), create(kind, before), context));

/** The errors of writing `after` as the status of an object whose status is `before`. */
export function statusErrors<T extends KubeObject>(
  kind: Kind<T>,
  fields: Fields,
  after: object,
  before: object = {},
): string[] {
  const old = { ...create(kind, fields), status: before };
  return messagesOf(kind.validateStatusUpdate?.({ ...old, status: after }, old, context));
}

export const warningsOf = <T extends KubeObject>(kind: Kind<T>, fields: Fields): string[] =>
  kind.warnings?.(create(kind, fields), undefined) ?? [];

/** The cells by their headings, as `kubectl get -o wide` shows them. */
export const row = <T extends KubeObject>(kind: Kind<T>, object: T): Record<string, Cell> =>
  Object.fromEntries((kind.columns ?? []).map((c) => [c.name, c.cell(object, NOW)]));
