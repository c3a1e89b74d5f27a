import type { Start } from '@terrarium/engine';
import { PODS_ON_NODE } from '../../../engine/node/kubelet/container/wakes.js';
import { distrolessLayer, executable, joinLayers } from '../../layers/index.js';
import { tolerating } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { logLine } from '../../servers/calico/lines.js';
import { keepBlocks } from './blocks.js';
import { describeNode } from './node-object.js';
import { ensureDefaults, findFault } from './pools.js';
import { versionVariant } from '../../servers/calico/version.js';

const READY_AFTER = 3_000;
const HEALTH_PORT = 9099;
/** Of the kinds that it writes. */
const DEFINITIONS: readonly string[] = ['IPPool', 'BlockAffinity', 'IPAMBlock', 'IPAMHandle'];

const lines = (start: Start): string[] => {
  const { at, env, pod } = start;
  const say = (where: string, message: string): string => logLine(at, 9, 'INFO', where, message);
  return [
    say('startup/startup.go 431', 'Early log level set to info'),
    say('startup/utils.go 126', `Using NODENAME environment for node name ${pod.node}`),
    say('startup/utils.go 138', `Determined node name: ${pod.node}`),
    say('startup/startup.go 95', `Starting node ${pod.node} with version ${env['CALICO_VERSION'] ?? 'v3.31.0'}`),
    say('startup/startup.go 436', 'Checking datastore connection'),
    say('startup/startup.go 460', 'Datastore connection verified'),
    say('startup/startup.go 105', 'Datastore is ready'),
  ];
};

const log = (start: Start): string[] => {
  const { at, pod } = start;
  return [
    ...lines(start),
    logLine(
      at,
      9,
      'INFO',
      'startup/autodetection_methods.go 103',
      `Using autodetected IPv4 address on interface eth0: ${pod.ip}/16`,
    ),
    logLine(at, 9, 'INFO', 'startup/startup.go 218', `Using node name: ${pod.node}`),
    'Calico node started successfully',
  ];
};

function fails(start: Start): { code: number; lines: readonly string[] } | undefined {
  const fault = findFault(start.env);
  if (fault === undefined) return undefined;
  const said = logLine(start.at, 9, 'ERROR', 'startup/startup.go 1012', fault);
  return { code: 1, lines: [...lines(start), said, 'Calico node failed to start'] };
}

/**
 * Calico's agent: it makes the cluster's pool, claims blocks of addresses for its node, and says where its node is;
 * routes follow from that (engine/node/cni/fabric/calico).
 */
export const image = serverImage(
  {
    names: ['docker.io/calico/node', 'quay.io/calico/node'],
    tags: /^(latest|v\d+\.\d+\.\d+(-[\w.]+)?)$/,
    layersMB: [0.4, 153.2],
    files: joinLayers(distrolessLayer, {
      '/bin/calico-node': executable('calico:calico-node', 68_000_000),
      '/usr/bin/birdcl': executable('calico:birdcl', 1_100_000),
    }),
    config: { cmd: ['start_runit'], env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } },
    variant: versionVariant,
  },
  {
    ports: [HEALTH_PORT],
    readyAfterMs: READY_AFTER,
    fails,
    log,
    serve: ({ path }) => ({ status: path === '/liveness' || path === '/readiness' ? 204 : 404 }),
    wakes: [PODS_ON_NODE, 'ippools.crd.projectcalico.org'],
    tends: (api, { env, pod }, { now }) =>
      tolerating(() => {
        // Its definitions are not there yet, or not all of them.
        if (DEFINITIONS.some((kind) => api.kindFor('crd.projectcalico.org/v1', kind) === undefined)) return false;
        ensureDefaults(api, env);
        return describeNode(api, pod.node, keepBlocks(api, pod.node), now);
      }),
  },
);
