import { defineFault } from '../fault-type.js';

const ONE_CPU = 1_000;
const MAX_WORKERS = 64;

export const fault = defineFault({
  name: 'MemoryLeak',
  about: 'A program loses memory until its limit is reached.',
  symptoms: 'kubectl top shows more and more; OOMKilled (137) again and again, each time after the same span',
  selects: 'pods',
  lists: ['containers'],
  parameters: {
    after: { type: 'duration', default: '2m', about: 'until the limit is reached' },
    workers: { type: 'integer', min: 0, max: MAX_WORKERS, default: 0, about: 'that compute meanwhile' },
    load: { type: 'percent', default: 100, about: 'of a CPU, for each worker' },
  },
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
    ...(values.number('workers') === 0
      ? []
      : [
          {
            does: 'stress' as const,
            pods: scope,
            ...(containers ? { containers } : {}),
            workers: values.number('workers'),
            cpu: (values.number('workers') * values.number('load') * ONE_CPU) / 100,
          },
        ]),
  ],
});
