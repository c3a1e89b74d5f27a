import { expect, test } from '@jest/globals';
import type { ContainerStatus } from '../../../api/core_v1.js';
import { pod } from '../testing.js';
import { withIdleUsage } from './idle-usage.js';

const running = (name: string, image: string): ContainerStatus =>
  ({ name, image, state: { running: {} } }) as ContainerStatus;
const POD = pod({}, { containerStatuses: [running('web', 'docker.io/library/nginx:1.27'), running('tool', 'a/b')] });
const measured = { memory: 2 ** 30, cpuMs: 0, cpuRate: 0, logBytes: 0, disk: 4_096, inodes: 1 };

test('what nobody has looked into uses what it uses at rest', () => {
  const { measure } = withIdleUsage({ pod: POD }, (name) => name === 'web');
  expect([...measure!.containers.keys()]).toEqual(['web', 'tool']);
  expect(measure!.containers.get('web')!.memory).toBeGreaterThan(3 * 2 ** 20);
  expect(measure!.containers.get('tool')!.memory).toBeLessThan(2 ** 20);
  expect(measure!.containers.get('tool')!.disk).toBe(24 * 1024);
  expect(measure!.processes).toBe(2);
});

test('what was measured counts when it is more', () => {
  const usage = { pod: POD, measure: { containers: new Map([['web', measured]]), volumes: new Map(), processes: 7 } };
  const { measure } = withIdleUsage(usage, () => true);
  expect(measure!.containers.get('web')).toEqual({ ...measured, disk: 24 * 1024 });
  expect(measure!.processes).toBe(7);
});
