import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'CNIDown',
  about: 'The network plug-in of a node is not there.',
  symptoms: 'NotReady: container runtime network not ready … cni plugin not initialized; NetworkNotReady',
  selects: 'nodes',
  effects: ({ nodes }) => [{ does: 'cni', nodes, fault: 'not-initialized' }],
});
