import type { Node, Pod } from '../../../api/core_v1.js';
import { SECOND, type Millis } from '../../../machinery/time/time.js';
import { warningEvent, type PodEvent } from '../events/event.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';

const RETRY = 15 * SECOND;

export interface SandboxRequest {
  readonly pod: Pod;
  readonly node: Node;
  /** When the sandbox that is being made is there; undefined when none is being made. */
  readonly due: Millis | undefined;
  readonly now: Millis;
  /** How long a sandbox takes. */
  duration(): Millis;
  /** The address that the network plug-in gives; undefined when the node's range is used up. */
  allocate(node: Node): string | undefined;
  /** 64 hexadecimal digits. */
  newID(): string;
}

export interface SandboxDecision {
  /** Set once the sandbox is there. */
  readonly podIP?: string;
  /** When to look again, otherwise. */
  readonly due?: Millis;
  readonly events?: readonly PodEvent[];
}

/** Makes the pod's sandbox, which gives the pod its address. Models kuberuntime_sandbox.go createPodSandbox. */
export function createPodSandbox(request: SandboxRequest): SandboxDecision {
  const { pod, node, now } = request;
  const due = request.due ?? now + request.duration();
  if (now < due) return { due };
  const podIP = pod.spec.hostNetwork ? internalIPOf(node) : request.allocate(node);
  if (podIP !== undefined) return { podIP };
  const message =
    `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "${request.newID()}": ` +
    `plugin type="ptp" failed (add): failed to allocate for range 0: no IP addresses available in range set: ${node.spec.podCIDR ?? '<none>'}`;
  return { due: now + RETRY, events: [warningEvent('FailedCreatePodSandBox', message)] };
}
