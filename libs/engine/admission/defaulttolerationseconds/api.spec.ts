import { expect, test } from '@jest/globals';
import { pod, PODS, TestServer } from '../../apiserver/testing.js';

test('a pod leaves a lost node after five minutes', () => {
  expect(new TestServer().post(PODS, pod('web')).body.spec.tolerations).toEqual(
    ['not-ready', 'unreachable'].map((k) => ({
      key: `node.kubernetes.io/${k}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 300,
    })),
  );
});
test('unless it tolerates everything', () =>
  expect(
    new TestServer().post(PODS, pod('web', { tolerations: [{ operator: 'Exists' }] })).body.spec.tolerations,
  ).toEqual([{ operator: 'Exists' }]));
