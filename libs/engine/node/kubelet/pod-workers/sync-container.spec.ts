import { expect, test } from '@jest/globals';
import type { Role } from '../container/role.js';
import { container, pod, terminated } from '../testing.js';
import { shouldContainerBeRestarted } from './sync-container.js';

// The rules of pkg/kubelet/container/helpers.go ShouldContainerBeRestarted, and of init containers.
test.each<[Role, string | undefined, string | undefined, number, boolean]>([
  ['main', undefined, undefined, 0, true],
  ['main', 'Always', undefined, 0, true],
  ['main', 'Always', undefined, 1, true],
  ['main', 'OnFailure', undefined, 0, false],
  ['main', 'OnFailure', undefined, 1, true],
  ['main', 'Never', undefined, 0, false],
  ['main', 'Never', undefined, 1, false],
  ['main', 'Never', 'OnFailure', 1, true],
  ['main', 'Always', 'Never', 1, false],
  ['init', 'Always', undefined, 0, false],
  ['init', 'Always', undefined, 1, true],
  ['init', 'OnFailure', undefined, 1, true],
  ['init', 'Never', undefined, 1, false],
  ['sidecar', 'Never', 'Always', 0, true],
  ['ephemeral', 'Always', undefined, 1, false],
])('%s, pod %s, container %s, exit code %d: %s', (role, podPolicy, restartPolicy, exitCode, expected) => {
  const of = pod({ restartPolicy: podPolicy });
  const restarts = shouldContainerBeRestarted(of, container('c', { restartPolicy }), role, terminated('c', exitCode));
  expect(restarts).toBe(expected);
});
