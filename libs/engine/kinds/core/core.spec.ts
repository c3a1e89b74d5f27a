import { ClusterAuth } from '../../auth/cluster-auth.js';
import { State } from '../../runtime/state.js';
import { describe, expect, test } from '@jest/globals';
import { ClusterKeys } from '../../machinery/crypto/cluster-keys.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { SeededRandom } from '../../machinery/random.js';
import { kind as configMaps } from './configmap/kind.js';
import { kind as endpoints } from './endpoints/kind.js';
import { kind as events } from './event/kind.js';
import { kind as limitRanges } from './limitrange/kind.js';
import { kind as namespaces } from './namespace/kind.js';
import { kind as nodes } from './node/kind.js';
import { kind as volumes } from './persistentvolume/kind.js';
import { kind as claims } from './persistentvolumeclaim/kind.js';
import { kind as replicationControllers } from './replicationcontroller/kind.js';
import { kind as quotas } from './resourcequota/kind.js';
import { kind as secrets } from './secret/kind.js';
import { kind as serviceAccounts } from './serviceaccount/kind.js';

const NOW = Date.parse('2026-11-21T03:00:00Z');
const context = { now: NOW, random: new SeededRandom(1) } as never;
const created = { name: 'x', namespace: 'default', creationTimestamp: '2026-11-21T02:00:00Z' };

type AnyKind = Kind<any>;

function objectOf(kind: AnyKind, fields: Record<string, unknown>): any {
  const divided = kind.subresources?.status === true;
  const object = {
    apiVersion: 'v1',
    kind: kind.kind,
    metadata: { ...created },
    ...(divided ? { spec: {}, status: {} } : {}),
    ...structuredClone(fields),
  };
  kind.defaults!(object);
  return object;
}
const messages = (kind: AnyKind, fields: Record<string, unknown>): string[] => {
  const object = {
    apiVersion: 'v1',
    kind: kind.kind,
    metadata: created,
    spec: {},
    status: {},
    ...structuredClone(fields),
  };
  kind.defaults?.(object);
  return kind.validate!(object, context).map((e) => e.message);
};
const row = (kind: AnyKind, fields: Record<string, unknown>): unknown[] =>
  kind.columns!.map((c) =>
    c.cell(
      { apiVersion: 'v1', kind: kind.kind, metadata: created, spec: {}, status: {}, ...fields } as KubeObject,
      NOW,
    ),
  );

describe('defaults', () => {
  test('a namespace names itself and has a finalizer', () => {
    const namespace = objectOf(namespaces, {});
    namespaces.prepareForCreate!(namespace, context);
    expect(namespace).toMatchObject({
      metadata: { labels: { 'kubernetes.io/metadata.name': 'x' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    expect(namespaces.blocksDeletion!(namespace)).toBe(true);
  });
  test.each<[object, string[]]>([
    [{ 'tls.crt': 'YQ==', 'tls.key': 'YQ==' }, ['tls: failed to find any PEM data in certificate input']],
    [
      { 'tls.crt': btoa('-----BEGIN CERTIFICATE-----'), 'tls.key': 'YQ==' },
      ['tls: failed to find any PEM data in key input'],
    ],
  ])('a TLS secret of %j warns', (data, warnings) =>
    expect(secrets.warnings!(objectOf(secrets, { type: 'kubernetes.io/tls', data }), undefined)).toEqual(warnings),
  );
  test.each([[{ podCIDR: '10.0.0.0/24' }], [{ podCIDRs: ['10.0.0.0/24'] }]])('a node of %j has both', (spec) =>
    expect(objectOf(nodes, { spec }).spec).toEqual({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] }),
  );
  test('stringData becomes data', () =>
    expect(objectOf(secrets, { data: { a: 'YQ==' }, stringData: { b: 'b' } })).toMatchObject({
      type: 'Opaque',
      data: { a: 'YQ==', b: 'Yg==' },
    }));
  test('a LimitRange of containers fills requests from limits', () =>
    expect(
      objectOf(limitRanges, { spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { memory: '1Mi' } }] } })
        .spec.limits[0],
    ).toMatchObject({ default: { cpu: '1' }, defaultRequest: { cpu: '1', memory: '1Mi' } }));
  test('a ReplicationController selects its template', () =>
    expect(
      objectOf(replicationControllers, {
        spec: { template: { metadata: { labels: { a: 'b' } }, spec: { containers: [] } } },
      }).spec,
    ).toMatchObject({ replicas: 1, selector: { a: 'b' } }));
});

describe('validation', () => {
  test.each<[string, AnyKind, Record<string, unknown>, string[]]>([
    [
      'a ConfigMap key',
      configMaps,
      { data: { 'a b': '' } },
      [
        "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
      ],
    ],
    [
      'a ConfigMap too large',
      configMaps,
      { data: { a: 'x'.repeat(1024 * 1024 + 1) } },
      [': Too long: may not be more than 1048576 bytes'],
    ],
    [
      'an SSH secret of nothing',
      secrets,
      { type: 'kubernetes.io/ssh-auth', data: { 'ssh-privatekey': '' } },
      ['data[ssh-privatekey]: Required value'],
    ],
    [
      'a ratio that cannot be',
      limitRanges,
      {
        spec: {
          limits: [{ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '5' } }],
        },
      },
      ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "5": ratio 5 is greater than max/min = 2.000000'],
    ],
    [
      'defaults of pods',
      limitRanges,
      { spec: { limits: [{ type: 'Pod', default: { 'bad key': '1' } }] } },
      ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
    ],
    [
      'a scope of what it does not count',
      quotas,
      { spec: { hard: { secrets: '1' }, scopes: ['BestEffort'] } },
      ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
    ],
    [
      'a scope that only is',
      quotas,
      {
        spec: {
          hard: { pods: '1' },
          scopeSelector: { matchExpressions: [{ scopeName: 'Terminating', operator: 'In', values: ['a'] }] },
        },
      },
      [
        'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
      ],
    ],
    [
      'two ranges of one family',
      nodes,
      { spec: { podCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] } },
      [
        'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one CIDR for each IP family',
      ],
    ],
    [
      'an endpoint of this host',
      endpoints,
      { subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 1 }] }] },
      [
        'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    ],
    [
      'a TLS secret without a key',
      secrets,
      { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } },
      ['data[tls.key]: Required value'],
    ],
    [
      'a claim without anything',
      claims,
      {},
      [
        'spec.accessModes: Required value: at least 1 access mode is required',
        'spec.resources[storage]: Required value',
      ],
    ],
    [
      'a claim of an unknown mode',
      claims,
      { spec: { accessModes: ['Read'], resources: { requests: { storage: '1Gi' } } } },
      [
        'spec.accessModes: Unsupported value: "Read": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      ],
    ],
    [
      'a volume without a source',
      volumes,
      { spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } } },
      ['spec: Required value: must specify a volume type'],
    ],
    [
      'a taint twice',
      nodes,
      {
        spec: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule' },
          ],
        },
      },
      [
        'metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
      ],
    ],
    [
      'a quota of half a pod',
      quotas,
      { spec: { hard: { pods: '500m' } } },
      ['spec.hard[pods]: Invalid value: "500m": must be an integer'],
    ],
    [
      'min over max',
      limitRanges,
      { spec: { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] } },
      ['spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1'],
    ],
    [
      'an event elsewhere',
      events,
      { involvedObject: { namespace: 'other' } },
      ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
    ],
    [
      'a controller without a template',
      replicationControllers,
      { spec: { selector: { a: 'b' } } },
      ['spec.template: Required value'],
    ],
  ])('%s', (_, kind, fields, expected) => expect(messages(kind, fields)).toEqual(expected));

  test('what is immutable', () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: created, immutable: true, data: { a: 'b' } };
    expect(configMaps.validateUpdate!({ ...map, data: { a: 'c' } }, map, context).map((e) => e.message)).toEqual([
      'data: Forbidden: field is immutable when `immutable` is set',
    ]);
    const claim = (storage: string, volumeMode = 'Filesystem') => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: created,
      spec: { accessModes: ['ReadWriteOnce'], volumeMode, resources: { requests: { storage } } },
      status: { phase: 'Bound', capacity: { storage: '1Gi' } },
    });
    expect(claims.validateUpdate!(claim('2Gi'), claim('1Gi'), context)).toEqual([]);
    expect(claims.validateUpdate!(claim('1Gi'), claim('2Gi'), context).map((e) => e.message)).toEqual([
      'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity',
    ]);
    expect(claims.validateUpdate!(claim('1Gi', 'Block'), claim('1Gi'), context).map((e) => e.field)).toEqual([
      'spec',
      'volumeMode',
    ]);
  });
});

describe('rows', () => {
  test.each<[AnyKind, Record<string, unknown>, unknown[]]>([
    [configMaps, { data: { a: '', b: '' }, binaryData: { c: '' } }, ['x', 3, '60m']],
    [secrets, { type: 'Opaque', data: { a: '' } }, ['x', 'Opaque', 1, '60m']],
    [namespaces, { status: { phase: 'Active' } }, ['x', 'Active', '60m']],
    [serviceAccounts, {}, ['x', '60m']],
    [
      endpoints,
      { subsets: [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [{ port: 80 }, { port: 81 }] }] },
      ['x', '10.0.0.1:80,10.0.0.2:80,10.0.0.1:81 + 1 more...', '60m'],
    ],
    [endpoints, {}, ['x', '<none>', '60m']],
    [
      nodes,
      {
        metadata: { ...created, labels: { 'node-role.kubernetes.io/control-plane': '' } },
        spec: { unschedulable: true },
        status: {
          conditions: [{ type: 'Ready', status: 'True' }],
          nodeInfo: { kubeletVersion: 'v1.36.0' },
          addresses: [{ type: 'InternalIP', address: '172.18.0.2' }],
        },
      },
      [
        'x',
        'Ready,SchedulingDisabled',
        'control-plane',
        '60m',
        'v1.36.0',
        '172.18.0.2',
        '<none>',
        '<unknown>',
        '<unknown>',
        '<unknown>',
      ],
    ],
    [
      claims,
      {
        spec: { volumeName: 'pv', storageClassName: 'standard', volumeMode: 'Filesystem' },
        status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
      },
      ['x', 'Bound', 'pv', '1Gi', 'RWO', 'standard', '<unset>', '60m', 'Filesystem'],
    ],
    [
      volumes,
      {
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Retain',
          claimRef: { namespace: 'default', name: 'c' },
        },
        status: { phase: 'Bound' },
      },
      ['x', '1Gi', 'RWO,RWX', 'Retain', 'Bound', 'default/c', '', '<unset>', '', '60m', '<unset>'],
    ],
    [
      quotas,
      { status: { hard: { pods: '5', 'limits.cpu': '2', 'requests.cpu': '1' }, used: { pods: '1' } } },
      ['x', 'pods: 1/5, requests.cpu: 0/1', 'limits.cpu: 0/2', '60m'],
    ],
    [limitRanges, {}, ['x', '2026-11-21T02:00:00Z']],
    [
      events,
      {
        involvedObject: { kind: 'Pod', name: 'web' },
        type: 'Normal',
        reason: 'Pulled',
        message: 'done ',
        count: 2,
        source: { component: 'kubelet', host: 'n' },
        firstTimestamp: '2026-11-21T02:59:00Z',
        lastTimestamp: '2026-11-21T02:59:30Z',
      },
      ['30s', 'Normal', 'Pulled', 'pod/web', '', 'kubelet, n', 'done', '60s', 2, 'x'],
    ],
  ])('%p', (kind, fields, cells) => expect(row(kind, fields)).toEqual(cells));
});

test('a service account token looks like one', () => {
  const object = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...created, uid: 'u' } };
  const answer = serviceAccounts.subresources!.actions!['token']!.handle({
    object,
    body: { spec: {} },
    context: { ...(context as object), auth: new ClusterAuth(new State(), new ClusterKeys('k')) },
    verb: 'create',
  } as never) as { status: { token: string; expirationTimestamp: string } };
  expect(answer.status.token.split('.')).toHaveLength(3);
  expect(answer.status.expirationTimestamp).toBe('2026-11-21T04:00:00Z');
});
