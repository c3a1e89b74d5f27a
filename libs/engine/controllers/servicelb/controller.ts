import type { LoadBalancerIngress, Service } from '../../api/core_v1.js';
import { CustomResourceDefinitions, Faults, Services } from '../../kinds/index.js';
import { activeEffects, changesEffects } from '../../kinds/terrarium/fault/active.js';
import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { addFinalizer, removeFinalizer } from '../../machinery/meta/finalizers.js';
import { keyOf } from '../../machinery/meta/object.js';
import { SECOND } from '../../machinery/time/time.js';
import { defineController, NO_KEYS, watch, type Context } from '../../runtime/controller.js';
import { secondHostFor } from '../../machinery/net/second-family.js';
import { restUntilRetry } from '../retry-by-events.js';
import { freeAddress } from './pool.js';

const FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';
/** Where MetalLB is installed, its own controller gives the addresses. */
const METALLB = 'ipaddresspools.metallb.io';
const RETRY = 100 * SECOND;
/** Models service_controller.go minRetryDelay, maxRetryDelay. */
const BACK_OFF = { first: 5 * SECOND, longest: 300 * SECOND };
const SYNC_FAILED = 'SyncLoadBalancerFailed';

/**
 * A Service of type LoadBalancer has an address of the nodes' network, as long as it names no class: what
 * cloud-provider-kind does. Models k8s.io/cloud-provider/controllers/service. Left out: addresses that are asked for
 * (spec.loadBalancerIP), source ranges.
 */
export const controller = defineController({
  name: 'servicelb',
  component: 'cloud-controller-manager',
  actor: 'system:serviceaccount:kube-system:service-controller',
  eventSource: 'service-controller',
  for: Services,
  watches: [
    watch({
      kind: CustomResourceDefinitions,
      keys: (definition, reader) =>
        definition.metadata.name === METALLB ? reader.list(Services).filter(isBalanced).map(keyOf) : NO_KEYS,
    }),
    watch<Fault>({
      kind: Faults,
      when: (fault, old) => changesEffects(fault, old, 'cloud'),
      keys: (_fault, reader) => reader.list(Services).filter(isBalanced).map(keyOf),
    }),
  ],
  reconcile(context, key) {
    const service = context.client.get(Services, key);
    if (!service) return;
    if (!isBalanced(service) || service.metadata.deletionTimestamp) return release(context, service);
    if (context.client.get(CustomResourceDefinitions, { namespace: '', name: METALLB })) return;
    return ensure(context, service);
  },
});

const isBalanced = ({ spec }: Service): boolean => spec.type === 'LoadBalancer' && !spec.loadBalancerClass;
const isHeld = ({ metadata }: Service): boolean => metadata.finalizers?.includes(FINALIZER) ?? false;

function ensure(context: Context, service: Service): { readonly requeueAfter: number } | void {
  if (service.status?.loadBalancer?.ingress?.length) return;
  const { client } = context;
  const rest = restUntilRetry(context, service, SYNC_FAILED, BACK_OFF);
  if (rest > 0) return { requeueAfter: rest };
  context.event(service, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
  const held = isHeld(service) ? service : hold(context, service);
  const fault = activeEffects(client, 'cloud').find(({ services }) => isNamed(service, services))?.fault;
  if (fault === 'pending') return;
  if (fault === 'error') {
    const why = 'failed to ensure load balancer: InternalError: an internal error has occurred, status code: 500';
    context.event(service, 'Warning', SYNC_FAILED, `Error syncing load balancer: ${why}`);
    return { requeueAfter: restUntilRetry(context, service, SYNC_FAILED, BACK_OFF) };
  }
  const ip = freeAddress(client.list(Services));
  if (ip === undefined) {
    const why = 'failed to ensure load balancer: no address is left in the pool';
    context.event(service, 'Warning', SYNC_FAILED, `Error syncing load balancer: ${why}`);
    return { requeueAfter: RETRY };
  }
  client.updateStatus(Services, {
    ...held,
    status: { ...held.status, loadBalancer: { ingress: addressesOf(service, ip) } },
  });
  context.event(service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
}

/** By a name, or a namespace and a name; without a list every Service is meant. */
const isNamed = ({ metadata: { namespace, name = '' } }: Service, names: readonly string[] | undefined): boolean =>
  !names || names.includes(name) || names.includes(`${namespace}/${name}`);

/** One of each family. */
const addressesOf = ({ spec }: Service, ip: string): LoadBalancerIngress[] =>
  (spec.ipFamilies?.length ? spec.ipFamilies : ['IPv4']).map((family) => ({
    ip: family === 'IPv6' ? secondHostFor(ip) : ip,
    ipMode: 'VIP',
  }));

const hold = ({ client }: Context, service: Service): Service =>
  client.update(Services, addFinalizer(service, FINALIZER));

/** It is no load balancer any more. */
function release(context: Context, service: Service): void {
  if (!isHeld(service)) return;
  context.event(service, 'Normal', 'DeletingLoadBalancer', 'Deleting load balancer');
  context.client.update(Services, removeFinalizer(service, FINALIZER));
  context.event(service, 'Normal', 'DeletedLoadBalancer', 'Deleted load balancer');
}
