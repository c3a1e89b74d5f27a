import { expect, test } from '@jest/globals';
import type { PodSpec } from '../../../api/core_v1.js';
import { pod } from '../testing.js';
import { hostNamesOf, managedHosts } from './hosts.js';

test.each<[string, Partial<PodSpec>, string, string]>([
  ['its name', {}, 'web', ''],
  ['its own hostname', { hostname: 'db-0' }, 'db-0', ''],
  ['a subdomain', { hostname: 'db-0', subdomain: 'db' }, 'db-0', 'db.shop.svc.cluster.local'],
  [
    'the whole name',
    { subdomain: 'db', setHostnameAsFQDN: true },
    'web.db.shop.svc.cluster.local',
    'db.shop.svc.cluster.local',
  ],
  ['the node', { hostNetwork: true }, 'worker-1', ''],
  ['at most 63 characters, without a dash at the end', { hostname: `${'a'.repeat(62)}-b` }, 'a'.repeat(62), ''],
])('a pod is called by %s', (_case, spec, hostname, domain) => {
  expect(hostNamesOf(pod(spec))).toEqual({ hostname, domain });
});

const HEAD = `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`;

test.each<[string, Partial<PodSpec>, string]>([
  ['itself', {}, '10.244.1.2\tweb\n'],
  ['its domain', { hostname: 'db-0', subdomain: 'db' }, '10.244.1.2\tdb-0.db.shop.svc.cluster.local\tdb-0\n'],
  [
    'its aliases',
    {
      hostAliases: [
        { ip: '1.2.3.4', hostnames: ['a.local', 'b.local'] },
        { ip: '5.6.7.8', hostnames: ['c'] },
      ],
    },
    '10.244.1.2\tweb\n\n# Entries added by HostAliases.\n1.2.3.4\ta.local\tb.local\n5.6.7.8\tc\n',
  ],
])('/etc/hosts names %s', (_case, spec, expected) => {
  expect(managedHosts(pod(spec, { podIP: '10.244.1.2' }))).toBe(HEAD + expected);
});

test('on the node’s network /etc/hosts is the node’s', () => {
  const spec = { hostNetwork: true, hostAliases: [{ ip: '1.2.3.4', hostnames: ['a'] }] };
  expect(managedHosts(pod(spec, { podIP: '172.18.0.2', hostIP: '172.18.0.2' }))).toBe(
    `# Kubernetes-managed hosts file (host network).
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
ff00::0\tip6-mcastprefix
ff02::1\tip6-allnodes
ff02::2\tip6-allrouters
172.18.0.2\tworker-1

# Entries added by HostAliases.
1.2.3.4\ta
`,
  );
});
