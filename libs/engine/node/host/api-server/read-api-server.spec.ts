import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { defaultManifests } from '../../kubelet/pod/manifests.js';
import { CP, diskOf } from '../testing.js';
import { startApiServer } from './read-api-server.js';

const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata}]\n';
const DEFAULT = defaultManifests(CP).find(([file]) => file === 'kube-apiserver.yaml')![1];

interface Mounts {
  readonly [path: string]: { readonly of: string; readonly readOnly?: boolean };
}

/** kubeadm's API server with flags and mounts of the node's files besides. */
function podWith(flags: readonly string[], mounts: Mounts = {}): Pod {
  const pod = structuredClone(DEFAULT);
  const [container] = pod.spec.containers;
  container!.command!.push(...flags);
  for (const [mountPath, { of, readOnly }] of Object.entries(mounts)) {
    container!.volumeMounts!.push({ name: mountPath, mountPath, ...(readOnly ? { readOnly } : {}) });
    pod.spec.volumes!.push({ name: mountPath, hostPath: { path: of } });
  }
  return pod;
}

const FLAGS = ['--audit-policy-file=/etc/p.yaml', '--audit-log-path=/var/log/a/audit.log'];
const MOUNTS: Mounts = { '/etc/p.yaml': { of: '/srv/p.yaml' }, '/var/log/a/': { of: '/var/log/audit/' } };
const disk = diskOf(CP, { '/srv/p.yaml': POLICY });

test('as kubeadm has set it up it has nothing to say', () =>
  expect(startApiServer(DEFAULT, disk)).toEqual({ found: { encrypted: [] } }));

test('a policy and the file of its log, on the node', () =>
  expect(startApiServer(podWith([...FLAGS, '--audit-log-maxsize=1', '--audit-log-maxbackup=2'], MOUNTS), disk)).toEqual(
    {
      found: {
        encrypted: [],
        audit: {
          policy: { rules: [{ level: 'Metadata' }] },
          path: '/var/log/audit/audit.log',
          maxBytes: 1 << 20,
          maxBackups: 2,
          maxAgeDays: 0,
        },
      },
    },
  ));

test('a log that is not mounted is the container’s own', () =>
  expect(startApiServer(podWith(FLAGS, { '/etc/p.yaml': { of: '/srv/p.yaml' } }), disk)).toMatchObject({
    found: { audit: { path: undefined } },
  }));

test.each<[readonly string[], Mounts, string]>([
  [
    FLAGS,
    {},
    String.raw`loading audit policy file: failed to read file path \"/etc/p.yaml\": open /etc/p.yaml: no such file`,
  ],
  [FLAGS, { '/etc/p.yaml': { of: '/srv/none' } }, 'read /etc/p.yaml: is a directory'],
  [FLAGS, { ...MOUNTS, '/etc/p.yaml': { of: '/etc/hostname' } }, "Object 'Kind' is missing in"],
  [
    FLAGS,
    { ...MOUNTS, '/var/log/a/': { of: '/var/log/audit', readOnly: true } },
    'ensureLogFile: open /var/log/a/audit.log: read-only file system',
  ],
  [['--audit-log-maxage=-1'], {}, "--audit-log-maxage -1 can't be a negative number"],
  [['--audit-log-mode=x'], {}, 'invalid audit log mode x, allowed modes are'],
])('%j with %j does not come up', (flags, mounts, fault) => {
  const start = startApiServer(podWith(flags, mounts), disk);
  expect('fault' in start ? start.fault : undefined).toContain(fault);
});
