import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'PacketDuplication',
  about: 'Packets of pods come twice.',
  symptoms: 'nothing that TCP shows: flows count more bytes',
  selects: 'pods',
  hasPeer: true,
  parameters: {
    percent: { type: 'percent', default: 50, about: 'of the packets' },
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
      duplicatePercent: values.number('percent'),
      seed,
    },
  ],
});
