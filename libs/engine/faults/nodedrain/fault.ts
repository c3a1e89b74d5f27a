import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'NodeDrain',
  about: 'Nodes are cordoned, and their pods evicted once; they are uncordoned at the end.',
  symptoms: 'SchedulingDisabled; pods are made anew elsewhere, as their budgets let them',
  selects: 'nodes',
  effects: ({ nodes }) => [{ does: 'evict', act: 'drain', nodes }],
});
