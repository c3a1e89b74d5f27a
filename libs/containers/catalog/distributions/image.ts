import { toolImage } from '../../programs/server.js';

/** Base systems: nothing runs in them but what they are told. */
export const image = toolImage({
  names: [
    'ubuntu',
    'debian',
    'bash',
    'fedora',
    'centos',
    'rockylinux',
    'almalinux',
    'amazonlinux',
    'archlinux',
    'opensuse/leap',
    'buildpack-deps',
    'curlimages/curl',
    'radial/busyboxplus',
    'nicolaka/netshoot',
    'bitnami/kubectl',
    'registry.k8s.io/e2e-test-images/jessie-dnsutils',
  ],
  tags: /^[a-z0-9][\w.-]*$/,
  layersMB: [29.7],
  config: { cmd: ['bash'] },
});
