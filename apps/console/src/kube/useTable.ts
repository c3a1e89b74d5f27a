import { useEffect, useRef, useState } from 'react';
import { toFailure, type Failure } from '../api/failure.js';
import { follow, request } from '../api/graphql.js';
import { READ_TABLE, TABLE_CHANGES, type TableBatch, type TableChangesVariables } from './operations.generated.js';
import { applyBatches, EMPTY, mergeTables, type TableState } from './table-state.js';

export interface LiveTable {
  readonly state: TableState;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
}

const WAITING: LiveTable = { state: EMPTY, isLoading: true, failure: undefined };

/**
 * The rows of a Table, live, or as they were at a moment. What comes within one frame is shown in one. `namespaces`:
 * several, each of which is followed by itself; without them the one of `variables`, or all.
 */
export function useTable(
  variables: TableChangesVariables | undefined,
  at: string,
  namespaces: readonly string[] = [],
): LiveTable {
  const [table, setTable] = useState<LiveTable>(WAITING);
  const key = JSON.stringify([variables, at, namespaces]);
  const latest = useRef({ variables, namespaces });
  latest.current = { variables, namespaces };
  useEffect(() => {
    setTable(WAITING);
    const { variables: asked, namespaces: several } = latest.current;
    if (!asked) return;
    const each = several.length > 0 ? several.map((namespace) => ({ ...asked, namespace })) : [asked];
    return at === '' ? followRows(each, setTable) : readPast(each, at, setTable);
    // The key has all of the variables.
  }, [key]);
  return table;
}

type SetTable = (change: (last: LiveTable) => LiveTable) => void;

/** One namespace of a table: what is known of it, and what has come since it was shown. */
interface Part {
  state: TableState;
  waiting: TableBatch[];
  isKnown: boolean;
}

function followRows(each: readonly TableChangesVariables[], setTable: SetTable): () => void {
  const parts = each.map((): Part => ({ state: EMPTY, waiting: [], isKnown: false }));
  let frame = 0;
  const show = (): void => {
    frame = 0;
    for (const part of parts) {
      if (part.waiting.length > 0) part.state = applyBatches(part.state, part.waiting, performance.now());
      part.waiting = [];
    }
    if (!parts.every(({ isKnown }) => isKnown)) return;
    const state = mergeTables(parts.map((part) => part.state));
    setTable(() => ({ state, isLoading: false, failure: undefined }));
  };
  const stops = each.map((variables, i) =>
    follow(TABLE_CHANGES, () => variables, {
      next: ({ tableChanges }) => {
        const part = parts[i]!;
        // A page in the background has no frames: the newest whole Table is enough.
        if (tableChanges.reset) part.waiting = [];
        part.waiting.push(tableChanges);
        part.isKnown = true;
        frame ||= requestAnimationFrame(show);
      },
      error: (failure) => setTable((last) => ({ ...last, isLoading: false, failure })),
    }),
  );
  return () => {
    for (const stop of stops) stop();
    cancelAnimationFrame(frame);
  };
}

function readPast(each: readonly TableChangesVariables[], at: string, setTable: SetTable): () => void {
  const stop = new AbortController();
  Promise.all(each.map((variables) => request(READ_TABLE, { ...variables, at }, stop.signal))).then(
    (answers) => {
      const state = mergeTables(
        answers.map(({ table: { columns, rows } }) => {
          const batch = { reset: true, columns, rows, removed: [], revision: 0, now: null, age: null };
          return applyBatches(EMPTY, [batch], 0);
        }),
      );
      setTable(() => ({ state, isLoading: false, failure: undefined }));
    },
    (error: unknown) => {
      if (!stop.signal.aborted) setTable(() => ({ state: EMPTY, isLoading: false, failure: toFailure(error) }));
    },
  );
  return () => stop.abort();
}
