import { describe, expect, test } from '@jest/globals';
import { pod, PODS, TestServer } from '../../apiserver/testing.js';

const refusal = (server: TestServer, body: unknown, url = PODS): string => server.post(url, body).body.message;

describe('ServiceAccount', () => {
  test('a pod gets its account and the token volume', () => {
    const { body } = new TestServer().post(PODS, pod('web'));
    const volume = expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/);
    expect(body.spec).toMatchObject({
      serviceAccount: 'default',
      serviceAccountName: 'default',
      volumes: [
        {
          name: volume,
          projected: {
            defaultMode: 420,
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt' } },
              { downwardAPI: {} },
            ],
          },
        },
      ],
    });
    expect(body.spec.containers[0].volumeMounts).toEqual([
      { mountPath: '/var/run/secrets/kubernetes.io/serviceaccount', name: body.spec.volumes[0].name, readOnly: true },
    ]);
  });
  test('unless it does not want one', () =>
    expect(
      new TestServer().post(PODS, pod('web', { automountServiceAccountToken: false })).body.spec.volumes,
    ).toBeUndefined());
  test.each([
    [
      pod('web', { serviceAccountName: 'nope' }),
      'pods "web" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found',
    ],
    [
      { metadata: { generateName: 'web-' }, spec: { serviceAccountName: 'nope', containers: [] } },
      'pods "web-" is forbidden: error looking up service account default/nope: serviceaccount "nope" not found',
    ],
  ])('the account must exist', (body, message) => expect(refusal(new TestServer(), body)).toBe(message));
});
