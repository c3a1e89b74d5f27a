import { useEffect, useRef, useState } from 'react';
import { graphql } from './connection.js';
import { toFailure, type Failure } from './failure.js';
import { lasting, type Sink } from './lasting.js';
import type { Operation } from './operation.js';

/** Runs a query or a mutation over the page's WebSocket. Rejects with Failure. */
export function request<Data, Variables>(
  { text }: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Data> {
  return new Promise((resolve, reject) => {
    let data: Data | undefined;
    const stop = graphql().subscribe<Data>(
      { query: text, variables: variables as Record<string, unknown> },
      {
        next: (result) => {
          if (result.errors) reject(toFailure(result.errors));
          else data = result.data ?? undefined;
        },
        error: (error) => reject(toFailure(error)),
        complete: () => (data === undefined ? reject(toFailure(new Error('no answer'))) : resolve(data)),
      },
    );
    signal?.addEventListener('abort', () => {
      stop();
      reject(toFailure(new Error('stopped')));
    });
  });
}

export const mutate = request;

/**
 * Subscribes until the returned function is called. When the connection is lost, the subscription begins again with
 * what `variables()` gives then: a revision to go on from, for instance.
 */
export function subscribe<Data, Variables>(
  { text }: Operation<Data, Variables>,
  variables: () => Variables,
  { next, error, complete }: Sink<Data>,
): () => void {
  const payload = {
    query: text,
    // Read anew each time that the client writes the message.
    get variables() {
      return variables() as Record<string, unknown>;
    },
  };
  return graphql().subscribe<Data>(payload, {
    next: (result) => {
      if (result.errors) error?.(toFailure(result.errors));
      else if (result.data) next(result.data);
    },
    error: (failure) => error?.(toFailure(failure)),
    complete: () => complete?.(),
  });
}

/** The same; begun anew, too, when the service has closed it or cannot give it just now. */
export const follow = <Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: () => Variables,
  sink: Sink<Data>,
): (() => void) => lasting((own) => subscribe(operation, variables, own), sink);

const AHEAD_MS = 10_000;
/** Answers that are on their way, or there, before anything asks for them; each is taken once. */
const ahead = new Map<string, Promise<unknown>>();

/** Asks what a part of the page is going to ask by useQuery() as soon as it is shown. */
export function askAhead<Data, Variables>(operation: Operation<Data, Variables>, variables: Variables): void {
  const key = JSON.stringify([operation.text, variables, 0]);
  const answer = request(operation, variables);
  ahead.set(key, answer);
  const forget = (): void => void (ahead.get(key) === answer && ahead.delete(key));
  // Who is not signed in gets none, and what nobody has come for is old: it is asked again then.
  answer.catch(forget);
  setTimeout(forget, AHEAD_MS);
}

function takeAhead<Data>(key: string): Promise<Data> | undefined {
  const answer = ahead.get(key);
  ahead.delete(key);
  return answer as Promise<Data> | undefined;
}

export interface QueryState<Data> {
  readonly data: Data | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  refetch(): void;
}

/** The answer to a query; asked anew when its variables change. The last answer stays until the next one is there. */
export function useQuery<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  { skip = false }: { readonly skip?: boolean } = {},
): QueryState<Data> {
  const [answer, setAnswer] = useState<{ key?: string; data?: Data; failure?: Failure }>({});
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify([operation.text, variables, turn]);
  useEffect(() => {
    if (skip) return;
    const stop = new AbortController();
    (takeAhead<Data>(key) ?? request(operation, variables, stop.signal)).then(
      (data) => stop.signal.aborted || setAnswer({ key, data }),
      (error: unknown) =>
        stop.signal.aborted || setAnswer((last) => ({ key, data: last.data, failure: toFailure(error) })),
    );
    return () => stop.abort();
    // The key has everything that matters of operation and variables.
  }, [key, skip]);
  return {
    data: answer.data,
    failure: answer.key === key ? answer.failure : undefined,
    isLoading: !skip && answer.key !== key,
    refetch: () => setTurn((last) => last + 1),
  };
}

/** Follows a subscription as long as the component is shown; `onData` may be another function each time. */
export function useSubscription<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: () => Variables,
  onData: (data: Data) => void,
  { key = '', skip = false }: { readonly key?: string; readonly skip?: boolean } = {},
): Failure | undefined {
  const latest = useRef({ variables, onData });
  latest.current = { variables, onData };
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    if (skip) return;
    setFailure(undefined);
    return follow(operation, () => latest.current.variables(), {
      next: (data) => {
        setFailure(undefined);
        latest.current.onData(data);
      },
      error: setFailure,
    });
  }, [operation.text, key, skip]);
  return failure;
}
