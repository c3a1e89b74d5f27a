import { defineFault } from '../fault-type.js';

const ONE_CPU = 1_000;
const MAX_WORKERS = 64;

export const fault = defineFault({
  name: 'CPUStress',
  about: 'Something in the cgroups of containers computes.',
  symptoms:
    'kubectl top and the kubelet show the CPU that it uses, up to the limit; cpu.stat counts throttled periods; programs take longer',
  selects: 'pods',
  lists: ['containers'],
  parameters: {
    workers: { type: 'integer', min: 1, max: MAX_WORKERS, default: 1, about: 'of the stressor' },
    load: { type: 'percent', default: 100, about: 'of a CPU, for each worker' },
  },
  effects: ({ scope, target: { containers }, values }) => [
    {
      does: 'stress',
      pods: scope,
      ...(containers ? { containers } : {}),
      workers: values.number('workers'),
      cpu: (values.number('workers') * values.number('load') * ONE_CPU) / 100,
    },
  ],
});
