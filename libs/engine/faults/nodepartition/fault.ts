import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'NodePartition',
  about: 'Nodes, and the pods on them, do not reach other nodes; all of them, or those of target.to.',
  symptoms: 'connections between pods of different nodes time out; nodes stay Ready',
  selects: 'nodes',
  hasPeer: true,
  effects: ({ nodes, to, seed }) => [
    {
      does: 'network',
      from: { nodes },
      ...(to ? { to } : {}),
      direction: 'both',
      lossPercent: 100,
      isBetweenNodes: true,
      seed,
    },
  ],
});
