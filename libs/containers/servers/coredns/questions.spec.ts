import { expect, test } from '@jest/globals';
import { ConfigMaps, Pods } from '../../../engine/kinds/index.js';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test('with the log plug-in, kubectl logs of CoreDNS shows who asked what', () => {
  const bed = new FaultBed();
  bed.pod('client', { image: 'busybox:1.36', command: ['sleep', '9999'] });
  const map = bed.client.get(ConfigMaps, { namespace: 'kube-system', name: 'coredns' })!;
  const ask = (): string => bed.exec('client', 'nslookup kubernetes.default.svc.cluster.local');
  const logs = (): string =>
    bed.client
      .list(Pods, 'kube-system')
      .filter(({ metadata }) => metadata.labels?.['k8s-app'] === 'kube-dns')
      .map(({ metadata }) => bed.request(`/api/v1/namespaces/kube-system/pods/${metadata.name}/log`).body)
      .join('');
  expect(bed.at(5) && ask()).toContain('Address: 10.96.0.1');
  expect(bed.at(6) && logs()).not.toContain('kubernetes.default');
  const Corefile = map.data!['Corefile']!.replace('errors', 'log\n    errors');
  bed.client.update(ConfigMaps, { ...map, data: { Corefile } });
  bed.at(150);
  ask();
  const address = bed.get(Pods, 'client').status.podIP!;
  expect(bed.at(155) && logs()).toMatch(
    new RegExp(
      `^\\[INFO\\] ${address}:\\d+ - \\d+ "A IN kubernetes\\.default\\.svc\\.cluster\\.local\\. udp 54 false 512" NOERROR qr,aa,rd 106 0\\.00\\d+s$`,
      'm',
    ),
  );
});
