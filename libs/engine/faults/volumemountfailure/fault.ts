import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'VolumeMountFailure',
  about: 'Volumes cannot be mounted.',
  symptoms: 'FailedMount: MountVolume.SetUp failed; ContainerCreating',
  selects: 'pods',
  isOptional: true,
  lists: ['claims'],
  effects: ({ scope, target: { claims } }) => [
    { does: 'volume', fault: 'mount', pods: scope, ...(claims ? { claims } : {}) },
  ],
});
