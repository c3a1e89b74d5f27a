import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'PodKill',
  about: 'Pods are deleted once.',
  symptoms: 'Killing; their controllers make new ones',
  selects: 'pods',
  parameters: { gracePeriodSeconds: { type: 'integer', min: 0, max: 3_600, default: 0, about: 'of the deletion' } },
  effects: ({ pods, values }) => [
    { does: 'evict', act: 'delete', pods, gracePeriodSeconds: values.number('gracePeriodSeconds') },
  ],
});
