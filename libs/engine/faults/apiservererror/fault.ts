import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'APIServerError',
  about: 'The API server answers requests with an error.',
  symptoms: 'Error from server (InternalError): an error on the server ("…") has prevented the request from succeeding',
  selects: 'cluster',
  lists: ['verbs', 'resources', 'users'],
  parameters: {
    code: { type: 'integer', min: 500, max: 504, default: 500, about: 'of the answer' },
    percent: { type: 'percent', default: 100, about: 'of the requests' },
  },
  effects: ({ target, values, seed }) => [
    {
      does: 'api',
      fault: 'error',
      code: values.number('code'),
      percent: values.number('percent'),
      ...(target.verbs ? { verbs: target.verbs } : {}),
      ...(target.resources ? { resources: target.resources } : {}),
      ...(target.users ? { users: target.users } : {}),
      seed,
    },
  ],
});
