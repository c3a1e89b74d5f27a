import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'APIServerOverload',
  about: 'The API server has no seats: priority and fairness rejects requests.',
  symptoms:
    '429 with Retry-After: Error from server (TooManyRequests): the server has received too many requests and has asked us to try again later',
  selects: 'cluster',
  lists: ['verbs', 'resources', 'users'],
  parameters: {
    percent: { type: 'percent', default: 100, about: 'of the requests' },
  },
  effects: ({ target, values, seed }) => [
    {
      does: 'api',
      fault: 'overload',
      percent: values.number('percent'),
      ...(target.verbs ? { verbs: target.verbs } : {}),
      ...(target.resources ? { resources: target.resources } : {}),
      ...(target.users ? { users: target.users } : {}),
      seed,
    },
  ],
});
