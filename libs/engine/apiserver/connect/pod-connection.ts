import type { Pod } from '../../api/core_v1.js';
import { Nodes } from '../../kinds/index.js';
import { badRequest, notFound } from '../../machinery/meta/status.js';
import type { PodReference } from '../../machinery/sessions.js';
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
