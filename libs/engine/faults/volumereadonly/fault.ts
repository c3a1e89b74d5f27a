import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'VolumeReadOnly',
  about: 'Volumes are read-only, as a file system is after errors.',
  symptoms: 'Read-only file system',
  selects: 'pods',
  isOptional: true,
  lists: ['claims'],
  effects: ({ scope, target: { claims } }) => [
    { does: 'volume', fault: 'read-only', pods: scope, ...(claims ? { claims } : {}) },
  ],
});
