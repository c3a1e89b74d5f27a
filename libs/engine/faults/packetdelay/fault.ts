import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'PacketDelay',
  about: 'Packets of pods are late.',
  symptoms: 'connections and answers take longer; time-outs of clients',
  selects: 'pods',
  hasPeer: true,
  parameters: {
    delay: { type: 'duration', default: '500ms', about: 'of each packet' },
    jitter: { type: 'duration', default: '0s', about: 'up to so much more' },
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
      delayMs: values.ms('delay'),
      jitterMs: values.ms('jitter'),
      seed,
    },
  ],
});
