import { describe, expect, test } from '@jest/globals';
import {
  CONFIG_MAPS,
  configMap,
  configuration,
  deployment,
  DEPLOYMENTS,
  fieldsByManager,
  pod,
  TestServer,
} from '../testing.js';

const leaf = {};

describe('managed fields of creates and updates', () => {
  test('a created object belongs to the manager of the query', () => {
    const server = new TestServer();
    const { body } = server.post(`${CONFIG_MAPS}?fieldManager=kubectl-create`, configMap('a', { l: '1' }));
    expect(body.metadata.managedFields).toEqual([
      {
        manager: 'kubectl-create',
        operation: 'Update',
        apiVersion: 'v1',
        time: '2026-01-02T03:04:05Z',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': leaf, 'f:a': leaf }, 'f:metadata': { 'f:labels': { '.': leaf, 'f:l': leaf } } },
      },
    ]);
  });

  test.each([
    ['kubectl/v1.36.0 (linux/amd64) kubernetes/abc', 'kubectl'],
    ['node-fetch', 'node-fetch'],
    ['x'.repeat(200), 'x'.repeat(128)],
  ])('without, to the first part of the user agent: %s', (agent, manager) => {
    const { body } = new TestServer().post(CONFIG_MAPS, configMap('a'), { 'user-agent': agent });
    expect(Object.keys(fieldsByManager(body))).toEqual([`${manager}/Update`]);
  });

  test("a deployment has upstream's shape: structs have no entry of their own, pointers and items have", () => {
    const { body } = new TestServer().post(`${DEPLOYMENTS}?fieldManager=m`, deployment('web'));
    expect(fieldsByManager(body)['m/Update']).toEqual({
      'f:spec': {
        'f:progressDeadlineSeconds': leaf,
        'f:replicas': leaf,
        'f:revisionHistoryLimit': leaf,
        'f:selector': leaf,
        'f:strategy': {
          'f:rollingUpdate': { '.': leaf, 'f:maxSurge': leaf, 'f:maxUnavailable': leaf },
          'f:type': leaf,
        },
        'f:template': {
          'f:metadata': { 'f:labels': { '.': leaf, 'f:app': leaf } },
          'f:spec': {
            'f:containers': {
              'k:{"name":"app"}': {
                '.': leaf,
                'f:image': leaf,
                'f:imagePullPolicy': leaf,
                'f:name': leaf,
                'f:resources': leaf,
                'f:terminationMessagePath': leaf,
                'f:terminationMessagePolicy': leaf,
              },
            },
            'f:dnsPolicy': leaf,
            'f:restartPolicy': leaf,
            'f:schedulerName': leaf,
            'f:securityContext': leaf,
            'f:terminationGracePeriodSeconds': leaf,
          },
        },
      },
    });
  });

  test("what admission adds to a pod is nobody's", () => {
    const { body } = new TestServer().post(
      '/api/v1/namespaces/default/pods?fieldManager=m',
      pod('p', { volumes: [{ name: 'v', emptyDir: {} }] }),
    );
    expect(fieldsByManager(body)['m/Update']).toEqual({
      'f:spec': {
        'f:containers': {
          'k:{"name":"app"}': {
            '.': leaf,
            'f:image': leaf,
            'f:imagePullPolicy': leaf,
            'f:name': leaf,
            'f:resources': leaf,
            'f:terminationMessagePath': leaf,
            'f:terminationMessagePolicy': leaf,
          },
        },
        'f:dnsPolicy': leaf,
        'f:enableServiceLinks': leaf,
        'f:restartPolicy': leaf,
        'f:schedulerName': leaf,
        'f:securityContext': leaf,
        'f:terminationGracePeriodSeconds': leaf,
        'f:volumes': { '.': leaf, 'k:{"name":"v"}': { '.': leaf, 'f:emptyDir': leaf, 'f:name': leaf } },
      },
    });
  });

  test('a service owns its ports by number and protocol, not the address it is given', () => {
    const { body } = new TestServer().post('/api/v1/namespaces/default/services?fieldManager=m', {
      metadata: { name: 's' },
      spec: { ports: [{ port: 80 }], selector: { a: 'b' } },
    });
    expect(fieldsByManager(body)['m/Update']).toEqual({
      'f:spec': {
        'f:internalTrafficPolicy': leaf,
        'f:ports': {
          '.': leaf,
          'k:{"port":80,"protocol":"TCP"}': { '.': leaf, 'f:port': leaf, 'f:protocol': leaf, 'f:targetPort': leaf },
        },
        'f:selector': leaf,
        'f:sessionAffinity': leaf,
        'f:type': leaf,
      },
    });
  });

  test('who changes a field takes it', () => {
    const server = new TestServer();
    server.post(`${CONFIG_MAPS}?fieldManager=one`, configuration({ a: '1', b: '1' }));
    const { body } = server.patch(`${CONFIG_MAPS}/a?fieldManager=two`, { data: { b: '2', c: '1' } });
    expect(fieldsByManager(body)).toEqual({
      'one/Update': { 'f:data': { '.': leaf, 'f:a': leaf } },
      'two/Update': { 'f:data': { 'f:b': leaf, 'f:c': leaf } },
    });
  });

  test("what is removed is nobody's, and a manager without fields is gone", () => {
    const server = new TestServer();
    server.post(`${CONFIG_MAPS}?fieldManager=one`, configuration({ a: '1' }));
    const { body } = server.patch(`${CONFIG_MAPS}/a?fieldManager=two`, { data: null });
    expect(body.metadata.managedFields).toBeUndefined();
  });

  test.each([
    ['an empty entry', [{}]],
    ['an empty list', []],
  ])('%s starts afresh', (_text, managedFields) => {
    const server = new TestServer();
    server.post(`${CONFIG_MAPS}?fieldManager=one`, configuration({ a: '1' }));
    const { body } = server.patch(`${CONFIG_MAPS}/a?fieldManager=two`, { metadata: { managedFields } });
    expect(body.metadata.managedFields).toBeUndefined();
  });

  test('entries that a client sends are taken when they can be read', () => {
    const server = new TestServer();
    server.post(`${CONFIG_MAPS}?fieldManager=one`, configuration({ a: '1' }));
    const entry = {
      manager: 'x',
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { 'f:a': {} } },
    };
    expect(
      fieldsByManager(server.patch(`${CONFIG_MAPS}/a?fieldManager=two`, { metadata: { managedFields: [entry] } }).body),
    ).toEqual({
      'x/Apply': { 'f:data': { 'f:a': leaf } },
    });
    const bad = { ...entry, fieldsV1: { data: {} } };
    expect(
      fieldsByManager(server.patch(`${CONFIG_MAPS}/a?fieldManager=two`, { metadata: { managedFields: [bad] } }).body),
    ).toEqual({
      'x/Apply': { 'f:data': { 'f:a': leaf } },
    });
  });

  test('an eleventh updater makes the oldest ancient', () => {
    const server = new TestServer();
    server.post(`${CONFIG_MAPS}?fieldManager=m0`, configuration({ k0: '' }));
    for (let i = 1; i <= 11; i++) server.patch(`${CONFIG_MAPS}/a?fieldManager=m${i}`, { data: { [`k${i}`]: '' } });
    const found = fieldsByManager(server.get(`${CONFIG_MAPS}/a`).body);
    expect(Object.keys(found)).toHaveLength(10);
    expect(found['ancient-changes/Update']).toBeDefined();
  });

  test('status and scale are owned by way of their subresources', () => {
    const server = new TestServer();
    server.post(`${DEPLOYMENTS}?fieldManager=one`, deployment('web', 1));
    server.call(
      'PATCH',
      `${DEPLOYMENTS}/web/status?fieldManager=two`,
      { status: { replicas: 1 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    server.call(
      'PATCH',
      `${DEPLOYMENTS}/web/scale?fieldManager=three`,
      { spec: { replicas: 3 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    const {
      'two/Update/status': status,
      'three/Update/scale': scale,
      'one/Update': one,
    } = fieldsByManager(server.get(`${DEPLOYMENTS}/web`).body);
    expect({ status, scale, replicas: (one as any)['f:spec']['f:replicas'] }).toEqual({
      status: { 'f:status': { 'f:replicas': leaf } },
      scale: { 'f:spec': { 'f:replicas': leaf } },
      replicas: undefined,
    });
  });
});
