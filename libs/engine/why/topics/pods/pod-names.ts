import type { Pod } from '../../../api/core_v1.js';
import { isPodReady } from '../../../kinds/core/pod/status/phase.js';
import { Pods, Services } from '../../../kinds/index.js';
import type { WhyFinding } from '../../../machinery/questions/why.js';
import { explainMissing } from '../../missing.js';
import { findingOf, refOf, type World } from '../../world.js';

const OF_NODE = 'asks the name servers of its node, which know no Services';

/** Why a pod does not ask the cluster's name server; undefined: it does. Models pkg/kubelet/network/dns. */
export function foreignNames({ read }: World, pod: Pod): WhyFinding | undefined {
  const { dnsPolicy = 'ClusterFirst', dnsConfig, hostNetwork } = pod.spec;
  if (dnsPolicy === 'ClusterFirst' && hostNetwork === true)
    return findingOf(
      pod,
      'DNSPolicy',
      `it has the network of its node, and so ${OF_NODE}, unless its dnsPolicy is ClusterFirstWithHostNet`,
    );
  if (dnsPolicy === 'Default') return findingOf(pod, 'DNSPolicy', `its dnsPolicy is Default: it ${OF_NODE}`);
  if (dnsPolicy !== 'None') return undefined;
  const own = read.get(Services, { namespace: 'kube-system', name: 'kube-dns' })?.spec.clusterIP ?? '';
  const servers = dnsConfig?.nameservers ?? [];
  if (servers.includes(own)) return undefined;
  const message = `its dnsPolicy is None: it asks ${servers.join(', ')} alone, and not the cluster’s name server (${own})`;
  return findingOf(pod, 'DNSPolicy', message);
}

/** 'db-0.db.shop.svc.cluster.local': why a Service gives a pod no name. */
export function podNameFindings(world: World, asker: Pod, host: string): WhyFinding[] {
  const [name = '', service = '', namespace = '', kind] = host.split('.');
  const pod = kind === 'svc' ? world.read.get(Pods, { namespace, name }) : undefined;
  if (!pod) return [];
  const found = world.read.get(Services, { namespace, name: service });
  if (!found) return [explainMissing(world, Services, namespace, service).finding];
  if (isPodReady(pod) || found.spec.publishNotReadyAddresses === true) return [];
  const isOwn = pod.metadata.uid === asker.metadata.uid;
  const waits = isOwn ? ', and it does not get ready before it has found its own name' : '';
  const message = `it gives no names to pods that are not ready (publishNotReadyAddresses is not set): ${refOf(pod)} is not${waits}`;
  return [findingOf(found, 'NotReadyNames', message)];
}
