import { ciliumNodeOf, routerOf } from '../../../engine/node/cni/cilium/objects.js';
import { PODS_ON_NODE } from '../../../engine/node/kubelet/container/wakes.js';
import { debianPackages, executable, joinLayers } from '../../layers/index.js';
import { tolerating } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { ubuntu } from '../bases.js';
import { keepEndpoints } from './endpoints.js';
import { agentLines } from './log.js';
import { registerNode } from './node.js';

const READY_AFTER = 3_000;
const HEALTH_PORT = 9_879;
/** Of the kinds that it writes. */
const DEFINITIONS: readonly string[] = ['CiliumNode', 'CiliumIdentity', 'CiliumEndpoint'];
/** Its programs, and what they are modelled by. */
const PROGRAMS: Readonly<Record<string, string>> = {
  '/usr/bin/cilium-dbg': 'cilium:cilium-dbg',
  '/usr/bin/cilium': 'cilium:cilium-dbg',
  '/usr/bin/hubble': 'cilium:hubble',
  '/usr/bin/cilium-health': 'cilium:cilium-health',
  '/usr/bin/cilium-mount': 'cilium:cilium-mount',
  '/usr/bin/cilium-sysctlfix': 'cilium:cilium-sysctlfix',
  '/usr/bin/nsenter': 'cilium:nsenter',
  '/usr/bin/mount': 'cilium:mount',
  '/opt/cni/bin/cilium-cni': 'cilium:cilium-cni',
  '/opt/cni/bin/loopback': 'cilium:loopback',
  '/init-container.sh': 'cilium:init-container',
  '/install-plugin.sh': 'cilium:install-plugin',
  '/cni-uninstall.sh': 'cilium:cni-uninstall',
};

/**
 * Cilium's agent: it registers its node, takes addresses of the node's range, and stores identities and endpoints of
 * its pods; routes, policies and Services follow from that (engine/node/cni/fabric/cilium, engine/node/policy/cilium).
 * Left out: Envoy, encryption, BGP, cluster mesh, egress gateways, bandwidth, and the sixth version.
 */
export const image = serverImage(
  {
    names: ['quay.io/cilium/cilium', 'docker.io/cilium/cilium'],
    tags: /^(latest|v\d+\.\d+\.\d+(-[\w.]+)?)$/,
    layersMB: [29.7, 18.4, 171.6],
    files: joinLayers(
      ubuntu('24.04'),
      debianPackages('iproute2', 'iptables', 'jq'),
      Object.fromEntries(Object.entries(PROGRAMS).map(([path, name]) => [path, executable(name, 64_000_000)])),
    ),
    commands: ['cilium-agent'],
    config: { entrypoint: ['/usr/bin/cilium-agent'] },
    variant: (tag) => ({ env: { CILIUM_VERSION: /^v\d/.test(tag) ? tag.slice(1) : '1.18.4' } }),
  },
  {
    ports: [HEALTH_PORT],
    readyAfterMs: READY_AFTER,
    log: agentLines,
    serve({ path }, { pod }, read) {
      if (!path.startsWith('/healthz')) return { status: 404 };
      const isUp = read === undefined || routerOf(ciliumNodeOf(read, pod.node)) !== '';
      return isUp ? { status: 200 } : { status: 503, body: 'Cilium is not ready' };
    },
    wakes: [PODS_ON_NODE, 'ciliumnodes.cilium.io'],
    tends: (api, { pod }) =>
      tolerating(() => {
        // Its definitions are not there yet: the operator registers them.
        if (DEFINITIONS.some((kind) => api.kindFor('cilium.io/v2', kind) === undefined)) return false;
        return registerNode(api, pod.node) && keepEndpoints(api, pod.node);
      }),
  },
);
