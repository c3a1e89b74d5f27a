import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ID, SILENT, apiRequest, createStore, openHost } from './testing.js';
import { traceChild, type Tracer } from './tracer.js';

/** Names its spans `parent/name`. */
class RecordingTracer implements Tracer {
  readonly spans: string[] = [];
  private readonly active = new AsyncLocalStorage<string>();

  current(): string | undefined {
    return this.active.getStore();
  }

  within<T>(span: string, work: () => T): T {
    return this.active.run(span, work);
  }

  async run<T>(
    name: string,
    { parents = [this.current()] }: Parameters<Tracer['run']>[1],
    work: () => Promise<T>,
  ): Promise<T> {
    const span = `${parents.map((parent) => parent ?? '').join('+')}/${name}`;
    this.spans.push(span);
    return this.active.run(span, work);
  }
}

let tracer: RecordingTracer;
beforeEach(() => void (tracer = new RecordingTracer()));

describe('traceChild', () => {
  it('just works without a tracer, and outside of a span', async () => {
    expect(await traceChild(undefined, 'append', {}, async () => 1)).toBe(1);
    expect(await traceChild(tracer, 'append', {}, async () => 2)).toBe(2);
    expect(tracer.spans).toEqual([]);
  });

  it('makes a child of the current span', async () => {
    await tracer.within('request', () => traceChild(tracer, 'append', {}, async () => undefined));
    expect(tracer.spans).toEqual(['request/append']);
  });
});

describe('a host with a tracer', () => {
  it('runs requests that share a batch as a child of them, and tells of the commit within it', async () => {
    const commits: (string | undefined)[] = [];
    const onCommitted = (): void => void commits.push(tracer.current());
    const { host } = openHost(await createStore(), SILENT, {}, { tracer, onCommitted });
    await host.request(ID, apiRequest('GET', '/a'));
    tracer.spans.length = 0;
    const post = (): Promise<unknown> => host.request(ID, apiRequest('POST', '/a'));
    await Promise.all([tracer.within('r1', post), tracer.within('r2', post), tracer.within('r3', post)]);
    expect(tracer.spans).toEqual(['r1+r2+r3/batch', 'r1+r2+r3/batch/append']);
    expect(commits).toEqual(['r1+r2+r3/batch']);
  });

  it('runs the slices of a traced task as its children, and those of others without a span', async () => {
    const { host } = openHost(await createStore(), SILENT, {}, { tracer });
    await host.request(ID, apiRequest('POST', '/a'));
    tracer.spans.length = 0;
    await host.advance(ID);
    expect(tracer.spans).toEqual([]);
    await host.request(ID, apiRequest('POST', '/a'));
    tracer.spans.length = 0;
    await tracer.within('task', () => host.advance(ID));
    expect(tracer.spans).toEqual(['task/slice', 'task/slice/append']);
  });
});
