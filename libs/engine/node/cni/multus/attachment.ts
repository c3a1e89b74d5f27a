import type { Pod } from '../../../api/core_v1.js';
import { PodRuntimes } from '../../../kinds/index.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf } from '../../../machinery/meta/object.js';

export const NETWORKS = 'k8s.v1.cni.cncf.io/networks';
export const NETWORK_STATUS = 'k8s.v1.cni.cncf.io/network-status';

/** A route of an interface. */
export interface AttachedRoute {
  /** '0.0.0.0/0' */
  readonly destination: string;
  readonly gateway?: string;
}

/** A further interface of a pod, as a plug-in has made it; the pod's PodRuntime has the list. */
export interface Attachment {
  /** 'net1' */
  readonly name: string;
  /** 'default/macvlan-conf' */
  readonly network: string;
  readonly plugin: string;
  readonly node: string;
  /** Those of one segment are of one layer 2: 'eth0', 'worker-1 bridge cni0'. */
  readonly segment: string;
  /** Of macvlan. */
  readonly mode?: string;
  /** Who gives of the same addresses: 'worker-1 macvlan-conf'. */
  readonly pool?: string;
  /** '192.168.1.200/24' */
  readonly addresses: readonly string[];
  readonly mac: string;
  readonly mtu: number;
  /** An address of the node on its end. */
  readonly hostAddress?: string;
  /** The node masquerades what leaves by it. */
  readonly isMasqueraded?: boolean;
  readonly routes: readonly AttachedRoute[];
  /** The pod's default route, which the other interfaces have no more. */
  readonly defaultGateway?: string;
}

interface Attached {
  readonly uid?: string;
  readonly attachments?: readonly Attachment[];
}

const NONE: readonly Attachment[] = [];

/** Those of a pod. Only a pod that Multus has plugged in is looked up: it has written down what it did. */
export function attachmentsOf(read: Reader, pod: Pod): readonly Attachment[] {
  if (pod.metadata.annotations?.[NETWORK_STATUS] === undefined) return NONE;
  const stored = read.get(PodRuntimes, keyOf(pod)) as Attached | undefined;
  return stored?.uid === pod.metadata.uid ? (stored?.attachments ?? NONE) : NONE;
}

/** '192.168.1.200' of '192.168.1.200/24'. */
export const ipOf = (address: string): string => address.split('/', 1)[0] ?? '';
