import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'MemoryLeak',
  about: 'A program loses memory until its limit is reached.',
  symptoms: 'kubectl top shows more and more; OOMKilled (137) again and again, each time after the same span',
  selects: 'pods',
  lists: ['containers'],
  parameters: { after: { type: 'duration', default: '2m', about: 'until the limit is reached' } },
  effects: ({ scope, target: { containers }, values }) => [
    {
      does: 'process',
      pods: scope,
      ...(containers ? { containers } : {}),
      act: 'leak',
      code: 137,
      reason: 'OOMKilled',
      afterMs: values.ms('after'),
      repeats: true,
    },
  ],
});
