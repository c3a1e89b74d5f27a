import type { Service } from '../../api/core_v1.js';
import type { IPAddress } from '../../api/networking_v1.js';
import { IPAddresses, Services } from '../../kinds/index.js';
import { clusterIPsOf } from '../../kinds/core/service/allocation.js';
import { ALLOCATOR, FAMILY, isAllocated, MANAGED_BY } from '../../kinds/networking/ipaddress/kind.js';
import { keyOf, type Key } from '../../machinery/meta/object.js';
import { defineController, watch } from '../../runtime/controller.js';

/**
 * Each cluster IP of a Service has an IPAddress. Models kube-apiserver's pkg/registry/core/service/ipallocator, which
 * makes them as part of the Service's write, and its repair loop.
 */
export const controller = defineController<Service>({
  name: 'ipaddress',
  component: 'terrarium',
  actor: 'system:apiserver',
  for: Services,
  watches: [watch<IPAddress>({ kind: IPAddresses, when: isAllocated, keys: parentOf })],
  reconcile({ client }, key) {
    const service = client.get(Services, key);
    const wanted = new Set(service ? clusterIPsOf(service) : []);
    for (const held of client.byIndex(IPAddresses, 'parent', `services/${key.namespace}/${key.name}`))
      if (isAllocated(held) && !wanted.has(held.metadata.name ?? '')) client.delete(IPAddresses, keyOf(held));
    for (const ip of wanted)
      if (!client.get(IPAddresses, { namespace: '', name: ip })) client.create(IPAddresses, addressOf(ip, key));
  },
});

function parentOf({ spec: { parentRef } }: IPAddress): Key[] {
  if (parentRef?.resource !== 'services') return [];
  return [{ namespace: parentRef.namespace ?? '', name: parentRef.name ?? '' }];
}

const addressOf = (ip: string, { namespace, name }: Key): IPAddress => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IPAddress',
  metadata: { name: ip, labels: { [FAMILY]: ip.includes(':') ? 'IPv6' : 'IPv4', [MANAGED_BY]: ALLOCATOR } },
  spec: { parentRef: { resource: 'services', namespace, name } },
});
