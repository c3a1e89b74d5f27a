import { toolImage } from '../../programs/server.js';
import { debian, withDebianPackages } from '../bases.js';

/** Debian with dig and nslookup, for the DNS tests and the documentation's `kubectl exec -i -t dnsutils`. */
export const image = toolImage({
  names: [
    'registry.k8s.io/e2e-test-images/glibc-dns-testing',
    'registry.k8s.io/e2e-test-images/jessie-dnsutils',
    'registry.k8s.io/e2e-test-images/dnsutils',
    'gcr.io/kubernetes-e2e-test-images/dnsutils',
    'gcr.io/kubernetes-e2e-test-images/jessie-dnsutils',
    'tutum/dnsutils',
  ],
  tags: /^[a-z0-9][\w.-]*$/,
  layersMB: [51.7, 29.1],
  config: { cmd: ['sleep', '3600'] },
  files: withDebianPackages(debian(), 'bind9-dnsutils', 'iproute2', 'curl', 'netcat-openbsd', 'procps', 'wget'),
});
