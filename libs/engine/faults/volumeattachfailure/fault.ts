import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'VolumeAttachFailure',
  about: 'Volumes cannot be attached to nodes.',
  symptoms: 'FailedAttachVolume (attachdetach-controller); ContainerCreating',
  selects: 'pods',
  isOptional: true,
  lists: ['claims'],
  effects: ({ scope, target: { claims } }) => [
    { does: 'volume', fault: 'attach', pods: scope, ...(claims ? { claims } : {}) },
  ],
});
