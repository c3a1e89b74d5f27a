import type { Node } from '../../../api/core_v1.js';
import { renewLease } from '../../../kinds/coordination/lease/renewal.js';
import { addMissedHeartbeats } from '../../../kinds/core/node/heartbeat.js';
import { Leases, Nodes } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import type { Millis } from '../../../machinery/time/time.js';
import { NODE_LEASES } from '../../kubelet/nodestatus/registration.js';

/** A kubelet stops: the last that it has said stands in its lease and its node's conditions. */
export function freezeNode(client: Client, node: Node, now: Millis): void {
  const name = node.metadata.name ?? '';
  const lease = client.get(Leases, { namespace: NODE_LEASES, name });
  if (lease) client.update(Leases, renewLease(lease, now, client));
  client.updateStatus(Nodes, addMissedHeartbeats(node, now, client));
}
