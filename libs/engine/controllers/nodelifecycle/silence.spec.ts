import { expect, test } from '@jest/globals';
import type { Node } from '../../api/core_v1.js';
import type { Reader } from '../../machinery/client.js';
import { silentUntil } from './silence.js';

const at = (seconds: number): number => Date.UTC(2026, 0, 1) + seconds * 1000;
const node = (status: string): Node =>
  ({ metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status }] } }) as unknown as Node;
const read = (state: string, renewTime?: string): Reader =>
  ({
    get: ({ kind }: { kind: string }) =>
      kind === 'Lease' ? { spec: { renewTime } } : kind === 'NodeRuntime' ? { kubelet: { state } } : undefined,
  }) as unknown as Reader;

test.each([
  ['a kubelet that runs', read('running', '2026-01-01T00:00:00.000000Z'), 'True', undefined],
  ['a node that is given up', read('stopped', '2026-01-01T00:00:00.000000Z'), 'Unknown', undefined],
  ['a kubelet that was stopped', read('stopped', '2026-01-01T00:00:00.000000Z'), 'True', at(50)],
  ['the controller’s next look', read('stopped', '2026-01-01T00:00:01.000000Z'), 'False', at(55)],
  ['a kubelet that is cut off', read('cut', '2026-01-01T00:00:00.000000Z'), 'True', at(50)],
])('%s', (_case, reader, ready, expected) => expect(silentUntil(reader, node(ready))).toBe(expected));
