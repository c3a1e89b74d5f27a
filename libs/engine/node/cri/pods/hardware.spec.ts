import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import type { Reader } from '../../../machinery/reader.js';
import { hardwareOf } from './hardware.js';

const readerOf = (capacity: object | undefined): Reader =>
  ({ get: () => capacity && { status: { capacity } } }) as unknown as Reader;

test.each([
  [undefined, 4, 8 * 1024 ** 3],
  [{ cpu: '16', memory: '65536Ki' }, 16, 64 * 1024 ** 2],
  [{ cpu: '1500m' }, 1.5, 8 * 1024 ** 3],
])('a node with %j', (capacity, cpus, memory) =>
  expect(hardwareOf(readerOf(capacity), { spec: { nodeName: 'n' } } as Pod)).toEqual({ cpus, memory }),
);
