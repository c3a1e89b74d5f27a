import { describe, expect, test } from '@jest/globals';
import { createService, serviceErrors, serviceUpdateErrors, type ServiceSpec } from './testing.js';

const ports = [{ port: 80 }];
const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe('ports', () => {
  test.each<[string, ServiceSpec, string[]]>([
    ['none', {}, ['spec.ports: Required value']],
    ['none, headless', { clusterIP: 'None' }, []],
    [
      'two without names',
      { ports: [{ port: 80 }, { port: 81 }] },
      ['spec.ports[0].name: Required value', 'spec.ports[1].name: Required value'],
    ],
    [
      'two of one name',
      {
        ports: [
          { port: 80, name: 'a' },
          { port: 81, name: 'a' },
        ],
      },
      ['spec.ports[1].name: Duplicate value: "a"'],
    ],
    [
      'one twice',
      {
        ports: [
          { port: 80, name: 'a' },
          { port: 80, name: 'b' },
        ],
      },
      [
        'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":80,"TargetPort":0,"NodePort":0}',
      ],
    ],
    [
      'a name that is no label',
      { ports: [{ port: 80, name: 'A' }] },
      [`spec.ports[0].name: Invalid value: "A": ${LABEL}`],
    ],
    [
      'a port of 0',
      { ports: [{ port: 0 }] },
      [
        'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      'an unknown protocol',
      { ports: [{ port: 80, protocol: 'HTTP' }] },
      ['spec.ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      'a node port of a ClusterIP',
      { ports: [{ port: 80, nodePort: 30080 }] },
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
  ])('%s', (_, spec, errors) => expect(serviceErrors(spec)).toEqual(errors));
});

describe('types', () => {
  test.each<[string, ServiceSpec, string[]]>([
    [
      'an unknown type',
      { type: 'Cluster', ports },
      [
        'spec.type: Unsupported value: "Cluster": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
      ],
    ],
    ['no external name', { type: 'ExternalName' }, ['spec.externalName: Required value']],
    ['an external name with a dot at its end', { type: 'ExternalName', externalName: 'example.com.' }, []],
    [
      'an external name with addresses',
      { type: 'ExternalName', externalName: 'example.com', clusterIP: '10.96.0.9', ipFamilies: ['IPv4'] },
      [
        'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
        'spec.ipFamilies: Forbidden: may not be set for ExternalName services',
      ],
    ],
    [
      'a headless NodePort',
      { type: 'NodePort', clusterIP: 'None', ports, selector: { a: 'b' } },
      ['spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services'],
    ],
  ])('%s', (_, spec, errors) => expect(serviceErrors(spec)).toEqual(errors));
});

describe('traffic', () => {
  test.each<[string, ServiceSpec, string[]]>([
    [
      'external loopback',
      { ports, externalIPs: ['127.0.0.1'] },
      ['spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ],
    [
      'an unknown affinity',
      { ports, sessionAffinity: 'Cookie' },
      ['spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"'],
    ],
    [
      'affinity for more than a day',
      { ports, sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } },
      [
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400',
      ],
    ],
    [
      'an external policy of what is not reached from outside',
      { ports, externalTrafficPolicy: 'Local' },
      ['spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services'],
    ],
    [
      'unknown policies',
      {
        type: 'NodePort',
        ports,
        externalTrafficPolicy: 'Far',
        internalTrafficPolicy: 'Near',
        trafficDistribution: 'Even',
      },
      [
        'spec.externalTrafficPolicy: Unsupported value: "Far": supported values: "Cluster", "Local"',
        'spec.internalTrafficPolicy: Unsupported value: "Near": supported values: "Cluster", "Local"',
        'spec.trafficDistribution: Unsupported value: "Even": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
      ],
    ],
    [
      'a health check of what has none',
      { type: 'NodePort', ports, healthCheckNodePort: 30999 },
      [
        "spec.healthCheckNodePort: Invalid value: 30999: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ],
    ],
    [
      'what only load balancers have',
      {
        ports,
        loadBalancerSourceRanges: ['10.0.0.0/8'],
        allocateLoadBalancerNodePorts: false,
        loadBalancerClass: 'example.com/lb',
      },
      ['LoadBalancerSourceRanges', 'allocateLoadBalancerNodePorts', 'loadBalancerClass'].map(
        (field) => `spec.${field}: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
      ),
    ],
    [
      'a source range that is none',
      { type: 'LoadBalancer', ports, loadBalancerSourceRanges: ['10.0.0.0'] },
      [
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
      ],
    ],
  ])('%s', (_, spec, errors) => expect(serviceErrors(spec)).toEqual(errors));
});

describe('an update', () => {
  const old = createService({
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    loadBalancerClass: 'example.com/a',
    ports: [{ port: 80, nodePort: 30080 }],
  });
  test.each<[string, ServiceSpec, string[]]>([
    ['of the port', { ports: [{ port: 81, nodePort: 30080 }] }, []],
    [
      'of the class',
      { loadBalancerClass: 'example.com/b' },
      ['spec.loadBalancerClass: Invalid value: "example.com/b": may not change once set'],
    ],
    [
      'of the health check',
      { healthCheckNodePort: 31999 },
      ['spec.healthCheckNodePort: Forbidden: field is immutable'],
    ],
  ])('%s', (_, spec, errors) => expect(serviceUpdateErrors(old, { ...old.spec, ...spec })).toEqual(errors));
});
