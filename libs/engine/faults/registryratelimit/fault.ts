import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'RegistryRateLimit',
  about: 'Registries refuse pulls: too many.',
  symptoms:
    'ErrImagePull: 429 Too Many Requests - toomanyrequests: You have reached your unauthenticated pull rate limit',
  selects: 'cluster',
  lists: ['registries', 'images'],
  effects: ({ target: { registries, images } }) => [
    { does: 'registry', fault: 'rate-limited', ...(registries ? { registries } : {}), ...(images ? { images } : {}) },
  ],
});
