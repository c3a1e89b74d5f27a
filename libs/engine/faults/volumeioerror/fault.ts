import { defineFault } from '../fault-type.js';

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
    calls: { type: 'choice', of: ['all', 'read', 'write'], default: 'all', about: 'which of them' },
    percent: { type: 'percent', default: 100, about: 'of the calls' },
    path: { type: 'text', default: '', about: 'what is mounted there, whatever it is; absent: claims' },
    below: { type: 'text', default: '', about: 'only this file, or what is below this folder' },
  },
  effects: ({ scope, target: { claims, containers }, values }) => [
    {
      does: 'volume',
      fault: 'io-error',
      pods: scope,
      ...(claims ? { claims } : {}),
      ...(containers ? { containers } : {}),
      ...(values.text('path') === '' ? {} : { mountPath: values.text('path') }),
      ...(values.text('below') === '' ? {} : { below: values.text('below') }),
      ...(values.text('calls') === 'all' ? {} : { calls: values.text<'read' | 'write'>('calls') }),
      error: values.text('error'),
      percent: values.number('percent'),
    },
  ],
});
