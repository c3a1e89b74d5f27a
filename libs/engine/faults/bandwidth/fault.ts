import { defineFault } from '../fault-type.js';
import { DIRECTION, packetsOf } from '../packets.js';

export const fault = defineFault({
  name: 'Bandwidth',
  about: 'Pods have little bandwidth.',
  symptoms: 'answers take as long as their bytes need',
  selects: 'pods',
  hasPeer: true,
  parameters: {
    bytesPerSecond: { type: 'integer', min: 1, max: 1_000_000_000, default: 10_000, about: 'of each direction' },
    direction: DIRECTION,
  },
  effects: (given) => [{ ...packetsOf(given), bytesPerSecond: given.values.number('bytesPerSecond') }],
});
