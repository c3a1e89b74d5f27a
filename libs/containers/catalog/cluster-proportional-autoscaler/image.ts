import type { Client, Start } from '@terrarium/engine';
import type { Node } from '../../../engine/api/core_v1.js';
import { ConfigMaps, Deployments, Nodes, ReplicaSets, ReplicationControllers } from '../../../engine/kinds/index.js';
import { PROPORTIONS } from '../../../engine/node/kubelet/container/in-cluster.js';
import { NODES } from '../../../engine/node/kubelet/container/wakes.js';
import { formatKlogLine } from '../../../engine/machinery/text/klog.js';
import { distrolessLayer } from '../../layers/index.js';
import { tolerating } from '../../programs/authority.js';
import { serverImage } from '../../programs/server.js';
import { flag } from '../../programs/task.js';
import { milliCores } from '../../tools/kubectl/describe/parts/quantity.js';
import { countsUnschedulable, dataOf, readProportion, replicasOf, type Size } from './replicas.js';

const KINDS = { deployment: Deployments, replicaset: ReplicaSets, replicationcontroller: ReplicationControllers };

const klog = (at: number, text: string): string => formatKlogLine('I', at, text);

const namespaceOf = (start: Start): string => flag(start, 'namespace', start.pod.namespace);

/** 'Deployment/coredns', of any case. */
function targetOf(start: Start): { readonly kind: string; readonly name: string } {
  const [kind = '', name = ''] = flag(start, 'target').split('/');
  return { kind: kind.toLowerCase(), name };
}

const isTarget = (kind: string): kind is keyof typeof KINDS => Object.hasOwn(KINDS, kind);

/**
 * As many replicas as the cluster's size asks for. Models cluster-proportional-autoscaler's pkg/autoscaler. Left out:
 * that it looks every ten seconds (nodes that come and its ConfigMap wake it), the lines of what it does.
 */
function scale(api: Client, start: Start): boolean {
  const namespace = namespaceOf(start);
  const key = { namespace, name: flag(start, 'configmap') };
  const { kind, name } = targetOf(start);
  if (!isTarget(kind) || key.name === '') return true;
  const stored = api.get(ConfigMaps, key);
  const data = stored ? stored.data : dataOf(flag(start, 'default-params'));
  if (!stored && data) api.create(ConfigMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data });
  const proportion = readProportion(data);
  if (!proportion) return true;
  const wanted = replicasOf(proportion, sizeOf(api.list(Nodes), countsUnschedulable(proportion)));
  const target = api.get(KINDS[kind] as typeof Deployments, { namespace, name });
  if (!target || target.spec.replicas === wanted) return true;
  const body = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name, namespace },
    spec: { replicas: wanted },
  };
  api.subresource(KINDS[kind] as typeof Deployments, { namespace, name }, 'scale', body);
  return true;
}

function sizeOf(nodes: readonly Node[], withUnschedulable: boolean): Size {
  const counted = nodes.filter(({ spec }) => withUnschedulable || !spec?.unschedulable);
  const milli = counted.reduce((sum, { status }) => sum + milliCores(status?.allocatable?.['cpu']), 0);
  return { cores: milli / 1_000, nodes: counted.length };
}

/** Replicas in proportion to the cluster: CoreDNS' autoscaler. */
export const image = serverImage(
  {
    names: [
      'registry.k8s.io/cpa/cluster-proportional-autoscaler',
      'registry.k8s.io/cluster-proportional-autoscaler-amd64',
      'k8s.gcr.io/cluster-proportional-autoscaler-amd64',
    ],
    tags: /^(latest|v?\d+\.\d+\.\d+)$/,
    layersMB: [0.8, 14.6],
    files: distrolessLayer,
    commands: 'any',
    config: { entrypoint: ['/cluster-proportional-autoscaler'] },
  },
  {
    ...{ readyAfterMs: 500, wakes: [NODES, PROPORTIONS] },
    fails: (start) => {
      const problem = refusal(start);
      return problem === undefined ? undefined : { code: 1, lines: [`E${klog(start.at, problem).slice(1)}`] };
    },
    log: (start) => {
      const mode = dataOf(flag(start, 'default-params'))?.['ladder'] === undefined ? 'linear' : 'ladder';
      return [
        klog(
          start.at,
          `autoscaler.go:49] Scaling Namespace: ${namespaceOf(start)}, Target: ${flag(start, 'target').toLowerCase()}`,
        ),
        klog(start.at, `plugin.go:50] Set control mode to ${mode}`),
      ];
    },
    tends: (api, start) => tolerating(() => scale(api, start)),
  },
);

/** Models cmd/cluster-proportional-autoscaler/options.go ValidateFlags. */
function refusal(start: Start): string | undefined {
  if (flag(start, 'configmap') === '') return 'options.go:64] --configmap parameter cannot be empty';
  const { kind, name } = targetOf(start);
  return isTarget(kind) && name !== ''
    ? undefined
    : 'options.go:64] target format error. Please use deployment/*, replicationcontroller/*, or replicaset/* (not case sensitive).';
}
