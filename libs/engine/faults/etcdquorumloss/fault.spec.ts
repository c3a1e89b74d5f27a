import { expect, test } from '@jest/globals';
import { Events, Pods } from '../../kinds/index.js';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('writes time out, reads of now fail, what the watch cache has is served', () => {
  const bed = new FaultBed();
  bed.fault('EtcdQuorumLoss', { duration: '1m' });
  const write = (): { status: number; body: string } =>
    bed.request('/api/v1/namespaces/default/configmaps', 'POST', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    });
  bed.at(1);
  expect(write()).toMatchObject({ status: 500, body: expect.stringContaining('etcdserver: request timed out') });
  expect(bed.request('/api/v1/namespaces/default/pods').body).toContain('etcdserver: request timed out');
  expect(bed.request('/readyz').body).toContain('[-]etcd failed: reason withheld');
  expect(bed.request('/api/v1/namespaces/default/pods', 'GET', undefined, 'resourceVersion=0').status).toBe(200);
  expect(bed.at(61) && write().status).toBe(201);
});

test('controllers stand still', () => {
  const bed = new FaultBed();
  bed.fault('EtcdQuorumLoss', { duration: '1m' });
  bed.at(1).deployment('web');
  expect(bed.at(50).pods('web')).toHaveLength(0);
  expect(bed.at(70).pods('web')).toHaveLength(1);
});

test('kubelets go on, and tell what has become of containers when etcd has a leader again', () => {
  const bed = new FaultBed();
  bed.pod('crashes', { image: 'busybox:1.36', command: ['sh', '-c', 'sleep 12; exit 3'] });
  bed.pod('ends', { image: 'busybox:1.36', command: ['sleep', '15'] }, { restartPolicy: 'Never' });
  bed.at(5).fault('EtcdQuorumLoss', { duration: '1m' });
  const versions = (): (string | undefined)[] =>
    ['crashes', 'ends'].map((name) => bed.get(Pods, name).metadata.resourceVersion);
  const before = bed.at(6) && versions();
  expect(bed.at(60) && versions()).toEqual(before);
  expect(bed.state('crashes')).toBe('Running 0');
  bed.at(70);
  const [first] = bed.get(Pods, 'crashes').status.containerStatuses!;
  expect(first!.restartCount).toBeGreaterThan(1);
  expect(first!.lastState?.terminated?.exitCode).toBe(3);
  expect(bed.get(Pods, 'ends').status.phase).toBe('Succeeded');
});

const ETCDCTL =
  'etcdctl --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt ' +
  '--key=/etc/kubernetes/pki/etcd/server.key';

test('etcdctl on the node finds a member without a leader, and a cluster that does not answer', () => {
  const bed = new FaultBed();
  const ask = (command: string): string => bed.onNode('control-plane', `${ETCDCTL} ${command}`);
  bed.fault('EtcdQuorumLoss', { duration: '1m' });
  const status = bed.at(1) && ask('--endpoints=https://127.0.0.1:2379 endpoint status -w table');
  expect(status).toMatch(
    /\| https:\/\/127\.0\.0\.1:2379 \| a8cbd6e8c5b2b7d1 .* false {5}\| false .* \| etcdserver: no leader \|/,
  );
  expect(ask('member list')).toMatch(
    /"error":"rpc error: code = DeadlineExceeded.*\nError: context deadline exceeded\n$/s,
  );
  expect(ask('endpoint status --cluster -w table')).toContain(
    'Error: failed to fetch endpoints from etcd cluster member list: context deadline exceeded\n',
  );
  expect(ask('endpoint health')).toMatch(
    /127\.0\.0\.1:2379 is unhealthy: failed to commit proposal: context deadline exceeded\nError: unhealthy cluster\n$/,
  );
  expect(ask('get /registry/namespaces/default --keys-only')).toContain('Error: context deadline exceeded');
  expect(ask('get /registry/namespaces/default --keys-only --consistency=s')).toBe('/registry/namespaces/default\n\n');
  bed.at(61);
  expect(ask('endpoint health')).toContain('is healthy');
  expect(ask('endpoint status')).toMatch(/, true, false, 2, \d+, \d+, , , false\n$/);
});

const API_SERVER = { namespace: 'kube-system', name: 'kube-apiserver-control-plane' };

test('the kubelet restarts an API server whose /livez fails; one without a leader ends, and comes back after it', () => {
  const bed = new FaultBed();
  const ask = (): string => bed.request('/api/v1/namespaces/default/pods').body;
  const restarts = (name = API_SERVER.name): number | undefined =>
    bed.client.get(Pods, { ...API_SERVER, name })?.status.containerStatuses?.[0]?.restartCount;
  bed.at(30).fault('EtcdQuorumLoss', { duration: '5m' });
  expect(bed.at(100) && restarts()).toBe(0);
  expect(bed.at(130) && restarts()).toBe(1);
  expect(ask()).toContain('etcdserver: request timed out');
  bed.at(240);
  expect(restarts()).toBe(2);
  expect(ask()).toMatch(/dial tcp 172\.18\.0\.2:6443: connect: connection refused/);
  const shown = bed.onNode('control-plane', 'crictl ps -a --name kube-apiserver; journalctl -u kubelet --no-pager');
  expect(shown.match(/ Exited +kube-apiserver +2 /g)).toHaveLength(1);
  expect(shown).toMatch(/Error syncing pod, skipping.*back-off 20s restarting failed container=kube-apiserver /);
  const log = 'cat /var/log/pods/kube-system_kube-apiserver-control-plane_*/kube-apiserver/*.log';
  expect(bed.onNode('control-plane', log)).toContain('PostStartHook "start-service-ip-repair-controllers" failed');
  bed.at(400);
  expect(ask()).toContain('"kind":"PodList"');
  bed.deployment('web');
  expect(bed.at(410).pods('web')).toHaveLength(1);
  expect(restarts('etcd-control-plane')).toBe(0);
  const events = bed.client.list(Events, 'kube-system').map(({ reason, message }) => `${reason}: ${message}`);
  expect(events).toContain('Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 500');
  expect(bed.errors).toEqual([]);
});
