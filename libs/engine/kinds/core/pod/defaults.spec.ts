import { describe, expect, test } from '@jest/globals';
import type { PodSpec } from '../../../api/core_v1.js';
import { create } from '../../testing.js';
import { defaultPodTemplate } from './defaults.js';
import { kind } from './kind.js';
import { makePod, web } from './testing.js';

test('a pod with one container', () =>
  expect(
    makePod({
      containers: [
        {
          ...web,
          ports: [{ containerPort: 80 }],
          livenessProbe: { httpGet: { port: 80 } },
          resources: { limits: { cpu: '500m' } },
        },
      ],
    }).spec,
  ).toEqual({
    containers: [
      {
        name: 'web',
        image: 'nginx:1.25',
        imagePullPolicy: 'IfNotPresent',
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        livenessProbe: {
          httpGet: { port: 80, path: '/', scheme: 'HTTP' },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        resources: { limits: { cpu: '500m' }, requests: { cpu: '500m' } },
      },
    ],
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
  }));

test.each([
  ['nginx', 'Always'],
  ['nginx:latest', 'Always'],
  ['nginx:1.25', 'IfNotPresent'],
  ['localhost:5000/nginx', 'Always'],
  ['localhost:5000/nginx:1', 'IfNotPresent'],
  ['nginx@sha256:abc', 'IfNotPresent'],
  ['Not an image', 'IfNotPresent'],
])('image %s is pulled %s', (image, policy) => {
  expect(makePod({ containers: [{ name: 'web', image }] }).spec.containers[0]!.imagePullPolicy).toBe(policy);
  expect(makePod({ volumes: [{ name: 'v', image: { reference: image } }] }).spec.volumes![0]!.image!.pullPolicy).toBe(
    policy,
  );
});

test.each<[string, object, object]>([
  ['of no source', {}, { emptyDir: {} }],
  ['of a ConfigMap', { configMap: { name: 'c' } }, { configMap: { name: 'c', defaultMode: 0o644 } }],
  ['of a Secret', { secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 0o644 } }],
  ['of the host', { hostPath: { path: '/' } }, { hostPath: { path: '/', type: '' } }],
  [
    'of the pod itself',
    { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
    {
      downwardAPI: {
        defaultMode: 0o644,
        items: [{ path: 'a', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } }],
      },
    },
  ],
  [
    'of several sources, without those behind gates that are off',
    { projected: { sources: [{ serviceAccountToken: { path: 't' } }, { clusterTrustBundle: { path: 'b' } }] } },
    {
      projected: { defaultMode: 0o644, sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }, {}] },
    },
  ],
  [
    'of a claim of its own',
    { ephemeral: { volumeClaimTemplate: {} } },
    { ephemeral: { volumeClaimTemplate: { spec: { resources: {}, volumeMode: 'Filesystem' } } } },
  ],
  ['of iSCSI', { iscsi: {} }, { iscsi: { iscsiInterface: 'default' } }],
])('a volume %s', (_, volume, expected) =>
  expect(makePod({ volumes: [{ name: 'v', ...volume }] }).spec.volumes).toEqual([{ name: 'v', ...expected }]),
);

describe('a container', () => {
  const withDefaults = (container: object, spec: object = {}) =>
    makePod({ containers: [{ ...web, ...container }], ...spec }).spec.containers[0]!;
  test.each<[string, object, object]>([
    [
      'its probes and hooks',
      {
        readinessProbe: { grpc: { port: 1 }, periodSeconds: 3 },
        startupProbe: { exec: { command: ['a'] } },
        lifecycle: { preStop: { httpGet: { port: 80 } } },
      },
      {
        readinessProbe: {
          grpc: { port: 1, service: '' },
          timeoutSeconds: 1,
          periodSeconds: 3,
          successThreshold: 1,
          failureThreshold: 3,
        },
        startupProbe: {
          exec: { command: ['a'] },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
        lifecycle: { preStop: { httpGet: { port: 80, path: '/', scheme: 'HTTP' } } },
      },
    ],
    [
      'variables of fields',
      { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      { env: [{ name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }] },
    ],
    [
      'requests from limits, one by one',
      { resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } } },
      { resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } } },
    ],
  ])('%s', (_, container, expected) => expect(withDefaults(container)).toMatchObject(expected));

  test("on the host's network has its ports there", () =>
    expect(withDefaults({ ports: [{ containerPort: 80 }] }, { hostNetwork: true }).ports).toEqual([
      { containerPort: 80, hostPort: 80, protocol: 'TCP' },
    ]));
  test('has no stop signal: its gate is off', () => {
    expect(withDefaults({ lifecycle: { stopSignal: 'SIGUSR1' } }).lifecycle).toBeUndefined();
    expect(
      withDefaults({ lifecycle: { stopSignal: 'SIGUSR1', preStop: { sleep: { seconds: 1 } } } }).lifecycle,
    ).toEqual({
      preStop: { sleep: { seconds: 1 } },
    });
  });
});

test('the account by its old and its new field', () => {
  expect(makePod({ serviceAccount: 'builder' }).spec).toMatchObject({ serviceAccountName: 'builder' });
  expect(makePod({ serviceAccountName: 'builder' }).spec).toMatchObject({ serviceAccount: 'builder' });
  expect(
    create(kind, { spec: { containers: [web], serviceAccountName: 'a', serviceAccount: 'b' } }).spec,
  ).toMatchObject({
    serviceAccount: 'a',
  });
});

test('a template gets neither service links nor requests', () => {
  const template = { spec: { containers: [{ ...web, resources: { limits: { cpu: '1' } } }] } };
  defaultPodTemplate(template);
  expect(template).toMatchObject({ metadata: {}, spec: { restartPolicy: 'Always' } });
  expect(template.spec).not.toHaveProperty('enableServiceLinks');
  expect(template.spec.containers[0]!.resources).toEqual({ limits: { cpu: '1' } });
});

test('a template that its controller shares is not written to', () => {
  const template = {
    spec: { containers: [{ ...web, resources: { limits: { cpu: '1' } } }], hostNetwork: true } as unknown as PodSpec,
  };
  defaultPodTemplate(template);
  const before = structuredClone(template);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: Object.freeze(template.spec), status: {} };
  kind.defaults!(pod);
  expect(pod.spec.containers[0]!.resources!.requests).toEqual({ cpu: '1' });
  expect(template).toEqual(before);
});
