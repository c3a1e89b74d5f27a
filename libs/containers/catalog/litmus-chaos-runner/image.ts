import { executable, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { ubi } from '../families/distributions.js';

/** chaos-runner, which runs a ChaosEngine's experiments one after another. */
export const image = toolImage({
  names: ['litmuschaos/chaos-runner', 'litmuschaos.docker.scarf.sh/litmuschaos/chaos-runner'],
  tags: /^[a-zA-Z0-9][\w.-]*$/,
  layersMB: [37.8, 16.2],
  config: {
    user: '65534',
    entrypoint: ['/usr/local/bin/chaos-runner'],
    env: { RUNNER: '/usr/local/bin/chaos-runner' },
  },
  files: joinLayers(ubi(), { '/usr/local/bin/chaos-runner': executable('litmus:chaos-runner', 42_000_000) }),
});
