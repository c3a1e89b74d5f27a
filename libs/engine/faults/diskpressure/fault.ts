import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'DiskPressure',
  about: 'Something beside the pods fills the disk of a node.',
  symptoms: 'DiskPressure, images deleted, Evicted: The node was low on resource: ephemeral-storage',
  selects: 'nodes',
  parameters: { percent: { type: 'percent', default: 97, about: 'of the capacity that is in use' } },
  effects: ({ nodes, values }) => [{ does: 'pressure', nodes, resource: 'disk', percent: values.number('percent') }],
});
