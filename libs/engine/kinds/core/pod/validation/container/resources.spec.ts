import { describe, expect, test } from '@jest/globals';
import { containerErrors, podErrors, web } from '../../testing.js';

const at = 'spec.containers[0].resources';

describe('requests and limits', () => {
  test.each<[string, object, string[]]>([
    ['good ones', { requests: { cpu: '500m' }, limits: { cpu: '1', 'example.com/gpu': '1' } }, []],
    [
      'requests over limits',
      { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } },
      [`${at}.requests: Invalid value: "1Gi": must be less than or equal to memory limit of 512Mi`],
    ],
    [
      'less than nothing',
      { requests: { cpu: '-1' } },
      [`${at}.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`],
    ],
    [
      'a resource that containers do not have',
      { requests: { storage: '1Gi' } },
      [`${at}.requests[storage]: Invalid value: "storage": must be a standard resource for containers`],
    ],
    [
      'an unknown resource',
      { requests: { gpu: '1' } },
      [
        `${at}.requests[gpu]: Invalid value: "gpu": must be a standard resource type or fully qualified`,
        `${at}.requests[gpu]: Invalid value: "gpu": must be a standard resource for containers`,
      ],
    ],
    [
      'half a device',
      { requests: { 'example.com/gpu': '500m' }, limits: { 'example.com/gpu': '500m' } },
      [
        `${at}.limits[example.com/gpu]: Invalid value: "500m": must be an integer`,
        `${at}.requests[example.com/gpu]: Invalid value: "500m": must be an integer`,
      ],
    ],
    [
      'fewer devices than the limit',
      { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '2' } },
      [`${at}.requests: Invalid value: "1": must be equal to example.com/gpu limit of 2`],
    ],
    [
      'devices without a limit',
      { requests: { 'example.com/gpu': '1' } },
      [`${at}.limits: Required value: Limit must be set for non overcommitable resources`],
    ],
    [
      'huge pages alone',
      { limits: { 'hugepages-2Mi': '3Mi' }, requests: { 'hugepages-2Mi': '3Mi' } },
      [
        `${at}.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${at}.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${at}: Forbidden: HugePages require cpu or memory`,
      ],
    ],
  ])('%s', (_, resources, errors) => expect(containerErrors({ resources })).toEqual(errors));
});

describe('claims', () => {
  const resourceClaims = [{ name: 'gpu', resourceClaimName: 'c' }];
  test.each<[string, object[], object[], string[]]>([
    ['of the pod', resourceClaims, [{ name: 'gpu', request: 'a' }], []],
    [
      'that the pod does not have',
      [],
      [{ name: 'gpu' }],
      [`${at}.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty`],
    ],
    [
      'of another name',
      resourceClaims,
      [{ name: 'nic' }],
      [`${at}.claims[0]: Not found: "nic": must be one of the names in pod.spec.resourceClaims: gpu`],
    ],
    ['without a name', resourceClaims, [{}], [`${at}.claims[0]: Required value`]],
    ['twice', resourceClaims, [{ name: 'gpu' }, { name: 'gpu' }], [`${at}.claims[1]: Duplicate value: "gpu"`]],
    [
      'one request twice',
      resourceClaims,
      [
        { name: 'gpu', request: 'a' },
        { name: 'gpu', request: 'a' },
      ],
      [`${at}.claims[1]: Duplicate value: "gpu/a"`],
    ],
  ])('%s', (_, claims, used, errors) =>
    expect(containerErrors({ resources: { claims: used } }, { resourceClaims: claims })).toEqual(errors),
  );
});

describe('of the pod as a whole', () => {
  const withPod = (resources: object, container: object = {}, spec: object = {}): string[] =>
    podErrors({ containers: [{ ...web, ...container }], resources, ...spec });
  test.each<[string, string[], string[]]>([
    ['more than its containers', withPod({ requests: { cpu: '2' } }, { resources: { requests: { cpu: '1' } } }), []],
    [
      'less than its containers',
      withPod({ requests: { cpu: '1' } }, { resources: { requests: { cpu: '2' } } }),
      [
        'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 2',
      ],
    ],
    [
      'less than a container may use',
      withPod({ limits: { cpu: '1' } }, { resources: { limits: { cpu: '2' }, requests: { cpu: '1' } } }),
      ['spec.resources.containers[0][cpu].limits: Invalid value: "2": must be less than or equal to pod limits of 1'],
    ],
    [
      'storage',
      withPod({ requests: { 'ephemeral-storage': '1Gi' } }),
      [
        'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported values: "cpu", "hugepages-", "memory"',
      ],
    ],
    [
      'in Windows',
      withPod({ requests: { cpu: '1' } }, {}, { os: { name: 'windows' } }),
      ['spec.resources: Forbidden: may not be set for a windows pod'],
    ],
  ])('%s', (_, actual, errors) => expect(actual).toEqual(errors));

  test('init containers run one after another, beside the sidecars before them', () => {
    const init = (name: string, cpu: string, restartPolicy?: string): object => ({
      name,
      image: 'busybox:1.36',
      restartPolicy,
      resources: { requests: { cpu } },
    });
    const initContainers = [init('a', '3'), init('side', '1', 'Always'), init('b', '4')];
    expect(withPod({ requests: { cpu: '5' } }, { resources: { requests: { cpu: '1' } } }, { initContainers })).toEqual(
      [],
    );
    expect(withPod({ requests: { cpu: '4' } }, { resources: { requests: { cpu: '1' } } }, { initContainers })).toEqual([
      'spec.resources.requests[cpu]: Invalid value: "4": must be greater than or equal to aggregate container requests of 5',
    ]);
  });
});
