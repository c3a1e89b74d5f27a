import { expect, test } from '@jest/globals';
import { Deployments, Pods, Services } from '../../../../engine/kinds/index.js';
import { ClusterBed } from '../../../../testkit/beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const PORT = ['--http-port', '6379'];

/** Upstream's manifests (test/e2e/testing-manifests/guestbook). */
function deploy(bed: ClusterBed, name: string, replicas: number, port: number, args: readonly string[]): void {
  const labels = { app: name };
  const image = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0';
  const containers = [{ name: 'c', image, args: ['guestbook', ...args], ports: [{ containerPort: port }] }];
  bed.create(Services, name, { spec: { selector: labels, ports: [{ port, targetPort: port }] } });
  bed.create(Deployments, name, {
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
}

function ask({ cluster }: ClusterBed, query: string): unknown {
  const path = '/api/v1/namespaces/default/services/frontend/proxy/guestbook';
  const request = { method: 'GET', path, query: `${query}&key=messages`, headers: {}, user: ADMIN };
  return (cluster.handle(request, cluster.state.now) as { body?: unknown }).body;
}

test('replicas register and get what is set', () => {
  const bed = new ClusterBed('realistic');
  deploy(bed, 'frontend', 3, 80, ['--backend-port', '6379']);
  deploy(bed, 'agnhost-primary', 1, 6_379, PORT);
  deploy(bed, 'agnhost-replica', 2, 6_379, ['--replicaof', 'agnhost-primary', ...PORT]);
  bed.at(60);
  const restarts = bed.client.list(Pods, 'default').map(({ status }) => status.containerStatuses![0]!.restartCount);
  expect(restarts).toEqual([0, 0, 0, 0, 0, 0]);
  for (let i = 0; i < 5; i++) {
    expect(String(ask(bed.at(61 + i), 'cmd=get&value='))).toBe('{"data":""}');
  }
  expect(String(ask(bed.at(70), 'cmd=set&value=TestEntry'))).toBe('{"message":"Updated"}');
  for (let i = 0; i < 5; i++) {
    expect(String(ask(bed.at(71 + i), 'cmd=get&value='))).toBe('{"data":"TestEntry"}');
  }
});
