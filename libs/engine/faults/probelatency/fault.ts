import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'ProbeLatency',
  about: 'Answers to probes come late.',
  symptoms:
    'Unhealthy: context deadline exceeded (Client.Timeout exceeded while awaiting headers) where it is longer than timeoutSeconds',
  selects: 'pods',
  lists: ['containers'],
  parameters: { latency: { type: 'duration', default: '5s', about: 'of each answer' } },
  effects: ({ scope, target: { containers }, values }) => [
    { does: 'probe', pods: scope, ...(containers ? { containers } : {}), latencyMs: values.ms('latency') },
  ],
});
