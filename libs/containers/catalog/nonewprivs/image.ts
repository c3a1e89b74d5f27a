import { executable, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { alpine } from '../bases.js';

/** Says which user a set-user-ID program runs as. Models test/images/nonewprivs. */
export const image = toolImage({
  names: ['registry.k8s.io/e2e-test-images/nonewprivs', 'gcr.io/kubernetes-e2e-test-images/nonewprivs'],
  tags: /^1\.\d$/,
  layersMB: [2.8, 1.1],
  files: joinLayers(alpine('3.6'), {
    '/usr/local/bin/nnp': { ...executable('nonewprivs:nnp', 2_100_000), mode: 0o6755 },
  }),
  config: { cmd: ['nnp'] },
});
