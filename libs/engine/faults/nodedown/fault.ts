import { defineFault } from '../fault-type.js';
import { powerLoss } from '../power-loss.js';

export const fault = defineFault({
  name: 'NodeDown',
  about: 'The power of a node is gone, and comes back when the fault ends.',
  symptoms:
    'NotReady after 50 s (NodeStatusUnknown), taints, evictions after 300 s; nothing on it answers; then Rebooted, containers restarted',
  selects: 'nodes',
  effects: ({ nodes, seed }) => powerLoss(nodes, seed),
});
