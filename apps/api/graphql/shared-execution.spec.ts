import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, type ExecutionResult } from 'graphql';
import { subscribeShared } from './shared-execution.js';

const schema = buildSchema(`
  type Query { nothing: Int }
  type Change { name: String, revision: Int }
  type Subscription { changes: Change }
`);
const QUERY = 'subscription ($short: Boolean! = false) { changes { name revision @skip(if: $short) } }';

interface Event {
  readonly changes: { readonly name: () => string; readonly revision: number };
}

/** Subscribers of one change each; `reads` counts how often its name was resolved. */
function feed() {
  let reads = 0;
  const event: Event = { changes: { name: () => (reads++, 'web'), revision: 7 } };
  let ended = false;
  async function* events(): AsyncGenerator<Event> {
    yield event;
  }
  const silent = {
    next: () => new Promise<never>(() => undefined),
    return: async () => ((ended = true), { done: true as const, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  const open = async (
    variableValues: Record<string, unknown>,
    source: AsyncIterable<Event> = events(),
  ): Promise<AsyncGenerator<ExecutionResult>> =>
    (await subscribeShared({
      schema,
      document: parse(QUERY),
      rootValue: { changes: () => source },
      variableValues,
    })) as AsyncGenerator<ExecutionResult>;
  return { open, silent, reads: () => reads, ended: () => ended };
}

describe('subscribeShared', () => {
  it('resolves an event once for equal subscriptions', async () => {
    const { open, reads } = feed();
    const results = await Promise.all(
      [open({}), open({}), open({})].map(async (stream) => (await (await stream).next()).value as ExecutionResult),
    );
    for (const { data } of results) expect(JSON.stringify(data)).toBe('{"changes":{"name":"web","revision":7}}');
    expect(reads()).toBe(1);
  });

  it('keeps subscriptions with other variables apart', async () => {
    const { open } = feed();
    const [whole, short] = [
      (await (await open({})).next()).value as ExecutionResult,
      (await (await open({ short: true })).next()).value as ExecutionResult,
    ];
    expect(JSON.stringify([whole.data, short.data])).toBe(
      '[{"changes":{"name":"web","revision":7}},{"changes":{"name":"web"}}]',
    );
  });

  it('ends with its source, and at once when the subscriber leaves', async () => {
    const { open, silent, ended } = feed();
    const stream = await open({});
    await stream.next();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    const waiting = await open({}, silent);
    void waiting.next();
    await waiting.return(undefined);
    expect(ended()).toBe(true);
  });

  it('answers what is wrong with a subscription instead of streaming', async () => {
    const result = await subscribeShared({
      schema,
      document: parse('subscription { changes { name } }'),
      rootValue: {
        changes: () => {
          throw new Error('not yours');
        },
      },
    });
    expect((result as ExecutionResult).errors?.[0]?.message).toBe('not yours');
  });
});
