import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ContainerRuntimeDown',
  about: 'containerd of a node does not run.',
  symptoms: 'NotReady after 30 s: container runtime is down; no pod starts there, and exec and logs fail',
  selects: 'nodes',
  effects: ({ nodes }) => [{ does: 'node', nodes, state: 'runtime-stopped' }],
});
