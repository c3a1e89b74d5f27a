import type { Client, Start } from '@terrarium/engine';
import type { Ingress, IngressLoadBalancerIngress } from '../../../engine/api/networking_v1.js';
import { Ingresses, Services } from '../../../engine/kinds/index.js';
import { flag } from '../../programs/task.js';

/** Keeps in the status of all its Ingresses where they can be reached. Models internal/ingress/status. */
export function tendStatus(api: Client, start: Start, ingresses: readonly Ingress[]): boolean {
  if (flag(start, 'update-status', 'true') !== 'true') return true;
  keepStatus(api, ingresses, publishedAddresses(api, start));
  return true;
}

/** Writes the addresses into every status that has others. */
export function keepStatus(
  api: Client,
  ingresses: readonly Ingress[],
  addresses: readonly IngressLoadBalancerIngress[],
): void {
  for (const ingress of ingresses) {
    if (JSON.stringify(ingress.status?.loadBalancer?.ingress ?? []) === JSON.stringify(addresses)) continue;
    api.updateStatus(Ingresses, { ...ingress, status: { loadBalancer: { ingress: [...addresses] } } });
  }
}

function publishedAddresses(api: Client, start: Start): IngressLoadBalancerIngress[] {
  const fixed = flag(start, 'publish-status-address');
  if (fixed !== '') return fixed.split(',').map((text) => (/^[\d.]+$/.test(text) ? { ip: text } : { hostname: text }));
  return addressesOfService(api, flag(start, 'publish-service'));
}

/** Where a Service, `namespace/name`, is reached from outside. */
export function addressesOfService(api: Client, text: string): IngressLoadBalancerIngress[] {
  const [namespace = '', name = ''] = text.split('/');
  const service = name === '' ? undefined : api.get(Services, { namespace, name });
  if (!service) return [];
  if (service.spec.type === 'LoadBalancer')
    return (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) =>
      ip ? { ip } : { hostname: hostname ?? '' },
    );
  return service.spec.clusterIP ? [{ ip: service.spec.clusterIP }] : [];
}
