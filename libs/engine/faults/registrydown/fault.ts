import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'RegistryDown',
  about: 'Registries do not answer.',
  symptoms: 'ErrImagePull, ImagePullBackOff: dial tcp: i/o timeout',
  selects: 'cluster',
  lists: ['registries', 'images'],
  effects: ({ target: { registries, images } }) => [
    { does: 'registry', fault: 'down', ...(registries ? { registries } : {}), ...(images ? { images } : {}) },
  ],
});
