import { describe, expect, it } from '@jest/globals';
import { ID, SILENT, apiRequest, createStore, openHost, range, send } from '../testing.js';

describe('RequestBatcher', () => {
  it('puts requests that wait together into one append, each with its own revision and answer', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    await host.request(ID, apiRequest('GET', '/a'));
    const answers = await Promise.all(range(1, 20).map(() => send(host, 'POST', '/a')));
    expect(answers.map((a) => a['n'])).toEqual(range(1, 20));
    expect(answers.map((a) => a['revision'])).toEqual(range(1, 20));
    expect(store.calls['append']).toBeLessThanOrEqual(2);
  });

  it('answers no read with a change that is not yet appended', async () => {
    const store = await createStore();
    const { host } = openHost(store);
    const order: string[] = [];
    store.before = async (call) => {
      if (call !== 'append') return;
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('appended');
    };
    const write = host.request(ID, apiRequest('POST', '/a')).then(() => order.push('written'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const read = send(host, 'GET', '/a').then((answer) => order.push(`read ${String(answer['n'])}`));
    await Promise.all([write, read]);
    expect(order).toEqual(['appended', 'written', 'read 1']);
  });

  it('answers a request that the engine throws on with 500, and the rest of its batch as usual', async () => {
    const { host } = openHost(await createStore());
    await send(host, 'GET', '/a');
    const answers = await Promise.all([
      send(host, 'GET', '/x'),
      send(host, 'POST', '/a'),
      send(host, 'GET', '/crash'),
      send(host, 'POST', '/a'),
    ]);
    expect(answers.map((a) => a['code'] ?? a['n'])).toEqual([0, 1, 500, 2]);
  });

  it('continues what is not finished behind the requests that came meanwhile', async () => {
    const { host, engines } = openHost(await createStore());
    const order: string[] = [];
    const ask = (method: string, path: string): Promise<unknown> =>
      send(host, method, path).then(({ status }) => order.push(`${path} ${String(status)}`));
    await Promise.all([ask('GET', '/long'), ask('POST', '/a'), ask('POST', '/b')]);
    expect(order).toEqual(['/a 200', '/b 200', '/long 200']);
    expect(engines[0]!.runs).toBe(6);
  });

  it('answers 429 beyond the limit of the queue', async () => {
    const { host } = openHost(await createStore(), SILENT, { queuedRequests: 3 });
    const answers = await Promise.all(range(1, 6).map(() => host.request(ID, apiRequest('POST', '/a'))));
    expect(answers.filter((a) => a.status === 429)).toHaveLength(3);
  });

  it('holds back what was expensive while another tenant is at work, and nothing else', async () => {
    const { host } = openHost(await createStore(), SILENT, {
      expensiveMs: 0,
      expensiveBurstMs: 0,
      tenantExpensiveRequests: 2,
    });
    await send(host, 'POST', '/a');
    void host.pacer.admit('neighbour', 'a request');
    const order: string[] = [];
    const writes = range(1, 4).map((i) =>
      host.request(ID, apiRequest('POST', '/a')).then(({ status }) => order.push(`${i}: ${status}`)),
    );
    const read = send(host, 'GET', '/a').then((answer) => order.push(`read ${String(answer['n'])}`));
    await Promise.all([...writes, read]);
    expect([...order.slice(0, 2).sort(), order[2]]).toEqual(['3: 429', '4: 429', 'read 1']);
    expect(order.slice(3).sort()).toEqual(['1: 200', '2: 200']);
  });

  it('tells when a request has given the components work, and not when it has not', async () => {
    const news: boolean[] = [];
    const { host } = openHost(
      await createStore(),
      SILENT,
      {},
      { onCommitted: (_id, { wantsAdvance }) => news.push(wantsAdvance) },
    );
    await send(host, 'POST', '/a');
    await send(host, 'GET', '/a');
    expect(news).toEqual([true]);
  });
});
