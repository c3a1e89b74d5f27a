import type { WriteContext } from '../machinery/client.js';
import { ClusterAuth } from '../auth/cluster-auth.js';
import type { State } from '../runtime/state.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import { SeededRandom } from '../machinery/random.js';
import type { Cell } from '../machinery/meta/table.js';
import { MINUTE } from '../machinery/time/time.js';

/** For the kinds' tests: virtual now, and an object that was made five minutes before. */
export const NOW = Date.parse('2026-01-01T12:00:00Z');
const CREATED = '2026-01-01T11:55:00Z';
export const AGE = `${(NOW - Date.parse(CREATED)) / MINUTE}m`;

const read = { get: () => undefined, list: () => [], now: NOW };

export const context = {
  now: NOW,
  random: new SeededRandom(1),
  read,
  auth: new ClusterAuth(read as unknown as State, undefined),
  user: { name: 'ann', groups: ['system:masters', 'system:authenticated'] },
} as unknown as WriteContext;

type Fields = Record<string, unknown>;
/** An object as the write path hands it to a kind: named, with spec and status. */
export const make = <T extends KubeObject>(kind: Kind<T>, fields: Fields = {}): T =>
  ({
    apiVersion: `${kind.group}/${kind.version}`,
    kind: kind.kind,
    spec: {},
    status: {},
    ...fields,
    metadata: { name: 'a', creationTimestamp: CREATED, ...(fields['metadata'] as object | undefined) },
  }) as unknown as T;

/** With defaults and what the server sets on create. */
export function created<T extends KubeObject>(kind: Kind<T>, fields: Fields = {}): T {
  const object = make(kind, fields);
  kind.defaults?.(object);
  kind.prepareForCreate?.(object, context);
  return object;
}

export const errorsOf = <T extends KubeObject>(kind: Kind<T>, fields: Fields): string[] =>
  [
    ...(kind.validate?.(created(kind, fields), context) ?? []),
    ...(kind.validateNew?.(created(kind, fields), context) ?? []),
  ].map((e) => e.message);

/** The errors of changing one object into another, without those of the new object itself. */
export const updateErrors = <T extends KubeObject>(kind: Kind<T>, before: Fields, after: Fields): string[] =>
  (kind.validateUpdate?.(created(kind, after), created(kind, before), context) ?? []).map((e) => e.message);

/** The cells by their headings, as `kubectl get -o wide` shows them. */
export const row = <T extends KubeObject>(kind: Kind<T>, object: T): Record<string, Cell> =>
  Object.fromEntries((kind.columns ?? []).map((c) => [c.name, c.cell(object, NOW)]));
