import { describe, expect, test } from '@jest/globals';
import { AGE, create, make, row, statusErrors, updateErrors } from '../../testing.js';
import { selector, template } from '../testing.js';
import { kind } from './kind.js';

describe('defaults', () => {
  test('it rolls in order, and its claims stay', () =>
    expect(
      create(kind, {
        spec: { selector, template, volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] },
      }),
    ).toMatchObject({
      spec: {
        replicas: 1,
        serviceName: '',
        revisionHistoryLimit: 10,
        podManagementPolicy: 'OrderedReady',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        volumeClaimTemplates: [
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            spec: { volumeMode: 'Filesystem' },
            status: { phase: 'Pending' },
          },
        ],
      },
      status: { replicas: 0, availableReplicas: 0 },
    }));
  test('it has no bound of unavailable pods: its gate is off', () =>
    expect(
      create(kind, { spec: { selector, template, updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } } }).spec
        .updateStrategy,
    ).toEqual({ type: 'RollingUpdate', rollingUpdate: { partition: 0 } }));
});

const FORBIDDEN =
  "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";
test.each<[string, object, string[]]>([
  [
    'that may be',
    { replicas: 3, minReadySeconds: 5, updateStrategy: { type: 'OnDelete' }, ordinals: { start: 1 } },
    [],
  ],
  ['of the service', { serviceName: 'other' }, [FORBIDDEN]],
  ['of the claims', { volumeClaimTemplates: [{ metadata: { name: 'data' } }] }, [FORBIDDEN]],
  ['of the selector', { selector: { matchLabels: { app: 'b' } } }, [FORBIDDEN]],
])('an update %s', (_, spec, errors) =>
  expect(
    updateErrors(
      kind,
      { spec: { selector, template, serviceName: 'web' } },
      { spec: { selector, template, serviceName: 'web', ...spec } },
    ),
  ).toEqual(errors),
);

test.each<[object, string[]]>([
  [{ replicas: 2, readyReplicas: 2, availableReplicas: 1 }, []],
  [
    { replicas: 2, readyReplicas: 1, availableReplicas: 2 },
    ['status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas'],
  ],
  [
    { replicas: 1, currentReplicas: 2 },
    ['status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas'],
  ],
])('the status %j', (status, errors) =>
  expect(statusErrors(kind, { spec: { selector, template } }, status)).toEqual(errors),
);

test('its row', () =>
  expect(row(kind, make(kind, { spec: { replicas: 3, selector, template }, status: { readyReplicas: 1 } }))).toEqual({
    Name: 'a',
    Ready: '1/3',
    Age: AGE,
    Containers: 'web',
    Images: 'nginx:1.25',
  }));
