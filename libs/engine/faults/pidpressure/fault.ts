import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'PIDPressure',
  about: 'Something beside the pods uses the process IDs of a node.',
  symptoms: 'PIDPressure, Evicted: The node was low on resource: pids',
  selects: 'nodes',
  parameters: { percent: { type: 'percent', default: 99, about: 'of the capacity that is in use' } },
  effects: ({ nodes, values }) => [{ does: 'pressure', nodes, resource: 'pids', percent: values.number('percent') }],
});
