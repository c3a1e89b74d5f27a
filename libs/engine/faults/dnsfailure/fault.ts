import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'DNSFailure',
  about: 'Questions for names fail.',
  symptoms: 'could not resolve host; SERVFAIL, NXDOMAIN, or connection timed out; no servers could be reached',
  selects: 'pods',
  lists: ['names'],
  parameters: {
    error: {
      type: 'choice',
      of: ['servfail', 'nxdomain', 'lost', 'random'],
      default: 'servfail',
      about: 'what comes back; random: some other address',
    },
  },
  effects: ({ scope, target: { names }, values, seed }) => [
    {
      does: 'names',
      pods: scope,
      ...(names ? { patterns: names } : {}),
      fault: values.text<'servfail' | 'nxdomain' | 'lost' | 'random'>('error'),
      seed,
    },
  ],
});
