import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import { Nodes } from '../../../kinds/index.js';
import type { NodeNetwork, NodeRuntime, NodeService } from '../../../kinds/terrarium/noderuntime/kind.js';
import type { Reader } from '../../../machinery/client.js';
import { microTimestamp, type Millis } from '../../../machinery/time/time.js';
import type { NodeEffect } from '../../../faults/effect.js';
import { textOfRange } from '../../cni/addresses.js';
import type { HostView } from '../evaluate.js';

/** What active faults do to a node. */
export interface NodeFaults {
  readonly state?: NodeEffect['state'];
  readonly message?: string;
  readonly network?: 'not-initialized' | 'exhausted';
  /** The addresses of its pods: '10.244.1.1-10.244.1.254'. */
  readonly range?: string;
  /** By component of the control plane: its last words. */
  readonly components: Readonly<Record<string, string>>;
}

/** The worst first. */
const STATES = ['off', 'kubelet-stopped', 'runtime-stopped', 'cut'] as const;

/** Undefined: none concerns this node. */
export function faultsOfNode(read: Reader, name: string, isControlPlane: boolean): NodeFaults | undefined {
  const own = activeEffects(read, 'node').filter(({ nodes }) => nodes.includes(name));
  const network = activeEffects(read, 'cni').find(({ nodes }) => nodes.includes(name))?.fault;
  const components = isControlPlane
    ? Object.fromEntries(activeEffects(read, 'component').map(({ component, reason }) => [component, reason]))
    : {};
  const state = STATES.find((one) => own.some((effect) => effect.state === one));
  if (state === undefined && network === undefined && Object.keys(components).length === 0) return undefined;
  const message = own.find((effect) => effect.state === state)?.message;
  return {
    components,
    ...(state === undefined ? {} : { state }),
    ...(message === undefined ? {} : { message }),
    ...(network === undefined ? {} : { network, range: textOfRange(podCIDRof(read, name)) }),
  };
}

const podCIDRof = (read: Reader, name: string): string | undefined =>
  read.get(Nodes, { namespace: '', name })?.spec.podCIDR;

/** A node as it is without what faults have made of it: what its disk is to be judged by. */
export function withoutFaults(before: NodeRuntime | undefined): NodeRuntime | undefined {
  if (!before?.fault) return before;
  const { fault: _fault, shutdown: _shutdown, kubelet, containerd, ...rest } = before;
  const up = (service: NodeService): NodeService => {
    const { message: _message, ...kept } = service;
    return { ...kept, state: 'running' };
  };
  return { ...rest, kubelet: up(kubelet), containerd: up(containerd) };
}

/** What faults make of what the disk makes of a node. */
export function withFaults(
  view: HostView,
  faults: NodeFaults | undefined,
  before: NodeRuntime | undefined,
  now: Millis,
): HostView & Pick<NodeRuntime, 'fault'> {
  if (!faults) return view;
  const { state, message, network, components } = faults;
  const change = (service: NodeService, next: NodeService['state'], known: NodeService | undefined): NodeService => {
    if (service.state === 'stopped') return service;
    if (known?.state === next) return known;
    return { ...service, state: next, since: microTimestamp(now), ...(message === undefined ? {} : { message }) };
  };
  const kubelet =
    state === 'off' || state === 'kubelet-stopped'
      ? change(view.kubelet, 'stopped', before?.kubelet)
      : state === 'cut'
        ? change(view.kubelet, 'cut', before?.kubelet)
        : view.kubelet;
  const containerd =
    state === 'off' || state === 'runtime-stopped'
      ? change(view.containerd, 'stopped', before?.containerd)
      : view.containerd;
  const broken = { ...view.broken, ...components };
  return {
    ...view,
    kubelet,
    containerd,
    ...(state === undefined ? {} : { fault: state }),
    ...(state === 'off' ? { shutdown: { since: before?.shutdown?.since ?? microTimestamp(now), isOff: true } } : {}),
    ...(network === undefined ? {} : { network: networkOf(network, view.network, faults.range) }),
    ...(Object.keys(broken).length > 0 ? { broken } : {}),
  };
}

const networkOf = (
  fault: NonNullable<NodeFaults['network']>,
  known: NodeNetwork | undefined,
  range = '',
): NodeNetwork =>
  fault === 'not-initialized'
    ? { error: 'cni plugin not initialized' }
    : { plugin: 'ptp', ...known, failure: `${EXHAUSTED}: ${range}` };

const EXHAUSTED =
  'plugin type="ptp" failed (add): failed to allocate for range 0: no IP addresses available in range set';
