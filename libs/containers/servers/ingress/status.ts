import type { Client, Start } from '@terrarium/engine';
import type { Ingress, IngressLoadBalancerIngress } from '../../../engine/api/networking_v1.js';
import { Ingresses, Services } from '../../../engine/kinds/index.js';
import { flag } from '../../programs/task.js';

/** Keeps in the status of all its Ingresses where they can be reached. Models internal/ingress/status. */
export function tendStatus(api: Client, start: Start, ingresses: readonly Ingress[]): boolean {
  if (flag(start, 'update-status', 'true') !== 'true') return true;
  const addresses = publishedAddresses(api, start);
  for (const ingress of ingresses) {
    if (JSON.stringify(ingress.status?.loadBalancer?.ingress ?? []) === JSON.stringify(addresses)) continue;
    api.updateStatus(Ingresses, { ...ingress, status: { loadBalancer: { ingress: addresses } } });
  }
  return true;
}

function publishedAddresses(api: Client, start: Start): IngressLoadBalancerIngress[] {
  const fixed = flag(start, 'publish-status-address');
  if (fixed !== '') return fixed.split(',').map((text) => (/^[\d.]+$/.test(text) ? { ip: text } : { hostname: text }));
  const [namespace = '', name = ''] = flag(start, 'publish-service').split('/');
  const service = name === '' ? undefined : api.get(Services, { namespace, name });
  if (!service) return [];
  if (service.spec.type === 'LoadBalancer')
    return (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) =>
      ip ? { ip } : { hostname: hostname ?? '' },
    );
  return service.spec.clusterIP ? [{ ip: service.spec.clusterIP }] : [];
}
