import { expect, test } from '@jest/globals';
import { kind as Faults, type Fault } from '../../../kinds/terrarium/fault/kind.js';
import { formatTime } from '../pod/pod-runtime.js';
import { stateOf } from '../../cri/testing.js';
import { NOW, pod } from '../testing.js';
import { withProcessFaults } from './process-faults.js';

/** A fault that ends the main process of all pods so long after NOW, with 3. */
const crashAt = (ms: number): Fault => ({
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: Faults.kind,
  metadata: { name: 'crash', uid: 'f1' },
  spec: { type: 'ContainerCrash', target: { pods: ['shop/web'] } },
  status: {
    phase: 'Active',
    startTime: formatTime(NOW + ms),
    effects: [{ does: 'process', act: 'exit', pods: { chosen: ['shop/web'] }, code: 3 }],
  },
});

test.each<[string, number | undefined, number, { afterMs: number; code: number }]>([
  ['a program that goes on ends with the code of the fault', undefined, 2_000, { afterMs: 2_000, code: 3 }],
  ['one that its machine kills at that moment, too', 2_000, 2_000, { afterMs: 2_000, code: 3 }],
  ['one that has ended before has its own', 1_999, 2_000, { afterMs: 1_999, code: 137 }],
])('%s', (_case, endsAfter, crashAfter, expected) => {
  const state = stateOf(crashAt(crashAfter));
  const own = endsAfter === undefined ? {} : { exit: { afterMs: endsAfter, code: 137 } };
  const process = { listens: [], readyAfterMs: 0, lines: () => [], ...own };
  expect(withProcessFaults(state, pod(), { name: 'app' }, process, NOW).exit).toEqual(expected);
});
