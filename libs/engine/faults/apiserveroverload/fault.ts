import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'APIServerOverload',
  about: 'The API server has no seats: priority and fairness rejects requests.',
  symptoms: 'Error from server (TooManyRequests): Too many requests, please try again later.',
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
