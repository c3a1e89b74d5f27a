import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'CloudAPIError',
  about: 'The API of the cloud answers with errors.',
  symptoms: 'SyncLoadBalancerFailed, tried again after 5 s, 10 s and so on; EXTERNAL-IP <pending>',
  selects: 'cluster',
  lists: ['services'],
  effects: ({ target: { services } }) => [{ does: 'cloud', fault: 'error', ...(services ? { services } : {}) }],
});
