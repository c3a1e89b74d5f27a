import type { Document, Value } from '../data/value.js';
import { documentOf, NOTHING, ScriptFailure, thing, valueOf, type Methods, type Shell, type Thing } from './thing.js';
import { printValue } from './inspect.js';

export type Cursor = Extract<Thing, { kind: 'cursor' }>;

const MAX_BATCHES = 1_000;

/** All documents of a cursor. */
export function fetchAll(shell: Shell, { database, collection, command }: Cursor): Document[] {
  const answer = shell.ask(database, command);
  let { id } = answer['cursor'] as { id: Value };
  const documents = [...((answer['cursor'] as Document)['firstBatch'] as Document[])];
  for (let batches = 0; Number((id as Document)['$numberLong']) !== 0 && batches < MAX_BATCHES; batches++) {
    const more = shell.ask(database, { getMore: id, collection })['cursor'] as Document;
    documents.push(...(more['nextBatch'] as Document[]));
    id = more['id']!;
  }
  return documents;
}

const having = (cursor: Cursor, more: Document): Thing => ({ ...cursor, command: { ...cursor.command, ...more } });

function count(shell: Shell, { database, collection, command }: Cursor): Thing {
  if (command['find'] === undefined) throw new ScriptFailure('TypeError: count is not a function');
  return thing(shell.ask(database, { count: collection, query: command['filter'] ?? {} })['n']);
}

/** Methods of what find and aggregate give. */
export const cursorMethods: Methods<Cursor> = {
  sort: (_shell, own, [order]) => having(own, { sort: documentOf(order) }),
  limit: (_shell, own, [number]) => having(own, { limit: valueOf(number) ?? 0 }),
  skip: (_shell, own, [number]) => having(own, { skip: valueOf(number) ?? 0 }),
  batchSize: (_shell, own, [number]) => having(own, { batchSize: valueOf(number) ?? 101 }),
  projection: (_shell, own, [wanted]) => having(own, { projection: documentOf(wanted) }),
  pretty: (_shell, own) => own,
  toArray: (shell, own) => thing(fetchAll(shell, own)),
  next: (shell, own) => thing(fetchAll(shell, own)[0] ?? null),
  hasNext: (shell, own) => thing(fetchAll(shell, own).length > 0),
  itcount: (shell, own) => thing(fetchAll(shell, own).length),
  ...{ count, size: count },
  forEach(shell, own, [action]) {
    if (action?.kind !== 'global' || (action.name !== 'printjson' && action.name !== 'print'))
      throw new ScriptFailure('TypeError: a function of your own is not simulated');
    for (const document of fetchAll(shell, own)) shell.print(`${printValue(document)}\n`);
    return NOTHING;
  },
};
