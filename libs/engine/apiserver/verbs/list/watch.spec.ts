import { describe, expect, test } from '@jest/globals';
import { configMap, TABLE, TestServer } from '../../testing.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const seen = (frames: any[]): string[] => frames.map((f) => `${f.type} ${f.object.metadata.name ?? f.object.kind}`);

function story(server: TestServer): void {
  server.post(MAPS, configMap('a', { app: 'web' }));
  server.patch(`${MAPS}/a`, { metadata: { labels: { app: 'db' } } });
  server.patch(`${MAPS}/a`, { data: { b: '2' } });
  server.patch(`${MAPS}/a`, { metadata: { labels: { app: 'web' } } });
  server.call('DELETE', `${MAPS}/a`);
  server.post('/api/v1/namespaces/kube-system/configmaps', configMap('elsewhere', { app: 'web' }));
}

describe('a watch', () => {
  test.each([
    ['of the namespace', `${MAPS}?watch=true`, ['ADDED a', 'MODIFIED a', 'MODIFIED a', 'MODIFIED a', 'DELETED a']],
    [
      'of all namespaces',
      '/api/v1/configmaps?watch=1',
      ['ADDED a', 'MODIFIED a', 'MODIFIED a', 'MODIFIED a', 'DELETED a', 'ADDED elsewhere'],
    ],
    [
      'of a label: what stops matching is deleted',
      `${MAPS}?watch=true&labelSelector=app%3Dweb`,
      ['ADDED a', 'DELETED a', 'ADDED a', 'DELETED a'],
    ],
    ['of a name', `${MAPS}?watch=true&fieldSelector=metadata.name%3Db`, []],
    [
      'by the old path',
      '/api/v1/watch/namespaces/default/configmaps/a',
      ['ADDED a', 'MODIFIED a', 'MODIFIED a', 'MODIFIED a', 'DELETED a'],
    ],
  ])('%s', (_, url, expected) => {
    const server = new TestServer();
    const { frames } = server.watch(url);
    story(server);
    expect(seen(frames())).toEqual(expected);
  });

  test('what leaves a selection carries the revision of its leaving, and its last matching state', () => {
    const server = new TestServer();
    const { frames } = server.watch(`${MAPS}?watch=true&labelSelector=app%3Dweb`);
    story(server);
    const [added, left] = frames();
    expect(left.object.metadata.labels).toEqual({ app: 'web' });
    expect(Number(left.object.metadata.resourceVersion)).toBe(Number(added.object.metadata.resourceVersion) + 1);
  });

  test('begins with the state when no revision is given, and with what is asked when one is', () => {
    const server = new TestServer();
    server.post(MAPS, configMap('a'));
    const { resourceVersion } = server.get(MAPS).body.metadata;
    server.post(MAPS, configMap('b'));
    expect(seen(server.watch(`${MAPS}?watch=true`).frames())).toEqual(['ADDED a', 'ADDED b']);
    expect(seen(server.watch(`${MAPS}?watch=true&resourceVersion=${resourceVersion}`).frames())).toEqual(['ADDED b']);
  });

  test('streams the list when asked to, and marks its end', () => {
    const server = new TestServer();
    server.post(MAPS, configMap('a'));
    const { frames } = server.watch(
      `${MAPS}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=0`,
    );
    expect(frames()).toMatchObject([
      { type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'a' } } },
      {
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          metadata: {
            resourceVersion: String(server.state.revision),
            annotations: { 'k8s.io/initial-events-end': 'true' },
          },
        },
      },
    ]);
  });

  test.each([
    [
      'sendInitialEvents=true',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'resourceVersionMatch=NotOlderThan',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
  ])('%s alone is refused', (query, message) =>
    expect(new TestServer().get(`${MAPS}?watch=true&${query}`).body).toMatchObject({ code: 422, message }),
  );

  test('prints Tables', () => {
    const server = new TestServer();
    const { frames } = server.watch(`${MAPS}?watch=true`, TABLE);
    server.post(MAPS, configMap('a'));
    expect(frames()).toMatchObject([
      {
        type: 'ADDED',
        object: { kind: 'Table', columnDefinitions: [{ name: 'Name' }, {}, {}], rows: [{ cells: ['a', 1, '0s'] }] },
      },
    ]);
  });

  test('speaks protobuf', () => {
    const server = new TestServer();
    const { plan } = server.watch(`${MAPS}?watch=true&allowWatchBookmarks=true`, {
      accept: 'application/vnd.kubernetes.protobuf',
    });
    expect(plan.headers['content-type']).toBe('application/vnd.kubernetes.protobuf;stream=watch');
    server.post(MAPS, configMap('a'));
    for (const frame of [plan.encode(server.changes.at(-1)!), plan.bookmark(7), plan.expired(1, 2)]) {
      const bytes = frame as Uint8Array;
      expect(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)).toBe(bytes.length - 4);
    }
  });

  test('gives bookmarks only to those who asked, and 410 for what is gone', () => {
    const server = new TestServer();
    expect(server.watch(`${MAPS}?watch=true`).plan.bookmark(7)).toBeUndefined();
    const { plan } = server.watch(`${MAPS}?watch=true&allowWatchBookmarks=true&timeoutSeconds=5`);
    expect(JSON.parse(String(plan.bookmark(7)))).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '7' } },
    });
    expect(JSON.parse(String(plan.expired(5, 10)))).toMatchObject({
      type: 'ERROR',
      object: { code: 410, reason: 'Expired', message: 'too old resource version: 5 (10)' },
    });
    expect(plan.timeoutSeconds).toBe(5);
  });

  test('shares frames with its like only', () => {
    const server = new TestServer();
    const key = (url: string): string => server.watch(url).plan.shareKey;
    expect(key(`${MAPS}?watch=true`)).toBe(key(`${MAPS}?watch=1&timeoutSeconds=9`));
    expect(key(`${MAPS}?watch=true`)).not.toBe(key(`${MAPS}?watch=true&labelSelector=a`));
  });
});
