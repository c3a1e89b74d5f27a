import { createSourceEventStream, execute, type ExecutionArgs, type ExecutionResult } from 'graphql';

/** Results that are remembered; subscribers of the same event ask for it within moments. */
const REMEMBERED_EVENTS = 256;

/** Remembers the newest keys. */
export class Newest<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly limit: number) {}

  get(key: K, make: () => V): V {
    const known = this.entries.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.entries.set(key, made);
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value!);
    return made;
  }
}

type Result = ExecutionResult | Promise<ExecutionResult>;

const results = new Newest<unknown, Map<string, Result>>(REMEMBERED_EVENTS);

/**
 * As graphql's `subscribe`, but what equal subscriptions make of one event is made once. For subscriptions whose fields
 * depend on the event, the document and the variables only; who may subscribe is decided for each.
 */
export async function subscribeShared(args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult> | ExecutionResult> {
  const events = await createSourceEventStream(args);
  if (!(Symbol.asyncIterator in events)) return events;
  const source = events[Symbol.asyncIterator]();
  const equal = JSON.stringify([args.document.loc?.source.body, args.operationName, args.variableValues]);
  const resultOf = (event: unknown): Result => {
    const made = results.get(event, () => new Map<string, Result>());
    let result = made.get(equal);
    if (!result) made.set(equal, (result = execute({ ...args, rootValue: event }) as Result));
    return result;
  };
  const generator: Omit<AsyncGenerator<ExecutionResult>, typeof Symbol.asyncDispose> = {
    next: async () => {
      const { done, value } = await source.next();
      return done ? { done: true, value: undefined } : { done: false, value: await resultOf(value) };
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
