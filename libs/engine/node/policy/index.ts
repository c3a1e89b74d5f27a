import type { Pod } from '../../api/core_v1.js';
import type { Reader } from '../../machinery/client.js';
import type { Packet, Verdict } from './packet.js';
import { Policies } from './policies.js';

export { ALLOWED } from './packet.js';
export type { Decision, Direction, HttpMatch, Packet, Party, Protocol, Verdict } from './packet.js';
export { Policies } from './policies.js';

/** What was found out of a state's policies lives as long as the state. */
const policiesOf = new WeakMap<Reader, Policies>();

/** What the policies of a cluster make of the first packet of a connection. */
export function judgePacket(read: Reader, packet: Packet): Verdict {
  return knownPolicies(read).judge(packet);
}

/** Whether Cilium's agent denies what no policy allows a pod, by direction. */
export const ciliumEnforcement = (read: Reader, pod: Pod): { readonly ingress: boolean; readonly egress: boolean } =>
  knownPolicies(read).cilium.enforcement(pod);

function knownPolicies(read: Reader): Policies {
  let policies = policiesOf.get(read);
  if (!policies) policiesOf.set(read, (policies = new Policies(read)));
  return policies;
}
