import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'PacketLoss',
  about: 'Packets of pods are lost.',
  symptoms: 'connections take 1, 3, 7 s longer, or time out; 100 percent is a partition',
  selects: 'pods',
  hasPeer: true,
  parameters: {
    percent: { type: 'percent', default: 100, about: 'of the packets' },
    direction: {
      type: 'choice',
      of: ['to', 'both'],
      default: 'both',
      about: 'whose connections: to the target, or of either end',
    },
  },
  effects: ({ scope, to, values, seed }) => [
    {
      does: 'network',
      from: { pods: scope },
      ...(to ? { to } : {}),
      direction: values.text<'to' | 'both'>('direction'),
      lossPercent: values.number('percent'),
      seed,
    },
  ],
});
