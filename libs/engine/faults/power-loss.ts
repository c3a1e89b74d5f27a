import type { Effect } from './effect.js';

/** What ends with the power of nodes: kubelets, containers, and every packet. Containers are found dead at the boot. */
export const powerLoss = (nodes: readonly string[], seed: number): readonly Effect[] => [
  { does: 'node', nodes, state: 'off' },
  { does: 'process', pods: { where: { nodes } }, act: 'exit', code: 255, reason: 'Unknown' },
  { does: 'network', from: { nodes }, direction: 'both', lossPercent: 100, seed },
];
