import { expect, test } from '@jest/globals';
import { pod, PODS, TestServer } from '../../apiserver/testing.js';

const refusal = (server: TestServer, body: unknown, url = PODS): string => server.post(url, body).body.message;

test('a runtime class must exist', () =>
  expect(refusal(new TestServer(), pod('web', { runtimeClassName: 'nope' }))).toBe(
    'pods "web" is forbidden: pod rejected: RuntimeClass "nope" not found',
  ));
