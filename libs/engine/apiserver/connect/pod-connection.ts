import type { Pod } from '../../api/core_v1.js';
import { Nodes } from '../../kinds/index.js';
import { kubeletAddress, kubeletDialError } from '../../kinds/terrarium/noderuntime/kubelet-dial.js';
import { badRequest, notFound } from '../../machinery/meta/status.js';
import type { PodReference } from '../../machinery/requests/sessions.js';
import type { Call } from '../call.js';
import { getStored } from '../verbs/get.js';

/** The pod of a connection, which a node runs. Throws 400, 404. Models pkg/registry/core/pod streamLocation. */
export function connectedPod(call: Call): Pod {
  const pod = getStored(call) as Pod;
  const { nodeName } = pod.spec;
  if (!nodeName) throw badRequest(`pod ${call.name} does not have a host assigned`);
  if (!call.server.state.get(Nodes, { namespace: '', name: nodeName })) throw notFound(Nodes, nodeName);
  return pod;
}

/** A request to the kubelet of a pod's node that does not get there. */
export interface FailedDial {
  /** 'https://172.18.0.3:10250/exec/default/web/app?command=ls&output=1'. */
  readonly url: string;
  /** 'dial tcp 172.18.0.3:10250: i/o timeout'. */
  readonly error: string;
}

/** How a request for a path below a kubelet's root fails; undefined: its node answers. */
export function findFailedDial(call: Call, pod: Pod, path: string, query: QueryValues = []): FailedDial | undefined {
  const { state } = call.server;
  const node = state.get(Nodes, { namespace: '', name: pod.spec.nodeName ?? '' });
  const error = node && kubeletDialError(state, node);
  if (!node || error === undefined) return undefined;
  const { namespace = '', name = '' } = pod.metadata;
  // As url.Values encodes them: by name.
  const pairs = [...query].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const text = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%20', '+')}`).join('&');
  const [verb = '', container] = path.split('/');
  const below = [verb, namespace, name, ...(container === undefined ? [] : [container])].join('/');
  return { url: `https://${kubeletAddress(node)}/${below}${text && `?${text}`}`, error };
}

type QueryValues = readonly (readonly [string, string])[];

/** Throws 400 for a request that is no upgrade. */
export function requireUpgrade({ request }: Call): void {
  const { connection = '', upgrade } = request.headers;
  if (!upgrade || !/\bupgrade\b/i.test(connection)) throw badRequest('Upgrade request required');
}

export const referenceOf = ({ metadata: { namespace = '', name = '', uid = '' } }: Pod): PodReference => ({
  namespace,
  pod: name,
  uid,
});
