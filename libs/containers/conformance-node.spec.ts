import { expect, test } from '@jest/globals';
import type { Container, Pod, PodSpec } from '../engine/api/core_v1.js';
import { Pods } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

function run(container: Partial<Container>, spec: Partial<PodSpec> = {}, metadata: Pod['metadata'] = {}): ClusterBed {
  const bed = new ClusterBed();
  const containers = [{ name: 'c', image: 'busybox:1.36', ...container }];
  bed.create(Pods, 'p', { spec: { restartPolicy: 'Never', containers, ...spec } }, metadata);
  return bed.at(30);
}

function logOf({ cluster }: ClusterBed): string {
  const path = '/api/v1/namespaces/default/pods/p/log';
  const request = { method: 'GET', path, query: '', headers: {}, user: ADMIN };
  return String((cluster.handle(request, cluster.state.now) as { body?: unknown }).body);
}

const volumes = [{ name: 'work', emptyDir: {} }];
const mounting = (value: string, script: string): Partial<Container> => ({
  env: [{ name: 'DIR', value }],
  command: ['sh', '-c', script],
  volumeMounts: [
    { name: 'work', mountPath: '/sub', subPathExpr: '$(DIR)' },
    { name: 'work', mountPath: '/all' },
  ],
});

test('variables are expanded in a subPathExpr, whose folder is made', () => {
  const bed = run(mounting('foo', 'echo hello > /sub/test.log && ls -d /all/foo && cat /all/foo/test.log'), {
    volumes,
  });
  expect(bed.get(Pods, 'p').status.phase).toBe('Succeeded');
  expect(logOf(bed)).toBe('/all/foo\nhello\n');
});

test.each([
  ['/tmp', 'error SubPath `/tmp` must not be an absolute path'],
  ['..', "unable to provision SubPath `..`: must not contain '..'"],
])('a subPathExpr that becomes %s fails', (value, message) => {
  const bed = run(mounting(value, 'true'), { volumes });
  const { phase, containerStatuses } = bed.get(Pods, 'p').status;
  expect(phase).toBe('Pending');
  expect(containerStatuses![0]!.state).toEqual({ waiting: { reason: 'CreateContainerConfigError', message } });
  expect(bed.events('p')).toContain(`Failed: Error: ${message}`);
});

test('a subPathExpr that failed works once its annotation is there', () => {
  const env = [{ name: 'DIR', valueFrom: { fieldRef: { fieldPath: "metadata.annotations['mysubpath']" } } }];
  const bed = run({ ...mounting('', 'sleep 600'), env }, { volumes });
  expect(bed.get(Pods, 'p').status.containerStatuses![0]!.state!.waiting).toEqual({
    reason: 'CreateContainerConfigError',
    message: 'missing value for DIR',
  });
  const pod = bed.get(Pods, 'p');
  bed.client.update(Pods, { ...pod, metadata: { ...pod.metadata, annotations: { mysubpath: 'mypath' } } });
  bed.at(60);
  expect(bed.get(Pods, 'p').status.phase).toBe('Running');
});

const sysctls = (name: string): Partial<PodSpec> => ({ securityContext: { sysctls: [{ name, value: '1' }] } });

test('a safe sysctl shows in the container', () => {
  const bed = run({ command: ['sysctl', 'kernel.shm_rmid_forced'] }, sysctls('kernel.shm_rmid_forced'));
  expect(logOf(bed)).toBe('kernel.shm_rmid_forced = 1\n');
});

test('a pod with an unsafe sysctl is rejected', () => {
  const bed = run({ command: ['true'] }, sysctls('kernel.msgmax'));
  const { phase, reason, message } = bed.get(Pods, 'p').status;
  expect(phase).toBe('Failed');
  expect(reason).toBe('SysctlForbidden');
  expect(message).toBe('Pod was rejected: forbidden sysctl: "kernel.msgmax" not allowlisted');
});
