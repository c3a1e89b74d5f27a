import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ContainerCrash',
  about: 'Main processes end, and end again when they are started anew.',
  symptoms: 'Error, CrashLoopBackOff, Back-off restarting failed container',
  selects: 'pods',
  lists: ['containers'],
  parameters: {
    exitCode: { type: 'integer', min: 0, max: 255, default: 1, about: 'of the process' },
    after: { type: 'duration', default: '1s', about: 'how long a new run lasts' },
    repeats: { type: 'boolean', default: true, about: 'false: only the run that is under way ends' },
  },
  effects: ({ scope, target: { containers }, values }) => [
    {
      does: 'process',
      pods: scope,
      ...(containers ? { containers } : {}),
      act: 'exit',
      code: values.number('exitCode'),
      afterMs: values.ms('after'),
      repeats: values.is('repeats'),
    },
  ],
});
