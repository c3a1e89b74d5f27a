import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'CNIAddressesExhausted',
  about: 'The plug-in of a node has no addresses left.',
  symptoms: 'FailedCreatePodSandBox: no IP addresses available in range set',
  selects: 'nodes',
  effects: ({ nodes }) => [{ does: 'cni', nodes, fault: 'exhausted' }],
});
