import { describe, expect, test } from '@jest/globals';
import type { Pod, PodSpec } from '../../../api/core_v1.js';
import { Path } from '../../../machinery/field.js';
import { defaultPodTemplate, kind, qosClass, validatePodTemplate } from './kind.js';

const NOW = Date.parse('2026-11-21T03:00:00Z');

function podOf(spec: Record<string, unknown>, status: Pod['status'] = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default', ...metadata }, spec, status } as unknown as Pod;
  kind.defaults!(pod);
  return pod;
}
const web = { name: 'web', image: 'nginx:1.25' };
const messages = (spec: Record<string, unknown>): string[] => kind.validate!(podOf(spec), undefined as never).map((e) => e.message);
const row = (pod: Pod): unknown[] => kind.columns!.map((c) => c.cell(pod, NOW));

describe('defaults', () => {
  test('a pod with one container', () => {
    expect(podOf({ containers: [{ ...web, ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 80 } }, resources: { limits: { cpu: '500m' } } }] }).spec).toEqual({
      containers: [{
        name: 'web', image: 'nginx:1.25', imagePullPolicy: 'IfNotPresent', terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File',
        ports: [{ containerPort: 80, protocol: 'TCP' }],
        livenessProbe: { httpGet: { port: 80, path: '/', scheme: 'HTTP' }, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
        resources: { limits: { cpu: '500m' }, requests: { cpu: '500m' } },
      }],
      dnsPolicy: 'ClusterFirst', restartPolicy: 'Always', securityContext: {}, terminationGracePeriodSeconds: 30, schedulerName: 'default-scheduler', enableServiceLinks: true,
    });
  });
  test.each([['nginx', 'Always'], ['nginx:latest', 'Always'], ['nginx:1.25', 'IfNotPresent'], ['localhost:5000/nginx', 'Always'], ['nginx@sha256:abc', 'IfNotPresent']])('image %s is pulled %s', (image, policy) =>
    expect(podOf({ containers: [{ name: 'web', image }] }).spec.containers[0]!.imagePullPolicy).toBe(policy));
  test('volumes', () => {
    const { volumes } = podOf({ containers: [web], volumes: [{ name: 'a' }, { name: 'b', configMap: { name: 'c' } }, { name: 'd', hostPath: { path: '/' } }] }).spec;
    expect(volumes).toEqual([{ name: 'a', emptyDir: {} }, { name: 'b', configMap: { name: 'c', defaultMode: 420 } }, { name: 'd', hostPath: { path: '/', type: '' } }]);
  });
  test('a template that its controller shares is not written to', () => {
    const template = { spec: { containers: [{ ...web, resources: { limits: { cpu: '1' } } }], hostNetwork: true } as unknown as PodSpec };
    defaultPodTemplate(template);
    const before = structuredClone(template);
    expect(podOf(Object.freeze(template.spec) as unknown as Record<string, unknown>).spec.containers[0]!.resources!.requests).toEqual({ cpu: '1' });
    expect(template).toEqual(before);
  });
});

test.each([
  [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'], [{ requests: { cpu: '1' } }, 'Burstable'], [{}, 'BestEffort'], [{ requests: { cpu: '0' } }, 'BestEffort'],
  [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }, 'Burstable'],
])('resources %j are %s', (resources, qos) => expect(qosClass(podOf({ containers: [{ ...web, resources }] }).spec)).toBe(qos));

describe('validation', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['no containers', {}, ['spec.containers: Required value']],
    ['no name, no image', { containers: [{}] }, ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value']],
    ['twice the same name', { containers: [web, web] }, ['spec.containers[1].name: Duplicate value: "web"']],
    ['a port too high', { containers: [{ ...web, ports: [{ containerPort: 80800 }] }] }, ['spec.containers[0].ports[0].containerPort: Invalid value: 80800: must be between 1 and 65535, inclusive']],
    ['an unknown volume', { containers: [{ ...web, volumeMounts: [{ name: 'html', mountPath: '/a' }] }] }, ['spec.containers[0].volumeMounts[0].name: Not found: "html"']],
    ['two mounts at one path', { containers: [{ ...web, volumeMounts: [{ name: 'v', mountPath: '/a' }, { name: 'v', mountPath: '/a' }] }], volumes: [{ name: 'v' }] }, ['spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/a": must be unique']],
    ['requests over limits', { containers: [{ ...web, resources: { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } } }] }, ['spec.containers[0].resources.requests: Invalid value: "1Gi": must be less than or equal to memory limit of 512Mi']],
    ['an unknown restart policy', { containers: [web], restartPolicy: 'Sometimes' }, ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"']],
    ['a probe without a handler', { containers: [{ ...web, readinessProbe: {} }] }, ['spec.containers[0].readinessProbe: Required value: must specify a handler type']],
    ['a probe of an init container', { containers: [web], initContainers: [{ name: 'i', image: 'x', livenessProbe: { tcpSocket: { port: 1 } } }] }, ['spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always']],
    ['value and valueFrom', { containers: [{ ...web, env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }] }, ['spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty']],
    ['a toleration without a key', { containers: [web], tolerations: [{ operator: 'Equal', value: 'x' }] }, ['spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"']],
    ['two sources of a volume', { containers: [web], volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] }, ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type']],
    ['a spread without a key', { containers: [web], topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }] }, ['spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty']],
  ])('%s', (_, spec, expected) => expect(messages(spec)).toEqual(expected));

  test('paths of a template begin with its own', () =>
    expect(validatePodTemplate({ spec: { containers: [] } }, Path.of('spec', 'template')).map((e) => e.message)).toEqual(['spec.template.spec.containers: Required value']));

  test('an update may change images alone', () => {
    const old = podOf({ containers: [web] });
    const update = (spec: Record<string, unknown>): string[] => kind.validateUpdate!(podOf(spec), old, undefined as never).map((e) => e.message);
    expect(update({ containers: [{ ...web, image: 'nginx:1.26' }] })).toEqual([]);
    expect(update({ containers: [web], hostNetwork: true })[0]).toMatch(/^spec: Forbidden: pod updates may not change fields other than `spec.containers\[\*\].image`,`spec.initContainers\[\*\].image`/);
    expect(update({ containers: [web, { ...web, name: 'b' }] })).toEqual(['spec.containers: Forbidden: pod updates may not add or remove containers']);
  });
});

describe('columns', () => {
  const running = { name: 'web', image: 'i', imageID: '', ready: true, restartCount: 0, state: { running: {} } };
  const crashed = { ...running, ready: false, restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1, finishedAt: '2026-11-21T02:55:00Z' } } };
  const created = { creationTimestamp: '2026-11-21T02:50:00Z' };
  test.each<[string, Record<string, unknown>, Pod['status'], Record<string, string>, unknown[]]>([
    ['pending', {}, { phase: 'Pending' }, {}, ['0/1', 'Pending', '0']],
    ['running', {}, { phase: 'Running', containerStatuses: [running] }, {}, ['1/1', 'Running', '0']],
    ['crashing', {}, { phase: 'Running', containerStatuses: [crashed] }, {}, ['0/1', 'CrashLoopBackOff', '3 (5m ago)']],
    ['deleted', {}, { phase: 'Running', containerStatuses: [running] }, { deletionTimestamp: '2026-11-21T03:00:00Z' }, ['1/1', 'Terminating', '0']],
    ['done', {}, { phase: 'Succeeded', containerStatuses: [{ ...running, ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } }] }, {}, ['0/1', 'Completed', '0']],
    ['initializing', { initContainers: [{ name: 'a', image: 'x' }, { name: 'b', image: 'x' }] },
      { phase: 'Pending', initContainerStatuses: [{ ...running, name: 'a', state: { terminated: { exitCode: 0 } } }, { ...running, name: 'b', ready: false }] }, {}, ['0/1', 'Init:1/2', '0']],
    ['evicted', {}, { phase: 'Failed', reason: 'Evicted' }, {}, ['0/1', 'Evicted', '0']],
  ])('%s', (_, spec, status, metadata, cells) =>
    expect(row(podOf({ containers: [web], ...spec }, status, { ...created, ...metadata }))).toEqual(['web', ...cells, '10m', '<none>', '<none>', '<none>', '<none>']));
});

test('grace is given to what runs', () => {
  expect(kind.gracePeriod!(podOf({ containers: [web], nodeName: 'n' }, { phase: 'Running' }))).toBe(30);
  expect(kind.gracePeriod!(podOf({ containers: [web] }, { phase: 'Pending' }))).toBe(0);
  expect(kind.gracePeriod!(podOf({ containers: [web], nodeName: 'n' }, { phase: 'Failed' }))).toBe(0);
});
