import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'MemoryPressure',
  about: 'Something beside the pods uses the memory of a node.',
  symptoms: 'MemoryPressure, EvictionThresholdMet, Evicted: The node was low on resource: memory',
  selects: 'nodes',
  parameters: { percent: { type: 'percent', default: 99.9, about: 'of the capacity that is in use' } },
  effects: ({ nodes, values }) => [{ does: 'pressure', nodes, resource: 'memory', percent: values.number('percent') }],
});
