import { defineFault } from '../fault-type.js';
import { CALLS, callsOf } from '../volume-calls.js';

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
    ...CALLS,
  },
  effects: (given) => [
    {
      does: 'volume',
      fault: 'mistake',
      ...callsOf(given),
      mistake: {
        filling: given.values.text<'zero' | 'random'>('filling'),
        occurrences: given.values.number('occurrences'),
        length: given.values.number('length'),
      },
      percent: given.values.number('percent'),
    },
  ],
});
