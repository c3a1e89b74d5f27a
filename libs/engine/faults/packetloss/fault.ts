import { defineFault } from '../fault-type.js';
import { DIRECTION, packetsOf } from '../packets.js';

export const fault = defineFault({
  name: 'PacketLoss',
  about: 'Packets of pods are lost.',
  symptoms: 'connections take 1, 3, 7 s longer, or time out; 100 percent is a partition',
  selects: 'pods',
  hasPeer: true,
  parameters: {
    percent: { type: 'percent', default: 100, about: 'of the packets' },
    direction: DIRECTION,
  },
  effects: (given) => [{ ...packetsOf(given), lossPercent: given.values.number('percent') }],
});
