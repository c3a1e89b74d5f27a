import { expect, test } from '@jest/globals';
import { linesOf } from './lines.js';

test.each([
  ['registry.k8s.io/kube-apiserver:v1.36.3', 'I server.go:150] Version: v1.36.3'],
  ['registry.k8s.io/kube-apiserver:v1.36.3', 'I options.go:263] external host was not specified, using 10.0.0.1'],
  ['registry.k8s.io/kube-scheduler:v1.36.3', 'I server.go:175] "Starting Kubernetes Scheduler" version="v1.36.3"'],
  ['registry.k8s.io/kube-controller-manager:v1.36.3', 'I controllermanager.go:189] "Starting" version="v1.36.3"'],
  ['registry.k8s.io/kube-proxy:v1.36.3', 'I server_linux.go:132] "Using iptables Proxier"'],
])('%s says %s', (image, line) => {
  expect(linesOf(image, '10.0.0.1')).toContain(line);
});

test('kube-proxy says which proxier it uses', () => {
  expect(linesOf('registry.k8s.io/kube-proxy:v1.36.3', '10.0.0.1', 'ipvs').join()).toContain('"Using ipvs Proxier"');
});
