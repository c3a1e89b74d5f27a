import { expect, test } from '@jest/globals';
import { errorsOf } from '../../testing.js';
import { kind as CSINodes } from './kind.js';

test.each<[object, string[]]>([
  [{ drivers: [{ name: 'd', nodeID: '' }] }, ['spec.drivers[0].nodeID: Required value']],
  [
    {
      drivers: [
        { name: 'd', nodeID: 'n' },
        { name: 'd', nodeID: 'n', topologyKeys: ['k', 'k'] },
      ],
    },
    ['spec.drivers[1].name: Duplicate value: "d"', 'spec.drivers[1]: Duplicate value: "k"'],
  ],
  [{ drivers: [] }, []],
])('a CSINode of %j', (spec, errors) => expect(errorsOf(CSINodes, { spec })).toEqual(errors));
