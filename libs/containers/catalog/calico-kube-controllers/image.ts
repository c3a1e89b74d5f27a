import type { Client } from '@terrarium/engine';
import { Nodes } from '../../../engine/kinds/index.js';
import { IPAMBlocks, IPAMHandles } from '../../../engine/node/cni/calico/objects.js';
import { NODES } from '../../../engine/node/kubelet/container/wakes.js';
import { distrolessLayer, executable, joinLayers } from '../../layers/index.js';
import { tolerating } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { logLine } from '../../servers/calico/lines.js';
import { releaseBlock } from '../calico/blocks.js';
import { versionVariant } from '../../servers/calico/version.js';

/** What nodes that are gone have had. Models kube-controllers/pkg/controllers/node/ipam.go. */
function releaseGone(api: Client): void {
  for (const block of api.list(IPAMBlocks)) {
    const { affinity = '', attributes = [] } = block.spec ?? {};
    const node = affinity.replace(/^host:/, '');
    if (node === '' || api.get(Nodes, { namespace: '', name: node })) continue;
    for (const { handle_id: name = '' } of attributes)
      if (api.get(IPAMHandles, { namespace: '', name })) api.delete(IPAMHandles, { namespace: '', name });
    releaseBlock(api, node, block);
  }
}

/** Calico's controllers: addresses of nodes that are gone are free again. */
export const image = serverImage(
  {
    names: ['docker.io/calico/kube-controllers', 'quay.io/calico/kube-controllers'],
    tags: /^(latest|v\d+\.\d+\.\d+(-[\w.]+)?)$/,
    layersMB: [0.4, 31.6],
    files: joinLayers(distrolessLayer, { '/usr/bin/check-status': executable('calico:calico-node', 12_000_000) }),
    config: { entrypoint: ['/usr/bin/kube-controllers'] },
    variant: versionVariant,
  },
  {
    readyAfterMs: 1_500,
    log: ({ at, env }) => [
      logLine(at, 1, 'INFO', 'main.go 107', 'Loaded configuration from environment config=&config.Config{}'),
      logLine(at, 1, 'INFO', 'main.go 131', 'Ensuring Calico datastore is initialized'),
      logLine(at, 1, 'INFO', 'main.go 138', 'Getting initial config snapshot from datastore'),
      logLine(
        at,
        1,
        'INFO',
        'main.go 216',
        `Starting controller ControllerType="${env['ENABLED_CONTROLLERS'] ?? 'Node'}"`,
      ),
    ],
    wakes: [NODES],
    tends: (api) =>
      tolerating(() => {
        releaseGone(api);
        return true;
      }),
  },
);
