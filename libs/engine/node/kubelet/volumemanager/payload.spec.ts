import { expect, test } from '@jest/globals';
import type { Volume, VolumeMount } from '../../../api/core_v1.js';
import { configMap, container, pod, readerOf, secret } from '../testing.js';
import { mountedFiles } from './payload.js';

const read = readerOf(
  configMap('settings', { color: 'blue', 'app.conf': 'a=1' }),
  secret('keys', { token: 'czNjcjN0', umlaut: 'w7w=' }),
);
const files = (volume: Omit<Volume, 'name'>, mount: Partial<VolumeMount> = {}): Record<string, string> => {
  const own = container('c', {
    volumeMounts: [{ name: 'v', mountPath: '/etc/v', ...mount }],
    resources: { limits: { memory: '1Gi' } },
  });
  const of = pod({ containers: [own], volumes: [{ name: 'v', ...volume }] }, {}, { labels: { app: 'web' } });
  return mountedFiles(own, { pod: of, read });
};

test.each<[string, Omit<Volume, 'name'>, Record<string, string>]>([
  ['an emptyDir', { emptyDir: {} }, {}],
  ['a ConfigMap', { configMap: { name: 'settings' } }, { '/etc/v/color': 'blue', '/etc/v/app.conf': 'a=1' }],
  [
    'its items, under their own paths',
    {
      configMap: {
        name: 'settings',
        items: [
          { key: 'color', path: 'deep/c' },
          { key: 'none', path: 'n' },
        ],
      },
    },
    { '/etc/v/deep/c': 'blue' },
  ],
  ['a Secret', { secret: { secretName: 'keys' } }, { '/etc/v/token': 's3cr3t', '/etc/v/umlaut': 'ü' }],
  ['a ConfigMap that was deleted', { configMap: { name: 'none' } }, {}],
  [
    'the downward API',
    {
      downwardAPI: {
        items: [
          { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
          { path: 'memory', resourceFieldRef: { resource: 'limits.memory', containerName: 'c' } },
        ],
      },
    },
    { '/etc/v/labels': 'app="web"', '/etc/v/memory': '1073741824' },
  ],
  [
    'a projected volume: the last source wins',
    {
      projected: {
        sources: [
          { secret: { name: 'keys', items: [{ key: 'token', path: 'color' }] } },
          { configMap: { name: 'settings', items: [{ key: 'color', path: 'color' }] } },
          { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    },
    { '/etc/v/color': 'blue', '/etc/v/name': 'web' },
  ],
])('%s', (_case, volume, expected) => {
  expect(files(volume)).toEqual(expected);
});

test.each<[string, Partial<VolumeMount>, Record<string, string>]>([
  ['a path with a slash at its end', { mountPath: '/' }, { '/color': 'blue', '/app.conf': 'a=1' }],
  ['one file', { mountPath: '/app.conf', subPath: 'app.conf' }, { '/app.conf': 'a=1' }],
  ['a subPath that is not there', { subPath: 'none' }, {}],
  ['a volume that is not the pod’s', { name: 'other' }, {}],
])('mounted at %s', (_case, mount, expected) => {
  expect(files({ configMap: { name: 'settings' } }, mount)).toEqual(expected);
});

test('a folder of a volume', () => {
  const items = [{ key: 'color', path: 'deep/c' }];
  expect(files({ configMap: { name: 'settings', items } }, { subPath: 'deep' })).toEqual({ '/etc/v/c': 'blue' });
});
