import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'SlowStart',
  about: 'Programs take long until they listen.',
  symptoms: 'Unhealthy: connection refused by startup and readiness probes; rollouts take long',
  selects: 'pods',
  lists: ['containers'],
  parameters: { delay: { type: 'duration', default: '30s', about: 'what is added to the start' } },
  effects: ({ scope, target: { containers }, values }) => [
    { does: 'process', pods: scope, ...(containers ? { containers } : {}), act: 'slow', afterMs: values.ms('delay') },
  ],
});
