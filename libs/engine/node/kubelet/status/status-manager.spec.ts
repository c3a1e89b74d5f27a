import { expect, test } from '@jest/globals';
import type { Pod, PodStatus } from '../../../api/core_v1.js';
import type { Client } from '../../../machinery/client.js';
import { container, pod, running, terminated, waiting } from '../testing.js';
import { setPodStatus, terminatePod } from './status-manager.js';

test.each([
  ['another status is written', { phase: 'Running' }, 1],
  ['the same status is not', { phase: 'Pending', conditions: [] }, 0],
])('%s', (_case, status, writes) => {
  const written: Pod[] = [];
  const client = { updateStatus: (_kind: unknown, next: Pod) => written.push(next) } as unknown as Client;
  setPodStatus(client, pod({}, { phase: 'Pending', conditions: [] }), status);
  expect(written.map((p) => p.status)).toEqual(writes ? [status] : []);
});

/** 'pending', or the exit code, of each container: init containers first. */
const states = ({ initContainerStatuses = [], containerStatuses = [] }: PodStatus): (string | number)[] =>
  [...initContainerStatuses, ...containerStatuses].map((s) => s.state?.terminated?.exitCode ?? 'pending');
const initialized = pod({ initContainers: [container('i'), container('j')] });

// Models pkg/kubelet/status TestTerminatePod.
test.each<[string, Pod, PodStatus, PodStatus['phase'], (string | number)[]]>([
  ['never started', pod(), { phase: 'Pending', containerStatuses: [waiting('c')] }, 'Failed', [137]],
  ['ended well', pod(), { phase: 'Succeeded', containerStatuses: [terminated('c', 0)] }, 'Succeeded', [0]],
  [
    'one of two has ended',
    pod(),
    { phase: 'Pending', containerStatuses: [terminated('c', 0), waiting('d')] },
    'Failed',
    [0, 137],
  ],
  [
    'in its first init container',
    initialized,
    { phase: 'Pending', initContainerStatuses: [waiting('i'), waiting('j')], containerStatuses: [waiting('c')] },
    'Failed',
    [137, 'pending', 'pending'],
  ],
  [
    'in its second init container',
    initialized,
    { phase: 'Pending', initContainerStatuses: [terminated('i', 0), running('j')], containerStatuses: [waiting('c')] },
    'Failed',
    [0, 137, 'pending'],
  ],
  [
    'after its init containers',
    initialized,
    {
      phase: 'Pending',
      initContainerStatuses: [terminated('i', 0), terminated('j', 0)],
      containerStatuses: [waiting('c')],
    },
    'Failed',
    [0, 0, 137],
  ],
])('a pod that stops: %s', (_case, of, status, phase, expected) => {
  const last = terminatePod(of, status);
  expect([last.phase, states(last)]).toEqual([phase, expected]);
});
