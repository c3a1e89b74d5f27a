import { describe, expect, test } from '@jest/globals';
import type { Container, Pod, PodSpec, PodStatus, Service, ServicePort } from '../api/core_v1.js';
import { findPort, hostnameFor, isHeadless, portMapKey, selectsPods, servicePodsSource } from './service-pods.js';

const pod = (spec: Partial<PodSpec>, status: Partial<PodStatus> = {}, metadata: Partial<Pod['metadata']> = {}): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', ...metadata },
    spec: { containers: [], ...spec },
    status,
  }) as Pod;
const service = (spec: Partial<Service['spec']>): Service =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec, status: {} }) as Service;
const container = (name: string, containerPort: number, protocol?: string): Container => ({
  name: 'c',
  ports: [{ name, containerPort, ...(protocol ? { protocol } : {}) }],
});

test.each<[string, Service, boolean, boolean]>([
  ['with a selector', service({ selector: { a: 'b' }, clusterIP: '10.96.0.7' }), false, true],
  ['headless', service({ selector: { a: 'b' }, clusterIP: 'None' }), true, true],
  ['without a selector', service({}), false, false],
  ['that is another name', service({ selector: { a: 'b' }, type: 'ExternalName' }), false, false],
])('a Service %s: headless, selects pods', (_, of, headless, selects) =>
  expect([isHeadless(of), selectsPods(of)]).toEqual([headless, selects]),
);

describe("the number behind a Service's port", () => {
  const containers = [container('http', 8080), container('dns', 53, 'UDP')];
  const sidecar = { ...container('metrics', 9090), restartPolicy: 'Always' };
  const job = container('setup', 7070);
  test.each<[string, ServicePort, number | undefined]>([
    ['is its own', { port: 80 }, 80],
    ['is another number', { port: 80, targetPort: 81 }, 81],
    ['has a name', { port: 80, targetPort: 'http' }, 8080],
    ['has a name of its protocol', { port: 80, targetPort: 'dns', protocol: 'UDP' }, 53],
    ['has a name of another protocol', { port: 80, targetPort: 'dns' }, undefined],
    ["is a sidecar's", { port: 80, targetPort: 'metrics' }, 9090],
    ["is no init container's", { port: 80, targetPort: 'setup' }, undefined],
    ['has a name that no container has', { port: 80, targetPort: 'https' }, undefined],
  ])('%s', (_, port, number) =>
    expect(findPort(pod({ containers, initContainers: [job, sidecar] }), port)).toBe(number),
  );

  test('pods with the same numbers belong together', () => {
    const ports = [{ port: 80, targetPort: 'http' }, { port: 443 }, { port: 1, targetPort: 'x' }];
    expect(portMapKey(service({ ports }), pod({ containers }))).toBe('8080,443,,');
  });
});

test.each<[string, Partial<PodSpec>, string | undefined]>([
  ['of its subdomain', { hostname: 'db-0', subdomain: 'web' }, 'db-0'],
  ['of another subdomain', { hostname: 'db-0', subdomain: 'db' }, undefined],
  ['without a hostname', { subdomain: 'web' }, undefined],
])('a pod %s has a name in DNS', (_, spec, hostname) => expect(hostnameFor(pod(spec), service({}))).toBe(hostname));

describe('a change of a pod concerns endpoints', () => {
  const ready = (status: string): Partial<PodStatus> => ({
    podIP: '10.0.0.1',
    phase: 'Running',
    conditions: [{ type: 'Ready', status }],
  });
  const old = pod({}, ready('True'), { labels: { a: 'b' } });
  test.each<[string, Pod, Pod | undefined, boolean]>([
    ['created without an address', pod({}), undefined, false],
    ['loaded with one', old, undefined, true],
    ['still without one', pod({}), pod({}), false],
    ['that gets its address', old, pod({}, {}, { labels: old.metadata.labels }), true],
    ['that is ready no longer', { ...old, status: ready('False') as PodStatus }, old, true],
    ['that is deleted', { ...old, metadata: { ...old.metadata, deletionTimestamp: 'now' } }, old, true],
    ['with other labels', { ...old, metadata: { ...old.metadata, labels: {} } }, old, true],
    ['that has ended', { ...old, status: { ...old.status, phase: 'Succeeded' } }, old, true],
    ['that is gone', { ...old, metadata: { ...old.metadata, resourceVersion: '9' } }, old, true],
    ['with another message', { ...old, status: { ...old.status, message: 'x' } }, old, false],
  ])('%s', (_, next, before, expected) => expect(servicePodsSource.when!(next, before)).toBe(expected));

  test('of the Services whose selector matches it, or has matched it', () => {
    const named = (name: string, selector?: Record<string, string>): Service => {
      const made = service(selector ? { selector } : {});
      return { ...made, metadata: { ...made.metadata, name } };
    };
    const services = [named('now', { a: 'c' }), named('before', { a: 'b' }), named('other', { x: 'y' }), named('none')];
    const next = { ...old, metadata: { ...old.metadata, labels: { a: 'c' } } };
    expect([...servicePodsSource.keys!(next, { list: () => services } as never, old)]).toEqual([
      { namespace: 'default', name: 'now' },
      { namespace: 'default', name: 'before' },
    ]);
  });
});
