import { beforeAll, describe, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configMap, TestServer } from '../../testing.js';

const server = new TestServer();

beforeAll(() => {
  for (const name of ['a', 'b', 'c']) server.post(CONFIG_MAPS, configMap(name, { letter: name }));
  server.post('/api/v1/namespaces/kube-system/configmaps', configMap('system'));
});

describe('lists', () => {
  const names = (body: { items: { metadata: { name: string } }[] }): string[] => body.items.map((i) => i.metadata.name);
  test.each([
    [CONFIG_MAPS, ['a', 'b', 'c']],
    [`${CONFIG_MAPS}?labelSelector=letter%20in%20(a,c)`, ['a', 'c']],
    [`${CONFIG_MAPS}?fieldSelector=metadata.name%3Db`, ['b']],
    [`${CONFIG_MAPS}?fieldSelector=metadata.name%21%3Db`, ['a', 'c']],
    ['/api/v1/configmaps?fieldSelector=metadata.namespace%3Dkube-system', ['system']],
    ['/api/v1/configmaps', ['a', 'b', 'c', 'system']],
    [`${CONFIG_MAPS}?limit=2`, ['a', 'b']],
    [`${CONFIG_MAPS}?resourceVersion=0`, ['a', 'b', 'c']],
  ])('%s', (url, expected) => {
    const { body } = server.get(url);
    expect(body).toMatchObject({ kind: 'ConfigMapList', apiVersion: 'v1' });
    expect(names(body)).toEqual(expected);
  });

  test("items carry no type, as Go's lists", () => expect(server.get(CONFIG_MAPS).body.items[0].kind).toBeUndefined());

  test('pages follow one revision, whatever is written between them', () => {
    const own = new TestServer();
    for (const name of ['a', 'b', 'c', 'd']) own.post(CONFIG_MAPS, configMap(name));
    const first = own.get(`${CONFIG_MAPS}?limit=2`).body;
    expect(first.metadata.remainingItemCount).toBe(2);
    own.call('DELETE', `${CONFIG_MAPS}/c`);
    own.post(CONFIG_MAPS, configMap('bb'));
    const second = own.get(`${CONFIG_MAPS}?limit=2&continue=${first.metadata.continue}`).body;
    expect(names(second)).toEqual(['c', 'd']);
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
  });

  test('a token ends after five to ten minutes, though nothing was written; the new one goes on with what is there', () => {
    const own = new TestServer();
    for (const name of ['a', 'b', 'c', 'd']) own.post(CONFIG_MAPS, configMap(name));
    const first = own.get(`${CONFIG_MAPS}?limit=1`).body.metadata;
    own.state.now += 5 * 60_000;
    const second = own.get(`${CONFIG_MAPS}?limit=1&continue=${first.continue}`).body;
    expect(names(second)).toEqual(['b']);
    own.state.now += 5 * 60_000;
    const { status, body } = own.get(`${CONFIG_MAPS}?limit=1&continue=${second.metadata.continue}`);
    expect([status, body.reason]).toEqual([410, 'Expired']);
    const third = own.get(`${CONFIG_MAPS}?limit=1&continue=${body.metadata.continue}`).body;
    expect(names(third)).toEqual(['c']);
    expect(names(own.get(`${CONFIG_MAPS}?continue=${third.metadata.continue}`).body)).toEqual(['d']);
  });

  test.each([
    ['resourceVersionMatch=Exact', ['a', 'b']],
    ['limit=9', ['a', 'b']],
    ['limit=1', ['a']],
    ['limit=1&resourceVersionMatch=NotOlderThan', ['a']],
    ['resourceVersionMatch=NotOlderThan', ['a', 'c']],
    ['', ['a', 'c']],
  ])('of an earlier revision with %s', (options, expected) => {
    const own = new TestServer();
    for (const name of ['a', 'b']) own.post(CONFIG_MAPS, configMap(name));
    const then = own.get(CONFIG_MAPS).body.metadata.resourceVersion;
    own.call('DELETE', `${CONFIG_MAPS}/b`);
    own.post(CONFIG_MAPS, configMap('c'));
    expect(names(own.get(`${CONFIG_MAPS}?resourceVersion=${then}&${options}`).body)).toEqual(expected);
  });

  test('of resourceVersion 0 have no limit', () =>
    expect(names(server.get(`${CONFIG_MAPS}?resourceVersion=0&limit=1`).body)).toEqual(['a', 'b', 'c']));

  test('of a forgotten revision are 410; a token of it too, with one that goes on', () => {
    for (let i = 0; i < 2_100; i++)
      server.put('limitranges', {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'e', namespace: 'default' },
      });
    expect(server.get(`${CONFIG_MAPS}?resourceVersion=1&resourceVersionMatch=Exact`).body).toMatchObject({
      code: 410,
      reason: 'Expired',
      message: 'The resourceVersion for the provided list is too old.',
    });
    const token = Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: 1, start: 'default/a\u0000' })).toString(
      'base64url',
    );
    const { status, body } = server.get(`${CONFIG_MAPS}?limit=2&continue=${token}`);
    expect([status, body.reason]).toEqual([410, 'Expired']);
    expect(names(server.get(`${CONFIG_MAPS}?continue=${body.metadata.continue}`).body)).toEqual(['b', 'c']);
  });
});
