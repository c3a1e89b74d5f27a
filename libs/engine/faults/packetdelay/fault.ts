import { defineFault } from '../fault-type.js';
import { DIRECTION, packetsOf } from '../packets.js';

export const fault = defineFault({
  name: 'PacketDelay',
  about: 'Packets of pods are late.',
  symptoms: 'connections and answers take longer; time-outs of clients',
  selects: 'pods',
  hasPeer: true,
  parameters: {
    delay: { type: 'duration', default: '500ms', about: 'of each packet' },
    jitter: { type: 'duration', default: '0s', about: 'up to so much more' },
    direction: DIRECTION,
  },
  effects: (given) => [{ ...packetsOf(given), delayMs: given.values.ms('delay'), jitterMs: given.values.ms('jitter') }],
});
