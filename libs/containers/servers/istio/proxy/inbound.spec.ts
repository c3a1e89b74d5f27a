import { expect, test } from '@jest/globals';
import type { KubeObject } from '@terrarium/engine';
import { formatHello } from '../../../../engine/node/cni/tls.js';
import { answered, custom, meshLook, podOf, requestTo, tell, workloadIn } from '../testing.js';
import { meshHello } from './hello.js';
import { finishInbound, openInbound, takeInbound } from './inbound.js';

const GET = 'GET / HTTP/1.1\r\n\r\n';
const CLIENT = 'spiffe://cluster.local/ns/shop/sa/client';
const WEB = podOf('web-2', '10.244.1.2', { app: 'web', version: 'v2' });
const strict = custom('security', 'PeerAuthentication', 'default', { mtls: { mode: 'STRICT' } }, 'istio-system');
const hello = (identity: string): string => formatHello(meshHello('outbound_.80_._.web', identity));

test.each<[string, KubeObject[], string, string]>([
  ['plain bytes', [], GET, 'http'],
  ['nothing yet', [], '', 'wait'],
  ['the first byte', [], 'G', 'http'],
  ['plain bytes where they are not allowed', [strict], 'G', 'close'],
  ['the mesh', [strict], hello(CLIENT) + GET, `http ${CLIENT}`],
  ['a name that is not its own', [], hello('spiffe://cluster.local/ns/shop/sa/web-1') + GET, 'close'],
  ["the application's own TLS", [], formatHello({ serverName: 'web' }), 'pass'],
  ["the application's own TLS where it is not allowed", [strict], formatHello({ serverName: 'web' }), 'close'],
])('%s', (_case, objects, received, expected) => {
  const look = meshLook(...objects);
  const met = { port: 15_006, original: { address: '10.244.1.2', port: 8_080 }, client: '10.244.3.3', received };
  const opened = openInbound(workloadIn(look, WEB), met, look);
  const told = typeof opened === 'string' ? opened : 'http' in opened ? `http ${opened.peer ?? ''}`.trim() : 'pass';
  expect(told).toBe(expected);
});

test('who is shown to the application, who is refused, and what the answer says', () => {
  const policy = custom('security', 'AuthorizationPolicy', 'web', {
    rules: [{ from: [{ source: { namespaces: ['shop'] } }] }],
  });
  const look = meshLook(policy);
  const workload = workloadIn(look, WEB);
  const original = { address: '10.244.1.2', port: 8_080 };
  const request = requestTo('http://web/', { port: 15_006, original, peer: CLIENT });
  const step = takeInbound(workload, request, look);
  if (!('forward' in step)) throw new Error('an answer');
  expect(step.forward).toMatchObject({ address: '127.0.0.1', port: 8_080, isTls: false });
  expect(step.forward.headers['x-forwarded-client-cert']).toMatch(
    /^By=spiffe:\/\/cluster.local\/ns\/shop\/sa\/web-2;Hash=[0-9a-f]{64};Subject="";URI=spiffe:\/\/cluster.local\/ns\/shop\/sa\/client$/,
  );
  const { peer: _peer, ...stranger } = request;
  expect(tell(takeInbound(workload, stranger, look))).toBe('403 RBAC: access denied');
  const last = finishInbound(workload, stranger, step.forward, answered(200), look);
  expect('answer' in last && last.answer.headers).toMatchObject({
    server: 'istio-envoy',
    'x-envoy-decorator-operation': 'web.shop.svc.cluster.local:80/*',
  });
});
