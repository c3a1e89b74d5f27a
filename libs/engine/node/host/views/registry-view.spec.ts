import { expect, test } from '@jest/globals';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { encodeBase64 } from '../../../machinery/text/base64.js';
import { pod, readerOf } from '../../kubelet/testing.js';
import { viewRegistry } from './registry-view.js';
import { CP } from '../testing.js';
import { viewTokens } from './tokens-view.js';

const secret = (type: string, data: Record<string, string>): KubeObject =>
  ({ kind: 'Secret', type, metadata: { name: 's', namespace: 'kube-system' }, data }) as unknown as KubeObject;

test('keys are those of upstream’s registries, in their order', () => {
  const service = { kind: 'Service', metadata: { name: 'web', namespace: 'shop', resourceVersion: '7' } } as KubeObject;
  expect(viewRegistry(readerOf(pod(), CP, service)).map(([key, , revision]) => [key, revision])).toEqual([
    ['/registry/minions/cp', 0],
    ['/registry/pods/shop/web', 0],
    ['/registry/services/specs/shop/web', 7],
  ]);
});

test('bootstrap tokens are Secrets of a type', () => {
  const data = { 'token-id': encodeBase64('abcdef'), 'token-secret': encodeBase64('0123456789abcdef') };
  const usage = { ...data, 'usage-bootstrap-signing': encodeBase64('true') };
  expect(viewTokens(readerOf(secret('bootstrap.kubernetes.io/token', usage), secret('Opaque', data)))).toEqual([
    { token: 'abcdef.0123456789abcdef', expiration: '', usages: ['signing'], description: '', groups: '' },
  ]);
});
