import type { AttributeTrouble } from '../../kernel/trouble.js';
import { defineFault } from '../fault-type.js';
import type { Parameter, Values } from '../values.js';
import { FILES, filesOf } from '../volume-calls.js';

const MAX = 2 ** 31 - 1;
const AS_IT_IS = -1;
const number = (about: string, max = MAX): Parameter => ({
  type: 'integer',
  min: AS_IT_IS,
  max,
  default: AS_IT_IS,
  about,
});

const MODE_BITS = 0o7777;
const TYPES = ['file', 'directory', 'link', 'fifo', 'char', 'block', 'socket'];
const SECOND = 1_000;

export const fault = defineFault({
  name: 'VolumeAttributes',
  about: 'Files of volumes seem to have other owners, modes, sizes or types.',
  symptoms: 'ls -l and stat show what is wrong; what may be done with the files stays as it was',
  selects: 'pods',
  isOptional: true,
  lists: ['claims', 'containers'],
  parameters: {
    mode: number('permissions, as a decimal number; -1: as they are', MODE_BITS),
    user: number('id of the owner'),
    group: number('id of the group'),
    size: number('bytes'),
    blocks: number('of 512 bytes'),
    inode: number('its number'),
    links: number('how many'),
    type: { type: 'choice', of: ['', ...TYPES], default: '', about: 'what it is; absent: as it is' },
    accessed: number('seconds since 1970'),
    modified: number('seconds since 1970'),
    changed: number('seconds since 1970'),
    ...FILES,
  },
  effects: (given) => [
    {
      does: 'volume',
      fault: 'attributes',
      ...filesOf(given),
      attributes: attributesOf(given.values),
      percent: given.values.number('percent'),
    },
  ],
});

const NUMBERS = ['mode', 'user', 'group', 'size', 'blocks', 'inode', 'links'] as const;
const TIMES = ['accessed', 'modified', 'changed'] as const;

function attributesOf(values: Values): AttributeTrouble {
  const given = (names: readonly string[], unit: number): [string, number][] =>
    names.filter((name) => values.number(name) !== AS_IT_IS).map((name) => [name, values.number(name) * unit]);
  const type = values.text<NonNullable<AttributeTrouble['type']>>('type');
  return {
    ...Object.fromEntries([...given(NUMBERS, 1), ...given(TIMES, SECOND)]),
    ...((type as string) === '' ? {} : { type }),
  };
}
