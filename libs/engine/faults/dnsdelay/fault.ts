import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'DNSDelay',
  about: 'Answers to questions for names are late.',
  symptoms: 'every new connection by name takes longer; past 5 s clients ask again, then fail',
  selects: 'pods',
  lists: ['names'],
  parameters: { delay: { type: 'duration', default: '3s', about: 'of each answer' } },
  effects: ({ scope, target: { names }, values, seed }) => [
    {
      does: 'names',
      pods: scope,
      ...(names ? { patterns: names } : {}),
      fault: 'slow',
      delayMs: values.ms('delay'),
      seed,
    },
  ],
});
