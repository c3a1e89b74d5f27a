import { expect, test } from '@jest/globals';
import type { PodSpec, Volume } from '../../../api/core_v1.js';
import { configMap, container, pod, readerOf, secret } from '../testing.js';
import { isProjected, makeProjectedPayload } from './projected-payload.js';

const read = readerOf(
  { ...configMap('settings', { color: 'blau: ü' }), binaryData: { raw: '/wA=' } } as never,
  secret('keys', { token: 'czNjcjN0', raw: '/wA=' }),
);
function files(volume: Omit<Volume, 'name'>, spec: Partial<PodSpec> = {}): Record<string, string> {
  const of = pod({ containers: [container('c', { resources: { limits: { memory: '1Gi' } } })], ...spec });
  const token = (audience = 'api', seconds = 0): string => `${audience} for ${seconds} s`;
  const { payload } = makeProjectedPayload({ name: 'v', ...volume }, { pod: of, read, token });
  return Object.fromEntries(
    Object.entries(payload).map(([path, { content, mode, user }]) => [
      path,
      `${mode.toString(8)} ${user ?? ''} ${content}`,
    ]),
  );
}

test.each<[string, Omit<Volume, 'name'>, Record<string, string>]>([
  ['an emptyDir', { emptyDir: {} }, {}],
  ['a ConfigMap', { configMap: { name: 'settings' } }, { color: '644  blau: Ã¼', raw: '644  \xff\0' }],
  [
    'its items, with modes',
    {
      configMap: {
        name: 'settings',
        defaultMode: 0o400,
        items: [
          { key: 'color', path: 'deep/c', mode: 0o755 },
          { key: 'raw', path: 'r' },
          { key: 'none', path: 'n' },
        ],
      },
    },
    { 'deep/c': '755  blau: Ã¼', r: '400  \xff\0' },
  ],
  ['a Secret', { secret: { secretName: 'keys', defaultMode: 0o440 } }, { token: '440  s3cr3t', raw: '440  \xff\0' }],
  ['a ConfigMap that was deleted', { configMap: { name: 'none' } }, {}],
  [
    'the downward API',
    {
      downwardAPI: {
        items: [
          { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
          { path: 'memory', resourceFieldRef: { resource: 'limits.memory', containerName: 'c', divisor: '1Mi' } },
        ],
      },
    },
    { name: '644  web', memory: '644  1024' },
  ],
  [
    'a projected volume: the last source wins',
    {
      projected: {
        defaultMode: 0o600,
        sources: [
          { secret: { name: 'keys', items: [{ key: 'token', path: 'color' }] } },
          { configMap: { name: 'settings', items: [{ key: 'color', path: 'color' }] } },
          { serviceAccountToken: { path: 'token', audience: 'vault', expirationSeconds: 600 } },
        ],
      },
    },
    { color: '600  blau: Ã¼', token: '600  vault for 600 s' },
  ],
])('%s', (_case, volume, expected) => {
  expect(files(volume)).toEqual(expected);
});

const TOKEN = { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } };
test.each<[string, Partial<PodSpec>, string]>([
  ['nobody in particular', {}, '644  '],
  ['the user of all containers', { securityContext: { runAsUser: 7 } }, '600 7 '],
  ['a group', { securityContext: { fsGroup: 9 } }, '600  '],
  ['different users', { containers: [container('a', { securityContext: { runAsUser: 1 } }), container('b')] }, '644  '],
])('a token is for %s', (_case, spec, expected) => {
  expect(files(TOKEN, spec)).toEqual({ t: `${expected}api for 3600 s` });
});

test.each<[Omit<Volume, 'name'>, boolean]>([
  [{ configMap: {} }, true],
  [{ projected: { sources: [] } }, true],
  [{ emptyDir: {} }, false],
])('is %j projected? %s', (volume, expected) => expect(isProjected({ name: 'v', ...volume })).toBe(expected));
