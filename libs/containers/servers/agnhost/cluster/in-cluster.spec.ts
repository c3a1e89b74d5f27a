import { expect, test } from '@jest/globals';
import { Cluster, defaultWorkers, kinds, makeTemplate, type Kind } from '@terrarium/engine';
import { catalog } from '../../../index.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const IMAGE = 'registry.k8s.io/e2e-test-images/agnhost:2.59';
const template = makeTemplate({ workers: defaultWorkers(1), speed: 'realistic' }, catalog);
const kind = (name: string): Kind => kinds.find((k) => k.kind === name && k.group === '')!;

/** A pod's state and log after some time. */
function run(args: readonly string[], spec: object, seconds: number): { state: object; log: string } {
  const cluster = new Cluster({ seed: 'agnhost', images: catalog, strict: true, tokenKey: 'secret' });
  cluster.load(template);
  const client = cluster.client(ADMIN);
  const metadata = { name: 'p', namespace: 'default' };
  const container = { name: 'c', image: IMAGE, args, volumeMounts: [{ name: 't', mountPath: '/token' }] };
  const token = { serviceAccountToken: { path: 'token', expirationSeconds: 7200, audience: 'oidc-discovery-test' } };
  client.create(kind('Pod'), {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata },
    spec: {
      ...{ containers: [container], restartPolicy: 'Never', volumes: [{ name: 't', projected: { sources: [token] } }] },
      ...spec,
    },
  } as never);
  const start = cluster.state.now;
  cluster.advance(start + seconds * 1_000);
  cluster.state.now = start + seconds * 1_000;
  const pod = client.get(kind('Pod'), metadata) as unknown as { status: { containerStatuses: { state: object }[] } };
  const answer = cluster.handle(
    { method: 'GET', path: '/api/v1/namespaces/default/pods/p/log', query: '', headers: {}, user: ADMIN } as never,
    cluster.state.now,
  ) as unknown as { body?: string };
  return { state: pod.status.containerStatuses[0]!.state, log: JSON.stringify(answer.body ?? answer) };
}

const DISCOVERY = ['test-service-account-issuer-discovery', '--token-path=/token/token'];

test.each([
  ['its audience', 'oidc-discovery-test', 0, 'OK: Got valid claims from token!'],
  ['another audience', 'other', 1, 'oidc: expected audience'],
])('a token for %s', (_case, audience, exitCode, words) => {
  const { state, log } = run([...DISCOVERY, '--audience', audience], {}, 60);
  expect([state, log]).toEqual([{ terminated: expect.objectContaining({ exitCode }) }, expect.stringContaining(words)]);
});

test('/healthz is asked for again and again', () => {
  const { log } = run(['inclusterclient', '--poll-interval=5'], {}, 60);
  expect(log.match(/calling \/healthz/g)!.length).toBeGreaterThan(5);
  expect(log).toMatch(/authz_header=[\w-]{43}/);
  expect(log).not.toContain('status=failed');
});
