import { directory, joinLayers, readPrograms } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { debian, withDebianPackages } from '../bases.js';

/** kubectl on Debian. */
export const image = toolImage({
  names: ['bitnami/kubectl', 'bitnamilegacy/kubectl', 'rancher/kubectl', 'registry.k8s.io/kubectl', 'alpine/k8s'],
  tags: /^(latest|v?1\.\d+(\.\d+)?)(-[a-z0-9.-]+)?$/,
  layersMB: [29.4, 50.3],
  config: { entrypoint: ['kubectl'], cmd: ['--help'], user: '1001' },
  files: joinLayers(
    withDebianPackages(debian('bookworm'), 'curl', 'jq'),
    { '/.kube': { ...directory(0o775), user: 1001 } },
    readPrograms('/usr/local/bin kubectl kubectl'),
  ),
});
