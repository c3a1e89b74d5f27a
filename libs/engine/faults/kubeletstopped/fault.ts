import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'KubeletStopped',
  about: 'The kubelet of a node does not run; its containers do.',
  symptoms: 'NotReady after 50 s: Kubelet stopped posting node status; pods run on, and are replaced after 300 s',
  selects: 'nodes',
  effects: ({ nodes }) => [{ does: 'node', nodes, state: 'kubelet-stopped' }],
});
