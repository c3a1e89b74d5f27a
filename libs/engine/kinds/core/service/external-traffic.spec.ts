import { expect, test } from '@jest/globals';
import { isExternallyAccessible, needsHealthCheck, usesNodePorts } from './external-traffic.js';

test.each([
  [{ type: 'ClusterIP' }, false, false, false],
  [{ type: 'ClusterIP', externalIPs: ['192.0.2.1'] }, false, true, false],
  [{ type: 'ExternalName', externalIPs: ['192.0.2.1'] }, false, false, false],
  [{ type: 'NodePort', externalTrafficPolicy: 'Local' }, true, true, false],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Cluster' }, true, true, false],
  [{ type: 'LoadBalancer', externalTrafficPolicy: 'Local' }, true, true, true],
])('%j: node ports %s, reached from outside %s, health check %s', (spec, nodePorts, external, healthCheck) =>
  expect([usesNodePorts(spec), isExternallyAccessible(spec), needsHealthCheck(spec)]).toEqual([
    nodePorts,
    external,
    healthCheck,
  ]),
);
