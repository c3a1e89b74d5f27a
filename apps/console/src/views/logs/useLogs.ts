import { useEffect, useState } from 'react';
import { toFailure, type Failure } from '../../api/failure.js';
import { subscribe } from '../../api/graphql.js';
import { read } from '../../kube/client.js';
import { append, EMPTY, type LogBuffer, type LogLine } from './log-buffer.js';
import { FOLLOW_LOGS, type FollowLogsVariables } from './operations.generated.js';
import { containersOf, parseSources, type Source } from './sources.js';

export interface Logs {
  readonly sources: readonly Source[];
  readonly buffer: LogBuffer;
  /** Why there is no more of a source; '' when its log has ended. */
  readonly ended: ReadonlyMap<number, string>;
  readonly dropped: number;
  readonly failure: Failure | undefined;
  readonly isOpen: boolean;
}

const NONE: Logs = { sources: [], buffer: EMPTY, ended: new Map(), dropped: 0, failure: undefined, isOpen: false };
/** Containers of one subscription. */
const MAX_SOURCES = 50;

export interface LogQuery {
  readonly clusterId: string;
  readonly at: string;
  /** Sources as in a link. */
  readonly chosen: string;
  readonly previous: boolean;
  readonly sinceSeconds: number;
}

/** The logs of all chosen containers, as they come. What comes within one frame is shown in one. */
export function useLogs({ clusterId, at, chosen, previous, sinceSeconds }: LogQuery): Logs {
  const [logs, setLogs] = useState<Logs>(NONE);
  useEffect(() => {
    setLogs(NONE);
    const stop = new AbortController();
    let leave: (() => void) | undefined;
    const place = { clusterId, ...(at ? { at } : {}) };
    findSources(place, parseSources(chosen), stop.signal).then(
      (sources) => {
        if (stop.signal.aborted || sources.length === 0) return;
        setLogs({ ...NONE, sources, isOpen: true });
        const variables = {
          clusterId,
          sources,
          previous,
          tailLines: 5_000,
          ...(sinceSeconds > 0 ? { sinceSeconds } : {}),
          ...(at ? { at } : {}),
        };
        leave = follow(variables, setLogs);
      },
      (error: unknown) => stop.signal.aborted || setLogs({ ...NONE, failure: toFailure(error) }),
    );
    return () => {
      stop.abort();
      leave?.();
    };
  }, [clusterId, at, chosen, previous, sinceSeconds]);
  return logs;
}

type SetLogs = (change: (last: Logs) => Logs) => void;

function follow(variables: FollowLogsVariables, setLogs: SetLogs): () => void {
  let lines: LogLine[] = [];
  let frame = 0;
  let last = '';
  let isFirst = true;
  const show = (): void => {
    frame = 0;
    const added = lines;
    lines = [];
    setLogs((logs) => ({ ...logs, buffer: append(logs.buffer, added) }));
  };
  const stop = subscribe(
    FOLLOW_LOGS,
    () => {
      // A connection that comes back begins anew: what was shown before is told again.
      if (!isFirst) setLogs((logs) => ({ ...logs, buffer: EMPTY, ended: new Map() }));
      isFirst = false;
      lines = [];
      return variables;
    },
    {
      next: ({ logs: { lines: added, ended, dropped } }) => {
        lines.push(...added);
        last = added.at(-1)?.at ?? last;
        frame ||= requestAnimationFrame(show);
        if (ended.length === 0 && dropped === 0) return;
        setLogs((logs) => ({
          ...logs,
          dropped: logs.dropped + dropped,
          ended: new Map([...logs.ended, ...ended.map(({ source, reason }) => [source, reason] as const)]),
        }));
      },
      error: (failure) => setLogs((logs) => ({ ...logs, failure, isOpen: false })),
      complete: () => setLogs((logs) => ({ ...logs, isOpen: false })),
    },
  );
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}

/** Every container of the pods that were chosen without one. */
async function findSources(
  place: { readonly clusterId: string; readonly at?: string },
  chosen: readonly Source[],
  signal: AbortSignal,
): Promise<Source[]> {
  const found = await Promise.all(
    chosen.slice(0, MAX_SOURCES).map(async (source) => {
      if (source.container !== '') return [source];
      const path = `/api/v1/namespaces/${encodeURIComponent(source.namespace)}/pods/${encodeURIComponent(source.pod)}`;
      return containersOf(await read(place, path, signal));
    }),
  );
  return found.flat().slice(0, MAX_SOURCES);
}
