import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'LoadBalancerPending',
  about: 'Load balancers are never ready.',
  symptoms: 'EnsuringLoadBalancer, EXTERNAL-IP <pending> for as long',
  selects: 'cluster',
  lists: ['services'],
  effects: ({ target: { services } }) => [{ does: 'cloud', fault: 'pending', ...(services ? { services } : {}) }],
});
