import { describe, expect, test } from '@jest/globals';
import type { Kind } from '../../machinery/kind.js';
import { kind as daemonSets } from './daemonset/kind.js';
import { kind as deployments } from './deployment/kind.js';
import { kind as replicaSets } from './replicaset/kind.js';
import { kind as statefulSets } from './statefulset/kind.js';

const NOW = Date.parse('2026-11-21T03:00:00Z');
const labels = { app: 'web' };
const containers = [{ name: 'web', image: 'nginx:1.25' }];
const template = { metadata: { labels }, spec: { containers } };
const selector = { matchLabels: labels };

function objectOf(kind: Kind<any>, spec: Record<string, unknown>, status?: Record<string, unknown>): any {
  const object = {
    apiVersion: 'apps/v1',
    kind: kind.kind,
    metadata: { name: 'web', creationTimestamp: '2026-11-21T02:00:00Z' },
    spec: structuredClone(spec),
    status: {},
  };
  kind.defaults!(object);
  kind.prepareForCreate!(object, undefined as never);
  return status ? { ...object, status } : object;
}

describe('defaults', () => {
  test('a Deployment', () =>
    expect(objectOf(deployments, { selector, template }).spec).toMatchObject({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: { spec: { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' } },
    }));
  test('pods alone get service links', () =>
    expect(objectOf(deployments, { selector, template }).spec.template.spec.enableServiceLinks).toBeUndefined());
  test('a StatefulSet', () =>
    expect(
      objectOf(statefulSets, { selector, template, volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] }),
    ).toMatchObject({
      spec: {
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
  test('a DaemonSet', () =>
    expect(objectOf(daemonSets, { selector, template }).spec.updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
    }));
});

const mismatch =
  'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`';

describe('validation', () => {
  test.each<[string, Kind<any>, Record<string, unknown>, string[]]>([
    ['a selector for others', deployments, { selector: { matchLabels: { app: 'shop' } }, template }, [mismatch]],
    ['no selector', deployments, { template }, ['spec.selector: Required value', mismatch]],
    [
      'an empty selector',
      replicaSets,
      { selector: {}, template },
      ['spec.selector: Invalid value: {}: empty selector is invalid for deployment'],
    ],
    [
      'a restart policy',
      daemonSets,
      { selector, template: { ...template, spec: { containers, restartPolicy: 'Never' } } },
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    [
      'both bounds 0',
      deployments,
      { selector, template, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      ['spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0'],
    ],
    [
      'Recreate with bounds',
      deployments,
      { selector, template, strategy: { type: 'Recreate', rollingUpdate: {} } },
      ["spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"],
    ],
    [
      'too few replicas',
      statefulSets,
      { selector, template, replicas: -1 },
      ['spec.replicas: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'no containers',
      deployments,
      { selector, template: { metadata: { labels } } },
      ['spec.template.spec.containers: Required value'],
    ],
    [
      'a deadline',
      replicaSets,
      { selector, template: { ...template, spec: { containers, activeDeadlineSeconds: 5 } } },
      ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported'],
    ],
    ['a fine one', statefulSets, { selector, template, serviceName: 'web' }, []],
  ])('%s', (_, kind, spec, expected) =>
    expect(kind.validate!(objectOf(kind, spec), undefined as never).map((e) => e.message)).toEqual(expected),
  );

  test('what is immutable', () => {
    const old = objectOf(deployments, { selector, template });
    const next = objectOf(deployments, { selector: { matchLabels: { app: 'b' } }, template });
    expect(deployments.validateUpdate!(next, old, undefined as never).map((e) => e.message)).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable',
    ]);
    const sets = ['a', 'b'].map((serviceName) => objectOf(statefulSets, { selector, template, serviceName }));
    expect(statefulSets.validateUpdate!(sets[0], sets[1], undefined as never)[0]!.message).toMatch(
      /^spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals'/,
    );
  });
});

test('rows', () => {
  const row = (kind: Kind<any>, spec: Record<string, unknown>, status: Record<string, unknown>): unknown[] =>
    kind.columns!.map((c) => c.cell(objectOf(kind, { selector, template, ...spec }, status), NOW));
  expect(row(deployments, { replicas: 3 }, { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 })).toEqual([
    'web',
    '2/3',
    3,
    1,
    '60m',
    'web',
    'nginx:1.25',
    'app=web',
  ]);
  expect(row(replicaSets, { replicas: 3 }, { replicas: 2, readyReplicas: 1 })).toEqual([
    'web',
    3,
    2,
    1,
    '60m',
    'web',
    'nginx:1.25',
    'app=web',
  ]);
  expect(row(statefulSets, { replicas: 3 }, { readyReplicas: 1 })).toEqual(['web', '1/3', '60m', 'web', 'nginx:1.25']);
  expect(row(daemonSets, {}, { desiredNumberScheduled: 3, currentNumberScheduled: 3, numberReady: 2 })).toEqual([
    'web',
    3,
    3,
    2,
    0,
    0,
    '<none>',
    '60m',
    'web',
    'nginx:1.25',
    'app=web',
  ]);
});
