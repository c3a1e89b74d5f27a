import { describe, expect, test } from '@jest/globals';
import { AGE, errorsOf, make, row } from '../../testing.js';
import { kind as Ingresses } from './kind.js';

const backend = { service: { name: 'shop', port: { number: 80 } } };

const path = (fields: object): object => ({
  spec: {
    rules: [{ host: 'shop.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...fields }] } }],
  },
});

const at = 'spec.rules[0].http.paths[0]';

describe('an Ingress', () => {
  test.each<[string, object, string[]]>([
    [
      'without rules and default backend',
      { spec: {} },
      ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
    ],
    [
      'of the old form, its unknown fields dropped',
      path({ pathType: undefined, backend: {} }),
      [`${at}.pathType: Required value: pathType must be specified`],
    ],
    [
      'with an unknown path type',
      path({ pathType: 'Regex' }),
      [`${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`],
    ],
    ['with a relative path', path({ path: 'x' }), [`${at}.path: Invalid value: "x": must be an absolute path`]],
    ['with dots in the path', path({ path: '/a/..' }), [`${at}.path: Invalid value: "/a/..": cannot end with '/..'`]],
    [
      'with an empty backend',
      path({ backend: {} }),
      [`${at}.backend: Invalid value: "": resource or service backend is required`],
    ],
    [
      'with both backends',
      path({ backend: { ...backend, resource: { kind: 'A', name: 'b' } } }),
      [`${at}.backend: Invalid value: "": cannot set both resource and service backends`],
    ],
    [
      'without a port',
      path({ backend: { service: { name: 'shop' } } }),
      [`${at}.backend: Required value: port name or number is required`],
    ],
    [
      'with two ports',
      path({ backend: { service: { name: 'shop', port: { name: 'http', number: 80 } } } }),
      [`${at}.backend: Invalid value: "": cannot set both port name & port number`],
    ],
    [
      'with an address for a host',
      { spec: { rules: [{ host: '10.0.0.1' }] } },
      ['spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
    ],
    [
      'whose class and annotation differ',
      {
        metadata: { annotations: { 'kubernetes.io/ingress.class': 'a' } },
        spec: { ingressClassName: 'b', defaultBackend: backend },
      },
      [
        'annotations.kubernetes.io/ingress.class: Invalid value: "a": must match `ingressClassName` when both are specified',
      ],
    ],
    ['that is good', path({}), []],
  ])('%s', (_, fields, errors) => expect(errorsOf(Ingresses, { ...fields })).toEqual(errors));

  test('prints its class, hosts, address and ports', () => {
    const rules = ['a.io', 'b.io', 'c.io', 'd.io', 'e.io'].map((host) => ({ host }));
    const ingress = make(Ingresses, {
      spec: { ingressClassName: 'nginx', rules, tls: [{}] },
      status: { loadBalancer: { ingress: [{ ip: '203.0.113.10' }, { ip: '203.0.113.9' }] } },
    });
    expect(row(Ingresses, ingress)).toEqual({
      Name: 'a',
      Class: 'nginx',
      Hosts: 'a.io,b.io,c.io + 2 more...',
      Address: '203.0.113.10,...',
      Ports: '80, 443',
      Age: AGE,
    });
    expect(row(Ingresses, make(Ingresses))).toEqual({
      Name: 'a',
      Class: '<none>',
      Hosts: '*',
      Address: '',
      Ports: '80',
      Age: AGE,
    });
  });
});
