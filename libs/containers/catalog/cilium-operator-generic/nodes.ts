import type { Client } from '@terrarium/engine';
import type { Node } from '../../../engine/api/core_v1.js';
import { Nodes, Pods } from '../../../engine/kinds/index.js';
import { timestamp } from '../../../engine/machinery/time/time.js';
import { CiliumEndpoints, CiliumNodes, rangeOf, routerOf } from '../../../engine/node/cni/cilium/objects.js';
import { ciliumSettings, type CiliumSettings } from '../../../engine/node/cni/cilium/settings.js';
import { isWithin, toNumber, toText } from '../../../engine/node/cni/fabric/fabric.js';

const UNAVAILABLE = 'NetworkUnavailable';
const UP = 'CiliumIsUp';
const TAINT = 'node.cilium.io/agent-not-ready';
/** Ranges that are looked at for a free one. */
const MAX_RANGES = 65_536;
/** A pod that is so old and has no endpoint was there before the agent. */
const UNMANAGED_AGE = 30_000;

/** Gives each node its range of pods' addresses. Models operator's cluster-pool, pkg/ipam/allocator/podcidr. */
export function giveRanges(api: Client): void {
  const settings = ciliumSettings(api);
  if (settings.ipam !== 'cluster-pool') return;
  for (const own of api.list(CiliumNodes)) {
    if ((own.spec?.ipam?.podCIDRs ?? []).length > 0) continue;
    const range = freeRange(api, settings);
    const ipam = { ...own.spec?.ipam, ...(range === undefined ? {} : { podCIDRs: [range] }) };
    if (range !== undefined) api.update(CiliumNodes, { ...own, spec: { ...own.spec, ipam } });
  }
}

/** The lowest that no node has. */
function freeRange(api: Client, { pools, maskSize }: CiliumSettings): string | undefined {
  const taken = api.list(CiliumNodes).map(rangeOf);
  for (const pool of pools) {
    const [base = '', bits = '8'] = pool.split('/');
    if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(base)) continue;
    const size = 2 ** (32 - maskSize);
    const count = Math.min(MAX_RANGES, 2 ** (32 - Number(bits)) / size);
    for (let i = 0; i < count; i++) {
      const first = toText(toNumber(base) + i * size);
      const cidr = `${first}/${maskSize}`;
      if (!taken.some((other) => isWithin(first, other) || isWithin(other.split('/')[0] ?? '', cidr))) return cidr;
    }
  }
  return undefined;
}

/** Says of nodes whose agent has come up that they have a network. Models operator/watchers/node_taint.go. */
export function markReady(api: Client, now: number): void {
  for (const own of api.list(CiliumNodes)) {
    const name = own.metadata.name ?? '';
    const node = api.get(Nodes, { namespace: '', name });
    if (!node || routerOf(own) === '') continue;
    const taints = node.spec.taints?.filter(({ key }) => key !== TAINT) ?? [];
    if (taints.length !== (node.spec.taints?.length ?? 0))
      api.update(Nodes, { ...node, spec: { ...node.spec, taints } });
    sayUp(api, api.get(Nodes, { namespace: '', name }) ?? node, now);
  }
}

function sayUp(api: Client, node: Node, now: number): void {
  const { conditions = [] } = node.status;
  if (conditions.find(({ type }) => type === UNAVAILABLE)?.reason === UP) return;
  const time = timestamp(now);
  const said = {
    ...{ type: UNAVAILABLE, status: 'False', reason: UP, message: 'Cilium is running on this node' },
    ...{ lastHeartbeatTime: time, lastTransitionTime: time },
  };
  const others = conditions.filter(({ type }) => type !== UNAVAILABLE);
  api.updateStatus(Nodes, { ...node, status: { ...node.status, conditions: [said, ...others] } });
}

/**
 * The cluster's name servers begin anew when they were plugged in by the network before. Returns when to look again.
 * Models operator/watchers/pod.go and the controller restart-unmanaged-kube-dns.
 */
export function restartUnmanaged(api: Client, now: number): number | undefined {
  const ranges = api.list(CiliumNodes).filter((own) => routerOf(own) !== '');
  let again: number | undefined;
  for (const { metadata, spec, status } of api.list(Pods, 'kube-system')) {
    if (metadata.labels?.['k8s-app'] !== 'kube-dns' || metadata.deletionTimestamp || status.phase !== 'Running')
      continue;
    const key = { namespace: 'kube-system', name: metadata.name ?? '' };
    if (spec.hostNetwork || api.get(CiliumEndpoints, key)) continue;
    if (!ranges.some((own) => own.metadata.name === spec.nodeName)) continue;
    const due = Date.parse(status.startTime ?? '') + UNMANAGED_AGE;
    if (due > now) again = Math.min(again ?? due, due);
    else api.delete(Pods, key);
  }
  return again;
}
