import type { Client, Start } from '@terrarium/engine';
import type { LoopTools } from '../../../engine/node/cri/image.js';
import { NODES } from '../../../engine/node/kubelet/container/wakes.js';
import { distrolessLayer } from '../../layers/index.js';
import { tolerating } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { logLine, releaseOf } from '../../servers/cilium/lines.js';
import { registerDefinitions } from './definitions.js';
import { collectIdentities } from './identities.js';
import { giveRanges, markReady, restartUnmanaged } from './nodes.js';
import { judgePolicies } from './policies.js';

const HEALTH_PORT = 9_234;

function log({ at, container, pod }: Start): readonly string[] {
  const image = container.image ?? '';
  const say = (message: string, fields: Record<string, string> = {}): string =>
    logLine(at, image, 'operator', message, fields);
  const id = `${pod.node}-${pod.name.slice(-10)}`;
  return [
    say(`Cilium Operator ${releaseOf(image).join('.')} go version go1.24.9 linux/amd64`),
    say('Establishing connection to apiserver', { ipAddr: 'https://10.96.0.1:443' }),
    say('Connected to apiserver'),
    say('attempting to acquire leader lease kube-system/cilium-operator-resource-lock...'),
    say('successfully acquired lease kube-system/cilium-operator-resource-lock'),
    say('Leading the operator HA deployment', { operatorID: id }),
    say('Starting to synchronize CiliumNode custom resources'),
    say('Starting to garbage collect stale CiliumEndpoint custom resources'),
    say('CRD (CustomResourceDefinition) is installed and up-to-date', { name: 'CiliumNetworkPolicy/v2' }),
    say('Initialization complete'),
  ];
}

function tend(api: Client, now: number, tools: LoopTools): boolean {
  registerDefinitions(api);
  if (api.kindFor('cilium.io/v2', 'CiliumNode') === undefined) return false;
  giveRanges(api);
  markReady(api, now);
  judgePolicies(api, now);
  const due = [restartUnmanaged(api, now), collectIdentities(api, now)].flatMap((at) => at ?? []);
  if (due.length > 0) tools.wakeAt?.(Math.min(...due));
  return true;
}

/**
 * Cilium's operator: it registers the definitions, gives nodes their ranges, says that their network is up, judges
 * policies, and collects identities that nobody has. Left out: the election of a leader (all replicas do the same),
 * load balancers' addresses, and all that is switched on apart (Ingress, Gateway API, BGP, cluster mesh).
 */
export const image = serverImage(
  {
    names: ['quay.io/cilium/operator-generic', 'quay.io/cilium/operator', 'docker.io/cilium/operator-generic'],
    tags: /^(latest|v\d+\.\d+\.\d+(-[\w.]+)?)$/,
    layersMB: [0.4, 52.8],
    files: distrolessLayer,
    commands: ['cilium-operator-generic', 'cilium-operator'],
    config: { entrypoint: ['/usr/bin/cilium-operator-generic'] },
  },
  {
    ports: [HEALTH_PORT],
    readyAfterMs: 1_200,
    log,
    serve: ({ path }) => (path.startsWith('/healthz') ? { status: 200, body: 'ok' } : { status: 404 }),
    wakes: [
      ...[NODES, 'ciliumnodes.cilium.io', 'ciliumendpoints.cilium.io', 'ciliumnetworkpolicies.cilium.io'],
      'ciliumclusterwidenetworkpolicies.cilium.io',
    ],
    tends: (api, _start, tools) => tolerating(() => tend(api, tools.now, tools)),
  },
);
