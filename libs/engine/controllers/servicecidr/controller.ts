import type { IPAddress, ServiceCIDR } from '../../api/networking_v1.js';
import { IPAddresses, ServiceCIDRs } from '../../kinds/index.js';
import { isAllocated } from '../../kinds/networking/ipaddress/kind.js';
import type { Client, Reader } from '../../machinery/client.js';
import { addFinalizer, removeFinalizer } from '../../machinery/meta/finalizers.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { contains, parseAddress, parsePrefix, type Prefix } from '../../machinery/net/netip.js';
import { parseTimestamp, timestamp, type Millis } from '../../machinery/time/time.js';
import { defineController, watch } from '../../runtime/controller.js';

const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
/** Allocators may not have seen the deletion yet. */
const DELETION_GRACE: Millis = 10_000;
const READY = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const TERMINATING = {
  status: 'False',
  reason: 'Terminating',
  message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

/**
 * A ServiceCIDR is ready, and goes when no address of it is left that no other one has. Models
 * pkg/controller/servicecidrs.
 */
export const controller = defineController<ServiceCIDR>({
  name: 'servicecidr',
  actor: 'system:serviceaccount:kube-system:service-cidrs-controller',
  for: ServiceCIDRs,
  watches: [
    watch<ServiceCIDR>({ kind: ServiceCIDRs, keys: terminating }),
    watch<IPAddress>({ kind: IPAddresses, when: isAllocated, keys: terminating }),
  ],
  reconcile({ client, now }, key) {
    const cidr = client.get(ServiceCIDRs, key);
    if (!cidr) return;
    const { deletionTimestamp, finalizers = [] } = cidr.metadata;
    if (deletionTimestamp === undefined) {
      if (!finalizers.includes(FINALIZER)) return void client.update(ServiceCIDRs, addFinalizer(cidr, FINALIZER));
      return setReady(client, cidr, READY, now);
    }
    if (!finalizers.includes(FINALIZER)) return;
    if (isNeeded(client, cidr)) return setReady(client, cidr, TERMINATING, now);
    const left = parseTimestamp(deletionTimestamp) + DELETION_GRACE - now;
    if (left > 0) return { requeueAfter: left };
    client.update(ServiceCIDRs, removeFinalizer(cidr, FINALIZER));
  },
});

/** Another one, or an address that goes, may let those go that wait. */
function terminating(_object: unknown, read: Reader): Key[] {
  return read
    .list(ServiceCIDRs)
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
    .map(keyOf);
}

function setReady(client: Client, cidr: ServiceCIDR, ready: typeof READY, now: Millis): void {
  const { conditions = [] } = cidr.status ?? {};
  const old = conditions.find(({ type }) => type === 'Ready');
  if (old?.status === ready.status) return;
  const condition = { type: 'Ready', ...ready, lastTransitionTime: timestamp(now) };
  const others = conditions.filter(({ type }) => type !== 'Ready');
  client.updateStatus(ServiceCIDRs, { ...cidr, status: { ...cidr.status, conditions: [...others, condition] } });
}

/** Whether a Service has an address of it that is in no other one. Models canDeleteCIDR. */
function isNeeded(client: Client, cidr: ServiceCIDR): boolean {
  const own = prefixesOf(cidr);
  const others = client
    .list(ServiceCIDRs)
    .filter((o) => o.metadata.name !== cidr.metadata.name && o.metadata.deletionTimestamp === undefined)
    .flatMap(prefixesOf);
  return client.list(IPAddresses).some((ip) => {
    const address = isAllocated(ip) ? parseAddress(ip.metadata.name ?? '') : undefined;
    return address !== undefined && own.some((p) => contains(p, address)) && !others.some((p) => contains(p, address));
  });
}

const prefixesOf = ({ spec }: ServiceCIDR): Prefix[] => (spec.cidrs ?? []).flatMap((cidr) => parsePrefix(cidr) ?? []);
