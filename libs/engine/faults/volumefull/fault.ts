import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'VolumeFull',
  about: 'Volumes are full.',
  symptoms: 'No space left on device; df: 100%',
  selects: 'pods',
  isOptional: true,
  lists: ['claims'],
  effects: ({ scope, target: { claims } }) => [
    { does: 'volume', fault: 'full', pods: scope, ...(claims ? { claims } : {}) },
  ],
});
