import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { kind as ServiceAccounts } from '../../kinds/core/serviceaccount/kind.js';
import { createRequest, objectOf, refusalOf } from '../testing.js';
import { plugin } from './plugin.js';

const account = (name: string, fields: object = {}): ReturnType<typeof objectOf> =>
  objectOf(ServiceAccounts, { metadata: { name }, ...fields });
const ACCOUNTS = [
  account('default'),
  account('silent', { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'registry' }] }),
];
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

function admitPod(spec: object, metadata: object = {}): Pod {
  const pod = objectOf(Pods, { metadata, spec: { containers: [{ name: 'app' }], ...spec } });
  expect(refusalOf(plugin, createRequest(Pods, { object: pod }, ACCOUNTS))).toBeUndefined();
  return pod;
}

describe('the token', () => {
  test('is mounted in every container', () => {
    const { spec } = admitPod({ initContainers: [{ name: 'setup' }], volumes: [{ name: 'data' }] });
    const name = spec.volumes![1]!.name;
    expect(name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
    const volumeMounts = [{ mountPath: MOUNT_PATH, name, readOnly: true }];
    expect(spec).toMatchObject({
      containers: [{ name: 'app', volumeMounts }],
      initContainers: [{ name: 'setup', volumeMounts }],
    });
    expect(spec.volumes).toEqual([
      { name: 'data' },
      {
        name,
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
            { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
            {
              downwardAPI: {
                items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
              },
            },
          ],
        },
      },
    ]);
  });

  test('is not mounted where something else is', () => {
    const volumeMounts = [{ mountPath: MOUNT_PATH, name: 'mine' }];
    const { spec } = admitPod({ containers: [{ name: 'app', volumeMounts }] });
    expect([spec.containers[0]!.volumeMounts, spec.volumes]).toEqual([volumeMounts, undefined]);
  });

  test('uses the volume that the pod brings', () => {
    const { spec } = admitPod({ volumes: [{ name: 'kube-api-access-abcde' }] });
    expect(spec.volumes).toEqual([{ name: 'kube-api-access-abcde' }]);
    expect(spec.containers[0]!.volumeMounts![0]!.name).toBe('kube-api-access-abcde');
  });

  test.each<[string, object, boolean]>([
    ['the pod does not want it', { automountServiceAccountToken: false }, false],
    ['the account does not want it', { serviceAccountName: 'silent' }, false],
    [
      'the pod wants it, and the account does not',
      { serviceAccountName: 'silent', automountServiceAccountToken: true },
      true,
    ],
  ])('when %s', (_, spec, mounted) => expect(Boolean(admitPod(spec).spec.volumes)).toBe(mounted));
});

test.each<[string, object, object]>([
  ['no account', {}, { serviceAccountName: 'default', serviceAccount: 'default' }],
  [
    'an account',
    { serviceAccountName: 'silent' },
    { serviceAccountName: 'silent', serviceAccount: 'silent', imagePullSecrets: [{ name: 'registry' }] },
  ],
  [
    'an account and pull secrets',
    { serviceAccountName: 'silent', imagePullSecrets: [{ name: 'mine' }] },
    { imagePullSecrets: [{ name: 'mine' }] },
  ],
])('a pod that names %s', (_, spec, expected) => expect(admitPod(spec).spec).toMatchObject(expected));

test.each<[string, object, object, string]>([
  [
    'a missing account',
    { serviceAccountName: 'none' },
    {},
    'pods "a" is forbidden: error looking up service account default/none: serviceaccount "none" not found',
  ],
  [
    'a missing account and no name yet',
    { serviceAccountName: 'none' },
    { generateName: 'web-' },
    'pods "web-" is forbidden: error looking up service account default/none: serviceaccount "none" not found',
  ],
  [
    'an account, and mirrors a static pod',
    { serviceAccountName: 'default' },
    { annotations: { 'kubernetes.io/config.mirror': 'h' } },
    'pods "a" is forbidden: a mirror pod may not reference service accounts',
  ],
])('a pod that names %s is refused', (_, spec, metadata, message) =>
  expect(refusalOf(plugin, createRequest(Pods, { object: objectOf(Pods, { metadata, spec }) }, ACCOUNTS))).toBe(
    message,
  ),
);

test('a mirror pod has no account', () =>
  expect(admitPod({}, { annotations: { 'kubernetes.io/config.mirror': 'h' } }).spec).toEqual({
    containers: [{ name: 'app' }],
  }));
