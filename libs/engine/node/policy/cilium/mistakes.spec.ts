import { expect, test } from '@jest/globals';
import type { CiliumPolicyObject } from '../../cni/cilium/objects.js';
import { findMistake } from './mistakes.js';
import { ciliumPolicy } from './testing.js';

const SUBJECT = { endpointSelector: {} };
const ports = (list: object[], rules?: object): object => ({ ingress: [{ toPorts: [{ ports: list, rules }] }] });

test.each<[object, string | undefined]>([
  [SUBJECT, undefined],
  [{ ...SUBJECT, egress: [{ toCIDR: ['10.0.0.0/8', '10.1.1.1'] }] }, undefined],
  [{}, 'rule must have one of EndpointSelector or NodeSelector'],
  [{ ...SUBJECT, nodeSelector: {} }, 'rule cannot have both EndpointSelector and NodeSelector'],
  [
    { ...SUBJECT, ingress: [{ fromEndpoints: [{}], fromEntities: ['world'] }] },
    'combining FromEndpoints and FromEntities is not supported yet',
  ],
  [{ ...SUBJECT, ingressDeny: [{ fromCIDR: ['x'] }] }, 'unable to parse CIDR: invalid CIDR address: x'],
  [
    { ...SUBJECT, egress: [{ toCIDRSet: [{ cidr: '10.0.0.0/8', except: ['11.0.0.0/24'] }] }] },
    'allow CIDR prefix 10.0.0.0/8 does not contain exclude CIDR prefix 11.0.0.0/24',
  ],
  [{ ...SUBJECT, egress: [{ toCIDRSet: [{}] }] }, 'one of cidr, cidrGroupRef, or cidrGroupSelector must be provided'],
  [
    { ...SUBJECT, ...ports([{ port: '80' }], { http: [{}] }) },
    'L7 rules can only apply to TCP (not ANY) except for DNS rules',
  ],
  [
    { ...SUBJECT, ...ports([{ port: '0', protocol: 'TCP' }], { http: [{}] }) },
    'L7 rules can not be used when a port is 0',
  ],
  [{ ...SUBJECT, ...ports([{ port: '' }]) }, 'Port must be specified'],
])('%j', (spec, mistake) => {
  const found = findMistake(ciliumPolicy('shop/p', spec) as CiliumPolicyObject);
  expect(found).toBe(mistake === undefined ? undefined : `Invalid CiliumNetworkPolicy spec: ${mistake}`);
});
