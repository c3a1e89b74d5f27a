import { defineFault } from '../fault-type.js';
import { CALLS, callsOf } from '../volume-calls.js';

export const fault = defineFault({
  name: 'VolumeSlow',
  about: 'Reading and writing files of volumes takes long.',
  symptoms: 'programs that use the volume take longer; probes that do time out',
  selects: 'pods',
  isOptional: true,
  lists: ['claims', 'containers'],
  parameters: {
    latency: { type: 'duration', default: '1s', about: 'of each call' },
    ...CALLS,
  },
  effects: (given) => [
    {
      does: 'volume',
      fault: 'slow',
      ...callsOf(given),
      latencyMs: given.values.ms('latency'),
      percent: given.values.number('percent'),
    },
  ],
});
