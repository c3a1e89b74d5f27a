import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'RegistryDown',
  about: 'Registries do not answer.',
  symptoms: 'ContainerCreating for 30 s, then ErrImagePull, ImagePullBackOff: dial tcp …:443: i/o timeout',
  selects: 'cluster',
  lists: ['registries', 'images'],
  effects: ({ target: { registries, images } }) => [
    { does: 'registry', fault: 'down', ...(registries ? { registries } : {}), ...(images ? { images } : {}) },
  ],
});
