import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';
import { LRUCache } from 'lru-cache';

/** Events whose results are cached: subscribers of one event ask for its result within moments. */
const MAX_CACHED_EVENTS = 256;
/** Then they are dropped: a cache must not keep objects of a cluster that is unloaded. */
const CACHED_MS = 1_000;

type Result = ExecutionResult | Promise<ExecutionResult>;

/** By event, then by subscription. */
// oxlint-disable-next-line house/no-module-state -- the results of the last 256 events
const results = new LRUCache<object, Map<string, Result>>({
  max: MAX_CACHED_EVENTS,
  ttl: CACHED_MS,
  ttlAutopurge: true,
});

/**
 * As graphql's `subscribe`, but one event is executed once for all equal subscriptions. For subscriptions whose fields
 * depend on the event, the document and the variables only; each subscriber is authorized by itself.
 */
export async function subscribeShared(args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult> | ExecutionResult> {
  const events = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in events)) return events;
  const source = events[Symbol.asyncIterator]();
  const key = JSON.stringify([args.document.loc?.source.body, args.operationName, args.variableValues]);
  const resultOf = (event: object): Result => {
    let ofEvent = results.get(event);
    if (!ofEvent) results.set(event, (ofEvent = new Map()));
    let result = ofEvent.get(key);
    if (!result) ofEvent.set(key, (result = execute({ ...args, rootValue: event }) as Result));
    return result;
  };
  const generator: Omit<AsyncGenerator<ExecutionResult>, typeof Symbol.asyncDispose> = {
    next: async () => {
      const { done, value } = await source.next();
      return done ? { done: true, value: undefined } : { done: false, value: await resultOf(value as object) };
    },
    // Not an `async function*`: its `return` would wait for the next event.
    return: async () => {
      await source.return?.();
      return { done: true, value: undefined };
    },
    throw: async (error) => {
      await source.return?.();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this as AsyncGenerator<ExecutionResult>;
    },
  };
  return generator as AsyncGenerator<ExecutionResult>;
}
