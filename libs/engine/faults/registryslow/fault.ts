import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'RegistrySlow',
  about: 'Registries are slow.',
  symptoms: 'Pulling for long; ContainerCreating',
  selects: 'cluster',
  lists: ['registries', 'images'],
  parameters: {
    factor: { type: 'integer', min: 2, max: 10_000, default: 20, about: 'how many times as long a pull takes' },
  },
  effects: ({ target: { registries, images }, values }) => [
    {
      does: 'registry',
      fault: 'slow',
      ...(registries ? { registries } : {}),
      ...(images ? { images } : {}),
      factor: values.number('factor'),
    },
  ],
});
