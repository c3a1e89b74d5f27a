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
const ADMISSION = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n';
const disk = diskOf(CP, {
  '/srv/p.yaml': POLICY,
  '/srv/ps.yaml': `${ADMISSION}plugins:
- name: PodSecurity
  configuration:
    apiVersion: pod-security.admission.config.k8s.io/v1
    kind: PodSecurityConfiguration
    defaults: {enforce: baseline, enforce-version: latest}
    exemptions: {namespaces: [kube-system]}
`,
  '/srv/ip.yaml': `${ADMISSION}plugins: [{name: ImagePolicyWebhook, path: own.yaml}]\n`,
  '/srv/own.yaml': 'imagePolicy: {kubeConfigFile: /etc/adm/conf, defaultAllow: false}\n',
  '/srv/conf': 'clusters:\n- cluster:\n    server: https://localhost:1234\n',
  '/srv/bad.yaml': `${ADMISSION}plugins: [{name: ImagePolicyWebhook, path: none.yaml}]\n`,
});

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

test.each<[readonly string[], Mounts, object]>([
  [['--anonymous-auth=false'], {}, { anonymous: false }],
  [['--authorization-mode=AlwaysAllow'], {}, { authorizationModes: ['AlwaysAllow'] }],
  [['--authorization-mode=Node,RBAC'], {}, {}],
  [['--enable-admission-plugins=NodeRestriction,AlwaysPullImages'], {}, { enabledPlugins: ['AlwaysPullImages'] }],
  [['--enable-admission-plugins='], {}, { disabledPlugins: ['NodeRestriction'] }],
  [['--disable-admission-plugins=PodSecurity'], {}, { disabledPlugins: ['PodSecurity'] }],
  [
    ['--admission-control-config-file=/etc/adm/ps.yaml'],
    { '/etc/adm': { of: '/srv' } },
    {
      podSecurity: {
        defaults: {
          'pod-security.kubernetes.io/enforce': 'baseline',
          'pod-security.kubernetes.io/enforce-version': 'latest',
        },
        exemptions: { usernames: [], runtimeClasses: [], namespaces: ['kube-system'] },
      },
    },
  ],
  [
    [
      '--admission-control-config-file=/etc/adm/ip.yaml',
      '--enable-admission-plugins=NodeRestriction,ImagePolicyWebhook',
    ],
    { '/etc/adm': { of: '/srv' } },
    { enabledPlugins: ['ImagePolicyWebhook'], imagePolicy: { server: 'https://localhost:1234', defaultAllow: false } },
  ],
])('%j with %j acts as %j', (flags, mounts, expected) =>
  expect(startApiServer(podWith(flags, mounts), disk)).toEqual({ found: { encrypted: [], ...expected } }),
);

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
  [
    ['--anonymous-auth=maybe'],
    {},
    'Error: invalid argument "maybe" for "--anonymous-auth" flag: strconv.ParseBool: parsing',
  ],
  [
    ['--audit-log-maxage=x'],
    {},
    'Error: invalid argument "x" for "--audit-log-maxage" flag: strconv.ParseInt: parsing',
  ],
  [['--authorization-mode=Node,RABC'], {}, String.raw`authorization-mode \"RABC\" is not a valid mode`],
  [['--authorization-mode=RBAC,RBAC'], {}, 'has mode specified more than once'],
  [['--authorization-mode=Webhook'], {}, "authorization-mode Webhook's authorization config file not passed"],
  [['--tls-min-version=1.2'], {}, String.raw`unknown tls version \"1.2\"`],
  [
    ['--enable-admission-plugins=NodeRestrict'],
    {},
    String.raw`enable-admission-plugins plugin \"NodeRestrict\" is unknown`,
  ],
  [
    ['--disable-admission-plugins=NodeRestriction'],
    {},
    '[NodeRestriction] in enable-admission-plugins and disable-admission',
  ],
  [['--enable-admission-plugins=ImagePolicyWebhook'], {}, 'no config specified'],
  [['--admission-control-config-file=/none'], {}, 'open /none: no such file or directory'],
  [
    ['--admission-control-config-file=/etc/adm/bad.yaml'],
    { '/etc/adm': { of: '/srv' } },
    'open /etc/adm/none.yaml: no such',
  ],
  [['--audit-log-mode=x'], {}, 'invalid audit log mode x, allowed modes are'],
])('%j with %j does not come up', (flags, mounts, fault) => {
  const start = startApiServer(podWith(flags, mounts), disk);
  expect('fault' in start ? start.fault : undefined).toContain(fault);
});
