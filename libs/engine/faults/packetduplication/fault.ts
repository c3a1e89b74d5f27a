import { defineFault } from '../fault-type.js';
import { DIRECTION, packetsOf } from '../packets.js';

export const fault = defineFault({
  name: 'PacketDuplication',
  about: 'Packets of pods come twice.',
  symptoms: 'nothing that TCP shows: flows count more bytes',
  selects: 'pods',
  hasPeer: true,
  parameters: {
    percent: { type: 'percent', default: 50, about: 'of the packets' },
    direction: DIRECTION,
  },
  effects: (given) => [{ ...packetsOf(given), duplicatePercent: given.values.number('percent') }],
});
