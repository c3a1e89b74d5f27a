import { expect, test } from '@jest/globals';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import type { AdmissionRequest } from '../../runtime/admission.js';
import { plugin } from './plugin.js';

function admit(imagePolicy: object | undefined, request: Partial<AdmissionRequest> = {}): void {
  const runtime = { metadata: { name: 'cp' }, apiServer: { imagePolicy } };
  const client = { list: () => [runtime], get: () => runtime, byIndex: () => [] };
  const base = {
    operation: 'CREATE',
    subresource: '',
    kind: Pods,
    name: 'p',
    object: { metadata: { name: 'p' } },
    client,
  };
  plugin.validate!({ ...base, ...request } as unknown as AdmissionRequest);
}

test.each([
  [
    'https://localhost:1234/scan',
    'Post "https://localhost:1234/scan?timeout=30s": dial tcp 127.0.0.1:1234: connect: conn',
  ],
  ['https://10.0.0.1/scan', 'dial tcp 10.0.0.1:443: connect: connection refused'],
  ['https://scanner.example:8080/a', 'dial tcp: lookup scanner.example on 172.18.0.1:53: no such host'],
])('without an answer of %s a pod is refused', (server, why) => {
  expect(() => admit({ server, defaultAllow: false })).toThrow(`pods "p" is forbidden: Post`);
  expect(() => admit({ server, defaultAllow: false })).toThrow(why);
});

test.each<[object | undefined, Partial<AdmissionRequest>]>([
  [{ server: 'https://a', defaultAllow: true }, {}],
  [undefined, {}],
  [{ server: 'https://a', defaultAllow: false }, { subresource: 'status' }],
  [{ server: 'https://a', defaultAllow: false }, { operation: 'DELETE' }],
])('%j lets %j pass', (policy, request) => expect(() => admit(policy, request)).not.toThrow());
