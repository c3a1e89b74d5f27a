import { busyboxLayer, oldBusyboxLayer } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';

export const image = toolImage({
  names: ['busybox', 'public.ecr.aws/docker/library/busybox', 'registry.k8s.io/e2e-test-images/busybox'],
  tags: /^(latest|stable|unstable|musl|glibc|uclibc|1|1\.(2[0-9]|3[0-9])(\.\d{1,2})?)(-(musl|glibc|uclibc|\d))*$/,
  layersMB: [2.16],
  config: { cmd: ['sh'] },
  files: busyboxLayer,
  // Its nslookup is another program from 1.29 on.
  variant: (tag) => (/^1\.2[0-8](?!\d)/.test(tag) ? { files: oldBusyboxLayer } : {}),
});
