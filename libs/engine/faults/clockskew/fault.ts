import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ClockSkew',
  about: 'The clocks of nodes are wrong.',
  symptoms: "renewTime of the node's Lease and its heartbeats are off; date in containers is",
  selects: 'nodes',
  parameters: {
    offset: { type: 'duration', isSigned: true, about: 'what is added to the time; negative: it is too early' },
  },
  effects: ({ nodes, values }) => [{ does: 'clock', nodes, offsetMs: values.ms('offset') }],
});
