import type { Node, Pod } from '../../../api/core_v1.js';
import type { NodeNetwork } from '../../../kinds/terrarium/noderuntime/kind.js';
import { parseTimestamp, SECOND, type Millis } from '../../../machinery/time/time.js';
import { warningEvent, type PodEvent } from '../events/event.js';
import type { GivenAddress } from '../../cni/give-address.js';
import { notReadyNetwork } from '../../cni/network-config.js';
import type { RuntimeFailure } from './runtime-class.js';
import { internalIPOf } from '../nodestatus/internal-ip.js';

/** As long as a kubelet's events of one pod are not held back, at one each second. */
const TOLD: Millis = 30 * SECOND;

export interface SandboxRequest {
  readonly pod: Pod;
  readonly node: Node;
  /** When the sandbox that is being made is there; undefined when none is being made. */
  readonly due: Millis | undefined;
  readonly now: Millis;
  /** How long a sandbox takes. */
  duration(): Millis;
  /** How the node plugs pods in, where that is not as usual. */
  readonly network?: NodeNetwork;
  /** Why the runtime of its RuntimeClass makes none. */
  readonly runtime?: RuntimeFailure | undefined;
  /** The address that the network plug-in gives; otherwise the ranges that are used up, as 'first-last'. */
  allocate(node: Node): GivenAddress;
  /** When the kubelet comes back to a pod that has no sandbox yet. */
  retry(failure: 'network' | 'other'): Millis;
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
  const { pod, node, network, now } = request;
  const isPluggedIn = !pod.spec.hostNetwork;
  if (isPluggedIn && network?.error !== undefined) {
    const message = `network is not ready: ${notReadyNetwork(network.error)}`;
    return {
      due: now + request.retry(isNew(pod, now) ? 'network' : 'other'),
      events: [warningEvent('NetworkNotReady', message)],
    };
  }
  const { before, after } = request.runtime ?? {};
  const fail = (message: string): SandboxDecision => ({
    due: now + request.retry('other'),
    events: [warningEvent('FailedCreatePodSandBox', `Failed to create pod sandbox: ${message}`)],
  });
  if (before) return fail(before(request.newID()));
  const due = request.due ?? now + request.duration();
  if (now < due) return { due };
  if (after) return fail(after(request.newID()));
  if (!isPluggedIn) return { podIP: internalIPOf(node) };
  const given: GivenAddress = network?.failure === undefined ? request.allocate(node) : { failure: network.failure };
  if ('ip' in given) return { podIP: given.ip };
  const failure =
    'failure' in given
      ? given.failure
      : `plugin type="${network?.plugin ?? 'ptp'}" failed (add): failed to allocate for range 0: ` +
        `no IP addresses available in range set: ${given.usedUp}`;
  return fail(`rpc error: code = Unknown desc = failed to setup network for sandbox "${request.newID()}": ${failure}`);
}

const isNew = ({ status }: Pod, now: Millis): boolean =>
  status.startTime === undefined || now - parseTimestamp(status.startTime) < TOLD;
