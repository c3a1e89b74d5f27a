import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'APIServerLatency',
  about: 'The API server is slow.',
  symptoms: 'requests take longer; past 60 s: Timeout: request did not complete within the allotted timeout',
  selects: 'cluster',
  lists: ['verbs', 'resources', 'users'],
  parameters: {
    latency: { type: 'duration', default: '3s', about: 'of each request' },
    percent: { type: 'percent', default: 100, about: 'of the requests' },
  },
  effects: ({ target, values, seed }) => [
    {
      does: 'api',
      fault: 'latency',
      latencyMs: values.ms('latency'),
      percent: values.number('percent'),
      ...(target.verbs ? { verbs: target.verbs } : {}),
      ...(target.resources ? { resources: target.resources } : {}),
      ...(target.users ? { users: target.users } : {}),
      seed,
    },
  ],
});
