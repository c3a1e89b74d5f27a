import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ControlPlanePartition',
  about: 'A node does not reach the control plane; what runs on it does go on.',
  symptoms: 'NotReady after 50 s (NodeStatusUnknown), unreachable taints; logs and exec time out',
  selects: 'nodes',
  effects: ({ nodes, seed }) => [
    { does: 'node', nodes, state: 'cut', message: 'dial tcp: i/o timeout' },
    { does: 'network', from: { nodes }, to: { controlPlane: true }, direction: 'both', lossPercent: 100, seed },
  ],
});
