import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'Bandwidth',
  about: 'Pods have little bandwidth.',
  symptoms: 'answers take as long as their bytes need',
  selects: 'pods',
  hasPeer: true,
  parameters: {
    bytesPerSecond: { type: 'integer', min: 1, max: 1_000_000_000, default: 10_000, about: 'of each direction' },
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
      bytesPerSecond: values.number('bytesPerSecond'),
      seed,
    },
  ],
});
