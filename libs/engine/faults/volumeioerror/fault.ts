import { defineFault } from '../fault-type.js';
import { CALLS, callsOf } from '../volume-calls.js';

/** Those that a file system gives. */
const ERRORS = [
  'EIO',
  'EACCES',
  'EBUSY',
  'EDQUOT',
  'EEXIST',
  'EISDIR',
  'ENOENT',
  'ENOMEM',
  'ENOSPC',
  'ENOTDIR',
  'EPERM',
  'EROFS',
];

export const fault = defineFault({
  name: 'VolumeIOError',
  about: 'Reading and writing files of volumes fails.',
  symptoms: 'Input/output error, or another that is chosen, in the words of the programs',
  selects: 'pods',
  isOptional: true,
  lists: ['claims', 'containers'],
  parameters: {
    error: { type: 'choice', of: ERRORS, default: 'EIO', about: 'what calls fail with' },
    ...CALLS,
  },
  effects: (given) => [
    {
      does: 'volume',
      fault: 'io-error',
      ...callsOf(given),
      error: given.values.text('error'),
      percent: given.values.number('percent'),
    },
  ],
});
