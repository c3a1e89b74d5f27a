import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { defaultManifests } from '../../kubelet/pod/manifests.js';
import { dataFolderOf, findComponentFault } from './component-fault.js';
import { CP, diskOf } from '../testing.js';

const manifest = (component: string): Pod => defaultManifests(CP).find(([file]) => file === `${component}.yaml`)![1];
/** A component's manifest with a text in it replaced. */
const changed = (component: string, from: string, to: string): Pod =>
  JSON.parse(JSON.stringify(manifest(component)).replaceAll(from, to)) as Pod;

test.each(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'])(
  '%s comes up as kubeadm has set it up',
  (component) =>
    expect(findComponentFault(component, manifest(component), diskOf(CP), manifest('etcd'))).toBeUndefined(),
);

test.each([
  ['kube-scheduler', '"kube-scheduler"', '"kube-schedulerrr"', 'exec: "kube-schedulerrr": executable file not found'],
  ['kube-scheduler', '--leader-elect', '--leader-elects', 'Error: unknown flag: --leader-elects'],
  [
    'kube-scheduler',
    '=/etc/kubernetes/scheduler.conf',
    '=/etc/kubernetes/s.conf',
    'E run.go:72] "command failed" err="stat /etc/kubernetes/s.conf: no such file or directory"',
  ],
  ['kube-controller-manager', 'root-ca-file=/etc/kubernetes/pki/ca.crt', 'root-ca-file=/x/ca.crt', 'open /x/ca.crt'],
  ['kube-controller-manager', '"path":"/etc/kubernetes/pki"', '"path":"/etc/kubernetes/WRONG"', 'ca.crt: no such file'],
  [
    'kube-controller-manager',
    '--client-ca-file=/etc/kubernetes/pki',
    '--client-ca-file=/x',
    'unable to load client CA provider: open',
  ],
  ['kube-apiserver', '127.0.0.1:2379', '127.0.0.1:2380', 'dial tcp 127.0.0.1:2380: connect: connection refused'],
  ['kube-apiserver', '--secure-port', '--foo', 'Error: unknown flag: --foo'],
  [
    'kube-apiserver',
    '--etcd-cafile=/etc/kubernetes/pki/etcd/ca.crt',
    '--etcd-cafile=/etc/kubernetes/pki/etcd-ca.crt',
    'creating storage factory: open /etc/kubernetes/pki/etcd-ca.crt: no such file or directory',
  ],
  ['etcd', '--data-dir=/var/lib/etcd', '--data-dir=/var/lib/etcd-wrong', 'no hostPath is mounted at data-dir'],
  ['etcd', 'etcd/server.crt', 'etcd/serve.crt', 'open /etc/kubernetes/pki/etcd/serve.crt: no such file'],
  ['etcd', '--data-dir', '--dir', 'flag provided but not defined: -dir'],
])('%s with %s as %s does not come up', (component, from, to, expected) =>
  expect(findComponentFault(component, changed(component, from, to), diskOf(CP), manifest('etcd'))).toContain(expected),
);

test.each([
  ['runs', manifest('etcd'), false],
  ['does not', undefined, true],
  ['listens elsewhere', changed('etcd', ':2379', ':2399'), true],
])('an API server whose etcd %s', (_case, etcd, isLost) => {
  const fault = findComponentFault('kube-apiserver', manifest('kube-apiserver'), diskOf(CP), etcd);
  expect(fault?.includes('context deadline exceeded') ?? false).toBe(isLost);
});

test.each([
  ['/var/lib/etcd', '/var/lib/etcd', '/var/lib/etcd'],
  ['"path":"/var/lib/etcd"', '"path":"/var/lib/backup"', '/var/lib/backup'],
  ['--data-dir=/var/lib/etcd', '--data-dir=/elsewhere', undefined],
])('the data of an etcd with %s as %s lie in %s', (from, to, expected) =>
  expect(dataFolderOf(changed('etcd', from, to))).toBe(expected),
);

test('a kubeconfig that leads elsewhere', () => {
  const conf = diskOf(CP).read('/etc/kubernetes/scheduler.conf')!.replace(':6443', ':6553');
  const disk = diskOf(CP, { '/etc/kubernetes/scheduler.conf': conf });
  expect(findComponentFault('kube-scheduler', manifest('kube-scheduler'), disk)).toContain('172.18.0.2:6553');
});

test('other pods are their images’ business', () =>
  expect(findComponentFault('web', manifest('etcd'), diskOf(CP))).toBeUndefined());
