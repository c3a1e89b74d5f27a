import { expect, test } from '@jest/globals';
import type { Lifecycle } from '../engine/api/core_v1.js';
import { Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53';
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const MAIN = { name: 'c', image: AGNHOST, args: ['pause'] };

/** A bed with the handler that conformance's hooks ask; `lifecycle` is given the handler's address. */
function runHook(lifecycle: (ip: string) => Lifecycle): ClusterBed {
  const bed = new ClusterBed();
  const ports = [{ containerPort: 8080 }];
  bed.create(Pods, 'handler', { spec: { containers: [{ name: 'c', image: AGNHOST, args: ['netexec'], ports }] } });
  bed.at(20);
  const container = { ...MAIN, lifecycle: lifecycle(bed.get(Pods, 'handler').status.podIP ?? '') };
  bed.create(Pods, 'hooked', { spec: { containers: [container] } });
  return bed.at(40);
}

function handlerLog({ cluster }: ClusterBed): string {
  const path = '/api/v1/namespaces/default/pods/handler/log';
  const request = { method: 'GET', path, query: '', headers: {}, user: ADMIN };
  return String((cluster.handle(request, cluster.state.now) as { body?: unknown }).body);
}

const httpGet = (host: string, path: string, port = 8080, scheme = 'HTTP'): Lifecycle['postStart'] => ({
  httpGet: { host, path, port, scheme },
});
const curl = (host: string, message: string): Lifecycle['postStart'] => ({
  exec: { command: ['sh', '-c', `curl http://${host}:8080/echo?msg=${message}`] },
});

test.each<[string, (ip: string) => Lifecycle]>([
  ['HTTP', (ip) => ({ postStart: httpGet(ip, '/echo?msg=poststart') })],
  ['HTTPS at a plain server', (ip) => ({ postStart: httpGet(ip, '/echo?msg=poststart', 8080, 'HTTPS') })],
  ['exec', (ip) => ({ postStart: curl(ip, 'poststart') })],
])('postStart %s reaches the handler', (_name, lifecycle) => {
  const bed = runHook(lifecycle);
  expect(handlerLog(bed)).toContain('GET /echo?msg=poststart');
  expect(bed.errors).toEqual([]);
  expect(bed.events('hooked').filter((e) => e.startsWith('Failed'))).toEqual([]);
});

test.each<[string, (ip: string) => Lifecycle]>([
  ['HTTP', (ip) => ({ preStop: httpGet(ip, '/echo?msg=prestop') })],
  ['exec', (ip) => ({ preStop: curl(ip, 'prestop') })],
])('preStop %s reaches the handler', (_name, lifecycle) => {
  const bed = runHook(lifecycle);
  expect(handlerLog(bed)).not.toContain('prestop');
  bed.client.delete(Pods, { namespace: 'default', name: 'hooked' }, { gracePeriodSeconds: 15 });
  bed.at(80);
  expect(handlerLog(bed)).toContain('GET /echo?msg=prestop');
  expect(bed.events('hooked').filter((e) => e.startsWith('Failed'))).toEqual([]);
});

test.each<[string, (ip: string) => Lifecycle]>([
  ['nothing listens', (ip) => ({ postStart: httpGet(ip, '/', 81) })],
  ['the command fails', () => ({ postStart: { exec: { command: ['sh', '-c', 'exit 3'] } } })],
  ['the command is not there', () => ({ postStart: { exec: { command: ['nothing'] } } })],
])('a container is killed when its postStart hook fails: %s', (_name, lifecycle) => {
  const bed = runHook(lifecycle);
  expect(bed.events('hooked')).toEqual(
    expect.arrayContaining(['FailedPostStartHook: PostStartHook failed', 'Killing: FailedPostStartHook']),
  );
  expect(bed.get(Pods, 'hooked').status.containerStatuses![0]!.restartCount).toBeGreaterThan(0);
});

test('a preStop hook that fails is reported', () => {
  const bed = runHook((ip) => ({ preStop: httpGet(ip, '/', 81) }));
  bed.client.delete(Pods, { namespace: 'default', name: 'hooked' }, { gracePeriodSeconds: 15 });
  bed.at(80);
  expect(bed.events('hooked')).toContain('FailedPreStopHook: PreStopHook failed');
});

test('a container that starts beside a sidecar whose machine was looked into runs on', () => {
  const bed = new ClusterBed();
  const startupProbe = { httpGet: { path: '/echo?msg=startup', port: 8080 } };
  bed.create(Pods, 'hooked', {
    spec: {
      initContainers: [{ name: 'side', image: AGNHOST, args: ['netexec'], restartPolicy: 'Always', startupProbe }],
      containers: [
        { name: 'c', image: 'registry.k8s.io/pause:3.10', lifecycle: { postStart: httpGet('', '/echo?msg=hook') } },
      ],
    },
  });
  bed.at(60);
  const [status] = bed.get(Pods, 'hooked').status.containerStatuses ?? [];
  expect(status).toMatchObject({ restartCount: 0, state: { running: {} } });
});
