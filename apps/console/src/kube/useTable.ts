import { useEffect, useRef, useState } from 'react';
import { toFailure, type Failure } from '../api/failure.js';
import { follow, request } from '../api/graphql.js';
import { READ_TABLE, TABLE_CHANGES, type TableBatch, type TableChangesVariables } from './operations.generated.js';
import { applyBatches, EMPTY, type TableState } from './table-state.js';

export interface LiveTable {
  readonly state: TableState;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
}

const WAITING: LiveTable = { state: EMPTY, isLoading: true, failure: undefined };

/** The rows of a Table, live, or as they were at a moment. What comes within one frame is shown in one. */
export function useTable(variables: TableChangesVariables | undefined, at: string): LiveTable {
  const [table, setTable] = useState<LiveTable>(WAITING);
  const key = JSON.stringify([variables, at]);
  const latest = useRef(variables);
  latest.current = variables;
  useEffect(() => {
    setTable(WAITING);
    const asked = latest.current;
    if (!asked) return;
    return at === '' ? followRows(asked, setTable) : readPast(asked, at, setTable);
    // The key has all of the variables.
  }, [key]);
  return table;
}

type SetTable = (change: (last: LiveTable) => LiveTable) => void;

function followRows(variables: TableChangesVariables, setTable: SetTable): () => void {
  let waiting: TableBatch[] = [];
  let frame = 0;
  const show = (): void => {
    frame = 0;
    const batches = waiting;
    waiting = [];
    setTable((last) => ({
      state: applyBatches(last.state, batches, performance.now()),
      isLoading: false,
      failure: undefined,
    }));
  };
  const stop = follow(TABLE_CHANGES, () => variables, {
    next: ({ tableChanges }) => {
      // A page in the background has no frames: the newest whole Table is enough.
      if (tableChanges.reset) waiting = [];
      waiting.push(tableChanges);
      frame ||= requestAnimationFrame(show);
    },
    error: (failure) => setTable((last) => ({ ...last, isLoading: false, failure })),
  });
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}

function readPast(variables: TableChangesVariables, at: string, setTable: SetTable): () => void {
  const stop = new AbortController();
  request(READ_TABLE, { ...variables, at }, stop.signal).then(
    ({ table: { columns, rows } }) => {
      const batch = { reset: true, columns, rows, removed: [], revision: 0, now: null, age: null };
      setTable(() => ({ state: applyBatches(EMPTY, [batch], 0), isLoading: false, failure: undefined }));
    },
    (error: unknown) => {
      if (!stop.signal.aborted) setTable(() => ({ state: EMPTY, isLoading: false, failure: toFailure(error) }));
    },
  );
  return () => stop.abort();
}
