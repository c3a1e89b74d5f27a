import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../../api/core_v1.js';
import { makePod, web } from '../testing.js';
import { validatePodStatusUpdate } from './status-update.js';

const errorsOf = (after: Pod['status'], before: Pod['status'] = {}, spec: object = {}): string[] =>
  validatePodStatusUpdate(makePod({ ...spec }, after), makePod({ ...spec }, before)).map((error) => error.message);

test.each<[string, Pod['status'], Pod['status'], object, string[]]>([
  ['a plain one', { phase: 'Running', podIPs: [{ ip: '10.244.1.2' }, { ip: 'fd00::2' }] }, {}, {}, []],
  [
    'another QoS class',
    { qosClass: 'Burstable' },
    { qosClass: 'BestEffort' },
    {},
    ['status.qosClass: Invalid value: "Burstable": field is immutable'],
  ],
  [
    'a nominated node of a pod that has one',
    { nominatedNodeName: 'n2' },
    {},
    { nodeName: 'n1' },
    ['status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node'],
  ],
  [
    'a condition of a type that is no name',
    { conditions: [{ type: 'a b', status: 'True' }] },
    {},
    {},
    [
      "status.conditions[0].Type: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  ],
  [
    'a generation before the first',
    { observedGeneration: -1 },
    {},
    {},
    ['status.observedGeneration: Invalid value: -1: must be a non-negative integer'],
  ],
  [
    'two addresses of one family',
    { podIPs: [{ ip: '10.244.1.2' }, { ip: '10.244.1.3' }] },
    {},
    {},
    [
      'status.podIPs: Invalid value: [{"IP":"10.244.1.2"},{"IP":"10.244.1.3"}]: may specify no more than one IP for each IP family',
    ],
  ],
  [
    'host addresses that begin with another',
    { hostIP: '172.18.0.2', hostIPs: [{ ip: '172.18.0.3' }] },
    {},
    {},
    ['status.hostIPs[0].ip: Invalid value: "172.18.0.3": must be equal to `hostIP`'],
  ],
  [
    'a claim that the pod does not have',
    { resourceClaimStatuses: [{ name: 'gpu' }] },
    {},
    {},
    [
      'status.resourceClaimStatuses[0].name: Invalid value: "gpu": must match the name of an entry in `spec.resourceClaims`',
    ],
  ],
])('%s', (_, after, before, spec, errors) => expect(errorsOf(after, before, spec)).toEqual(errors));

describe('a container that has ended', () => {
  const status = (state: object) => ({ containerStatuses: [{ name: 'web', state } as never] });
  const ENDED = 'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state';
  test.each<[string, object, number, string[]]>([
    ['restarts always', { restartPolicy: 'Always' }, 0, []],
    ['restarts on failure', { restartPolicy: 'OnFailure' }, 1, []],
    ['does not restart when done', { restartPolicy: 'OnFailure' }, 0, [ENDED]],
    ['never restarts', { restartPolicy: 'Never' }, 1, [ENDED]],
    [
      'restarts by a rule of its own',
      {
        restartPolicy: 'Never',
        containers: [
          {
            ...web,
            restartPolicy: 'Never',
            restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
          },
        ],
      },
      1,
      [],
    ],
    [
      'restarts with all others',
      {
        restartPolicy: 'Never',
        containers: [{ ...web, restartPolicyRules: [{ action: 'RestartAllContainers' }] }],
      },
      1,
      [],
    ],
  ])('%s', (_, spec, exitCode, errors) =>
    expect(errorsOf(status({ running: {} }), status({ terminated: { exitCode } }), spec)).toEqual(errors),
  );
});

describe('what a container shows', () => {
  const at = 'status.containerStatuses[0]';
  const errors = (fields: object, spec: object = {}): string[] =>
    errorsOf({ containerStatuses: [{ name: 'web', ...fields } as never] }, {}, spec);
  test('a user of Linux, with its ids', () => {
    const user = { linux: { uid: -1, gid: 0, supplementalGroups: [2 ** 31] } };
    expect(errors({ user })).toEqual([
      `${at}.user.linux.uid: Invalid value: -1: must be between 0 and 2147483647, inclusive`,
      `${at}.user.linux.supplementalGroups[0]: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive`,
    ]);
    expect(errors({ user }, { os: { name: 'windows' } })).toEqual([
      `${at}.user.linux: Forbidden: cannot be set for a windows pod`,
    ]);
  });
  test('the health of what it has', () =>
    expect(
      errors({
        allocatedResourcesStatus: [
          {
            name: 'example.com/gpu',
            resources: [
              { resourceID: 'a', health: 'Sick' },
              { resourceID: 'a', health: 'Healthy', message: '' },
            ],
          },
        ],
      }),
    ).toEqual([
      `${at}.allocatedResourcesStatus[0].name: Invalid value: "example.com/gpu": must match one of the container's resource requests`,
      `${at}.allocatedResourcesStatus[0].resources[0].health: Unsupported value: "Sick": supported values: "Healthy", "Unhealthy", "Unknown"`,
      `${at}.allocatedResourcesStatus[0].resources[1].message: Required value: must be non-empty if specified`,
      `${at}.allocatedResourcesStatus[0].resources[1].resourceID: Duplicate value: "a"`,
    ]));
});
