import { expect, test } from '@jest/globals';
import { Cluster, defaultWorkers, makeTemplate } from '@terrarium/engine';
import { ClusterRoleBindings, Pods, Services } from '../../../../engine/kinds/index.js';
import { catalog } from '../../../index.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const IMAGE = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0';
const template = makeTemplate({ workers: defaultWorkers(2), speed: 'realistic' }, catalog);

/** A cluster that signs tokens. */
function newCluster() {
  const cluster = new Cluster({ seed: 'nettest', images: catalog, strict: true, tokenKey: 'secret' });
  cluster.load(template);
  const start = cluster.state.now;
  const client = cluster.client(ADMIN);
  const metadata = (name: string, labels = {}) => ({ name, namespace: 'default', labels });
  return {
    client,
    run(name: string, args: readonly string[], labels = {}) {
      const containers = [{ name: 'c', image: IMAGE, args, ports: [{ containerPort: 8_080 }] }];
      client.create(Pods, {
        kind: 'Pod',
        apiVersion: 'v1',
        metadata: metadata(name, labels),
        spec: { containers },
      } as never);
    },
    at(seconds: number) {
      cluster.advance(start + seconds * 1_000);
      cluster.state.now = start + seconds * 1_000;
    },
    pod: (name: string) => client.get(Pods, { namespace: 'default', name })!,
    ask(pod: string, path: string): string {
      const at = `/api/v1/namespaces/default/pods/${pod}/proxy${path}`;
      const request = { method: 'GET', path: at, query: '', headers: {}, user: ADMIN };
      return String((cluster.handle(request as never, cluster.state.now) as { body?: unknown }).body);
    },
  };
}

test('two pods of a Service contact each other', () => {
  const { client, run, at, ask } = newCluster();
  const labels = { app: 'nettest' };
  const metadata = { name: 'nettest', namespace: 'default' };
  client.create(ClusterRoleBindings, {
    ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name: 'all' } },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
  } as never);
  const spec = { selector: labels, ports: [{ port: 8_080 }] };
  client.create(Services, { apiVersion: 'v1', kind: 'Service', metadata, spec } as never);
  for (const name of ['a', 'b']) run(name, ['nettest', '--peers=2'], labels);
  at(60);
  expect(ask('a', '/status')).toBe('pass');
  const { Hostname, Errors, Sent } = JSON.parse(ask('a', '/read')) as Record<string, object>;
  expect([Hostname, Errors, Object.keys(Sent!).sort()]).toEqual(['a', null, ['a', 'b']]);
});

test('a preStop hook tells the server', () => {
  const { client, run, at, ask, pod } = newCluster();
  run('server', ['nettest']);
  at(15);
  const url = `http://${pod('server').status.podIP}:8080/write`;
  const command = ['wget', '-O-', '--post-data={"Source": "prestop"}', url];
  const container = { name: 'c', image: 'busybox:1.36', command: ['sleep', '600'] };
  client.create(Pods, {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'tester', namespace: 'default' } },
    spec: { containers: [{ ...container, lifecycle: { preStop: { exec: { command } } } }] },
  } as never);
  at(30);
  client.delete(Pods, { namespace: 'default', name: 'tester' });
  at(40);
  expect(JSON.parse(ask('server', '/read'))).toMatchObject({ Received: { prestop: 1 } });
});
