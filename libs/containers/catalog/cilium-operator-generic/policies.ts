import type { Client } from '@terrarium/engine';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';
import { timestamp } from '../../../engine/machinery/time/time.js';
import {
  CiliumClusterwideNetworkPolicies,
  CiliumNetworkPolicies,
  type CiliumPolicyObject,
} from '../../../engine/node/cni/cilium/objects.js';
import { findMistake } from '../../../engine/node/policy/cilium/mistakes.js';

/** Says in the status of policies whether they can be read. Models operator/pkg/networkpolicy/validator.go. */
export function judgePolicies(api: Client, now: number): void {
  for (const resource of [CiliumNetworkPolicies, CiliumClusterwideNetworkPolicies] as readonly Resource<KubeObject>[])
    for (const policy of api.list(resource) as readonly CiliumPolicyObject[]) {
      const mistake = findMistake(policy);
      const status = mistake === undefined ? 'True' : 'False';
      const message = mistake ?? 'Policy validation succeeded';
      const known = policy.status?.conditions?.find(({ type }) => type === 'Valid');
      if (known?.['status'] === status && known['message'] === message) continue;
      const others = policy.status?.conditions?.filter(({ type }) => type !== 'Valid') ?? [];
      const said = { type: 'Valid', status, message, lastTransitionTime: timestamp(now) };
      api.updateStatus(resource, {
        ...policy,
        status: { ...policy.status, conditions: [...others, said] },
      } as KubeObject);
    }
}
