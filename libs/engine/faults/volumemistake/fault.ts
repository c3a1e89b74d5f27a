import { defineFault } from '../fault-type.js';

const MOST_TIMES = 100;
const MOST_BYTES = 1024 * 1024;

export const fault = defineFault({
  name: 'VolumeMistake',
  about: 'What is read from and written to files of volumes has wrong bytes in it.',
  symptoms: 'no error: checksums differ, databases and archives are corrupt; what was written wrong stays so',
  selects: 'pods',
  isOptional: true,
  lists: ['claims', 'containers'],
  parameters: {
    filling: { type: 'choice', of: ['zero', 'random'], default: 'random', about: 'what the wrong bytes are' },
    occurrences: { type: 'integer', min: 1, max: MOST_TIMES, default: 1, about: 'at most, in one call' },
    length: { type: 'integer', min: 1, max: MOST_BYTES, default: 1, about: 'bytes of one, at most' },
    calls: { type: 'choice', of: ['all', 'read', 'write'], default: 'all', about: 'which of them' },
    percent: { type: 'percent', default: 100, about: 'of the calls' },
    path: { type: 'text', default: '', about: 'what is mounted there, whatever it is; absent: claims' },
    below: { type: 'text', default: '', about: 'only this file, or what is below this folder' },
  },
  effects: ({ scope, target: { claims, containers }, values }) => [
    {
      does: 'volume',
      fault: 'mistake',
      pods: scope,
      ...(claims ? { claims } : {}),
      ...(containers ? { containers } : {}),
      ...(values.text('path') === '' ? {} : { mountPath: values.text('path') }),
      ...(values.text('below') === '' ? {} : { below: values.text('below') }),
      ...(values.text('calls') === 'all' ? {} : { calls: values.text<'read' | 'write'>('calls') }),
      mistake: {
        filling: values.text<'zero' | 'random'>('filling'),
        occurrences: values.number('occurrences'),
        length: values.number('length'),
      },
      percent: values.number('percent'),
    },
  ],
});
