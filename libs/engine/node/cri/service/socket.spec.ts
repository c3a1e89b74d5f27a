import { expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import { reachesRuntime } from './socket.js';

const podWith = (...paths: (string | undefined)[]): Pod =>
  ({
    metadata: {},
    spec: {
      containers: [],
      volumes: paths.map((path) =>
        path === undefined ? { name: 'v', emptyDir: {} } : { name: 'v', hostPath: { path } },
      ),
    },
    status: {},
  }) as unknown as Pod;

test.each([
  [[], false],
  [[undefined], false],
  [['/'], true],
  [['/run'], true],
  [['/run/containerd/'], true],
  [['/run/containerd/containerd.sock'], true],
  [['/var/run/containerd'], true],
  [['/run/containerd2'], false],
  [['/run/containerd/containerd.sock2'], false],
  [['/etc', '/run/containerd'], true],
])('a pod with %j of its node has the socket: %s', (paths, expected) =>
  expect(reachesRuntime(podWith(...paths))).toBe(expected),
);
