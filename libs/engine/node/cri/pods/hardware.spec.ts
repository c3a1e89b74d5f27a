import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { parseTimestamp, SECOND } from '../../../machinery/time/time.js';
import type { Reader } from '../../../machinery/reader.js';
import { hardwareOf } from './hardware.js';

const BEGIN = '2026-01-01T00:00:00Z';
const pod = { spec: { nodeName: 'n' } } as Pod;

const readerOf = (capacity: object | undefined, faults: readonly object[] = []): Reader =>
  ({
    get: () => capacity && { status: { capacity } },
    byIndex: (_kind: unknown, index: string) => (index === 'effect' ? faults : []),
  }) as unknown as Reader;

test.each([
  [undefined, 4, 8 * 1024 ** 3],
  [{ cpu: '16', memory: '65536Ki' }, 16, 64 * 1024 ** 2],
  [{ cpu: '1500m' }, 1.5, 8 * 1024 ** 3],
])('a node with %j', (capacity, cpus, memory) => expect(hardwareOf(readerOf(capacity), pod)).toEqual({ cpus, memory }));

test.each<[string, 'memory' | 'disk', number, number]>([
  ['n', 'disk', 5, 0.97],
  ['n', 'disk', 15, 0],
  ['n', 'memory', 5, 0],
  ['other', 'disk', 5, 0],
])('a fault that presses the disk of n for 10 s: on %s, %s after %i s', (nodeName, resource, seconds, share) => {
  const status = {
    ...{ startTime: BEGIN, endsAt: '2026-01-01T00:00:10Z' },
    effects: [{ does: 'pressure', nodes: ['n'], resource: 'disk', percent: 97 }],
  };
  const read = readerOf({}, [{ metadata: {}, status }]);
  const { taken } = hardwareOf(read, { spec: { nodeName } } as Pod);
  expect(taken?.(resource, parseTimestamp(BEGIN) + seconds * SECOND) ?? 0).toBe(share);
});
