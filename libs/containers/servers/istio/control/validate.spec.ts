import { expect, test } from '@jest/globals';
import type { Asked } from '../../../programs/review.js';
import { validateObject } from './validate.js';

const ROUTE = { route: [{ destination: { host: 'web' } }] };
const messageOf = (kind: string, spec: object): string | undefined =>
  validateObject({
    ...{ operation: 'CREATE', oldObject: null },
    object: { apiVersion: 'networking.istio.io/v1', kind, spec },
  } as unknown as Asked).status?.message?.replace('configuration is invalid: ', '');

test.each<[string, object, string | undefined]>([
  ['VirtualService', { hosts: ['web'], http: [ROUTE] }, undefined],
  ['VirtualService', { hosts: ['web'] }, 'http, tcp or tls must be provided in virtual service'],
  [
    'VirtualService',
    { hosts: ['*'], http: [ROUTE] },
    'wildcard host * is not allowed for virtual services bound to the mesh gateway',
  ],
  ['VirtualService', { hosts: ['*'], gateways: ['g'], http: [ROUTE] }, undefined],
  ['VirtualService', { hosts: ['web'], http: [{}] }, 'HTTP route, redirect or direct_response is required'],
  [
    'VirtualService',
    { hosts: ['web'], http: [{ ...ROUTE, redirect: {} }] },
    'HTTP route cannot contain both route and redirect',
  ],
  [
    'VirtualService',
    { hosts: ['web'], http: [{ ...ROUTE, fault: { abort: { httpStatus: 99 } } }] },
    'HTTP status 99 is not in range 200-599',
  ],
  [
    'VirtualService',
    { hosts: ['web'], http: [{ route: [{ destination: { host: 'a' } }, { destination: { host: 'b' } }] }] },
    'total destination weight = 0',
  ],
  [
    'VirtualService',
    { hosts: ['web', 'web'] },
    '2 errors occurred:\n\t* duplicate hosts in virtual service: web & web\n\t* http, tcp or tls must be provided in virtual service\n\n',
  ],
  ['DestinationRule', { host: 'web', subsets: [{ name: 'v1' }, { name: 'v1' }] }, 'duplicate subset names: v1'],
  ['Gateway', { servers: [] }, 'gateway must have at least one server'],
  [
    'Gateway',
    { servers: [{ hosts: ['*'], port: { number: 443, name: 'h', protocol: 'HTTPS' } }] },
    'server must have TLS settings for HTTPS/TLS protocols',
  ],
  ['Gateway', { servers: [{ hosts: ['*'], port: { number: 80, name: 'h', protocol: 'HTTP' } }] }, undefined],
  [
    'PeerAuthentication',
    { portLevelMtls: { '80': { mode: 'STRICT' } } },
    'mesh/namespace peer authentication cannot have port level mTLS',
  ],
  ['AuthorizationPolicy', { rules: [{ from: [] }] }, '`from` cannot be empty, found at rule 0'],
  ['Telemetry', {}, undefined],
])('%s %j', (kind, spec, expected) => expect(messageOf(kind, spec)).toBe(expected));
