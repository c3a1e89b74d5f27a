import { ISTIO } from '../../../engine/node/kubelet/container/wakes.js';
import { serverImage } from '../../programs/server.js';
import { answerIstiod, ISTIOD_PORTS, istiodLines, tendIstiod } from '../../servers/istio/control/istiod.js';
import { debian } from '../bases.js';

/**
 * istiod: its webhooks inject proxies and check what users write, and it gives its authority to every namespace. What
 * proxies do follows from the state, not from what it sends them.
 * Left out: xDS, signing, Telemetry, WasmPlugin, EnvoyFilter, the Gateway API, ambient, other clusters.
 */
export const image = serverImage(
  {
    names: ['istio/pilot', 'gcr.io/istio-release/pilot', 'registry.istio.io/release/pilot'],
    tags: /^1\.\d+(\.\d+)?(-[\w.]+)?$/,
    layersMB: [29.5, 42.3],
    files: debian('bookworm'),
    commands: 'any',
    config: { entrypoint: ['/usr/local/bin/pilot-discovery'], user: '1337' },
  },
  {
    ports: ISTIOD_PORTS,
    readyAfterMs: 1_500,
    log: istiodLines,
    serve: (request, start, read) => answerIstiod(request, start, read!),
    tends: (api, start) => tendIstiod(api, start),
    wakes: [ISTIO],
  },
);
