import { defineFault } from '../fault-type.js';

export const fault = defineFault({
  name: 'VolumeSlow',
  about: 'Reading and writing files of volumes takes long.',
  symptoms: 'programs that use the volume take longer; probes that do time out',
  selects: 'pods',
  isOptional: true,
  lists: ['claims', 'containers'],
  parameters: {
    latency: { type: 'duration', default: '1s', about: 'of each call' },
    calls: { type: 'choice', of: ['all', 'read', 'write'], default: 'all', about: 'which of them' },
    percent: { type: 'percent', default: 100, about: 'of the calls' },
    path: { type: 'text', default: '', about: 'what is mounted there, whatever it is; absent: claims' },
    below: { type: 'text', default: '', about: 'only this file, or what is below this folder' },
  },
  effects: ({ scope, target: { claims, containers }, values }) => [
    {
      does: 'volume',
      fault: 'slow',
      pods: scope,
      ...(claims ? { claims } : {}),
      ...(containers ? { containers } : {}),
      ...(values.text('path') === '' ? {} : { mountPath: values.text('path') }),
      ...(values.text('below') === '' ? {} : { below: values.text('below') }),
      ...(values.text('calls') === 'all' ? {} : { calls: values.text<'read' | 'write'>('calls') }),
      latencyMs: values.ms('latency'),
      percent: values.number('percent'),
    },
  ],
});
