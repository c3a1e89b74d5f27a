import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ContainerOOM',
  about: 'The kernel kills main processes: out of memory.',
  symptoms: 'OOMKilled (137), CrashLoopBackOff',
  selects: 'pods',
  lists: ['containers'],
  parameters: {
    after: { type: 'duration', default: '5s', about: 'how long a new run lasts' },
    repeats: { type: 'boolean', default: true, about: 'false: only the run that is under way ends' },
  },
  effects: ({ scope, target: { containers }, values }) => [
    {
      does: 'process',
      pods: scope,
      ...(containers ? { containers } : {}),
      act: 'exit',
      code: 137,
      reason: 'OOMKilled',
      afterMs: values.ms('after'),
      repeats: values.is('repeats'),
    },
  ],
});
