import { Refusal } from './refusal.js';

/** A row that lists are ordered by: oldest first, and by id among those of one instant. */
interface Row {
  readonly id: string;
  readonly createdAt: Date;
}

const CURSOR = /^(\d{1,15})\.([0-9a-f-]{36})$/;

/** The order of rows that pageOf() expects. */
export const BY_AGE = [{ createdAt: 'asc' }, { id: 'asc' }] as const;

/** The filter of the rows after a page that ended with `cursor`. Throws Refusal 400. */
export function afterCursor(cursor: string | undefined) {
  if (cursor === undefined) return {};
  const [, ms, id] = CURSOR.exec(cursor) ?? [];
  if (ms === undefined || id === undefined || !isUuid(id))
    throw new Refusal(400, 'cursor: must be nextCursor of the page before');
  const createdAt = new Date(Number(ms));
  return { OR: [{ createdAt: { gt: createdAt } }, { createdAt, id: { gt: id } }] };
}

/** The first `limit` of `limit + 1` rows that were read, and the cursor behind them when there are more. */
export function pageOf<R extends Row, T>(
  rows: readonly R[],
  limit: number,
  toItem: (row: R) => T,
): { items: T[]; nextCursor?: string } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const page = { items: items.map(toItem) };
  if (rows.length <= limit || !last) return page;
  return { ...page, nextCursor: `${last.createdAt.getTime()}.${last.id}` };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What is no UUID is no row's id, and must not reach a query. */
export const isUuid = (id: string): boolean => UUID.test(id);
