import { expect, test } from '@jest/globals';
import { HEALTHY, machineLabels, machineStatus } from './setters.js';

test('a machine has 4 CPUs, 8 GiB and room for 110 pods unless it says otherwise', () => {
  const status = machineStatus({ name: 'worker-1' });
  expect(status.capacity).toEqual({
    cpu: '4',
    'ephemeral-storage': '102625208Ki',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: '8388608Ki',
    pods: '110',
  });
  expect(status.allocatable).toEqual(status.capacity);
  expect(status.addresses).toEqual([{ type: 'Hostname', address: 'worker-1' }]);
});

test('its memory is in KiB, as /proc/meminfo has it', () => {
  const { capacity, addresses } = machineStatus({
    name: 'big',
    cpu: '64',
    memory: '1G',
    pods: 500,
    internalIP: '172.18.0.2',
  });
  expect(capacity).toMatchObject({ cpu: '64', memory: '976562Ki', pods: '500' });
  expect(addresses![0]).toEqual({ type: 'InternalIP', address: '172.18.0.2' });
});

test('machines differ in their IDs', () => {
  const infoOf = (name: string): object => {
    const { bootID, machineID, systemUUID } = machineStatus({ name }).nodeInfo!;
    return { bootID, machineID, systemUUID };
  };
  const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  expect(infoOf('a')).toEqual({
    bootID: expect.stringMatching(UUID),
    machineID: expect.stringMatching(/^[0-9a-f]{32}$/),
    systemUUID: expect.stringMatching(UUID),
  });
  expect(infoOf('a')).toEqual(infoOf('a'));
  expect(infoOf('a')).not.toEqual(infoOf('b'));
});

test('its labels name it', () => {
  expect(machineLabels('worker-1')).toMatchObject({
    'kubernetes.io/hostname': 'worker-1',
    'kubernetes.io/os': 'linux',
  });
});

test('a healthy node is ready and under no pressure', () => {
  expect(HEALTHY.map((c) => `${c.type}=${c.status}`)).toEqual([
    'MemoryPressure=False',
    'DiskPressure=False',
    'PIDPressure=False',
    'Ready=True',
  ]);
});
