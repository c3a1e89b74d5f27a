import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'VolumeProvisioningFailure',
  about: 'Volumes are not made for claims.',
  symptoms: 'the claim stays Pending, ProvisioningFailed of the provisioner, again and again',
  selects: 'cluster',
  lists: ['claims', 'storageClasses'],
  effects: ({ target: { claims, storageClasses } }) => [
    {
      does: 'volume',
      fault: 'provisioning',
      ...(claims ? { claims } : {}),
      ...(storageClasses ? { storageClasses } : {}),
    },
  ],
});
