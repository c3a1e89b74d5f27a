import { expect, test } from '@jest/globals';
import { podErrors, web } from '../testing.js';

const five = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'];
const IP = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const many = Array.from({ length: 33 }, (_, i) => `d${i}.example.com`);

test.each<[string, object, string[]]>([
  [
    'a whole configuration',
    {
      dnsConfig: {
        nameservers: ['10.0.0.1'],
        searches: ['a_b.example.com.', '.'],
        options: [{ name: 'ndots', value: '2' }],
      },
    },
    [],
  ],
  [
    'an unknown policy',
    { dnsPolicy: 'Mine' },
    [
      'spec.dnsPolicy: Unsupported value: "Mine": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
    ],
  ],
  [
    'None without a configuration',
    { dnsPolicy: 'None' },
    ['spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
  ],
  [
    'None without a server',
    { dnsPolicy: 'None', dnsConfig: {} },
    ['spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver when `dnsPolicy` is None'],
  ],
  [
    'too many servers',
    { dnsConfig: { nameservers: five } },
    [`spec.dnsConfig.nameservers: Invalid value: ${JSON.stringify(five)}: must not have more than 3 nameservers`],
  ],
  [
    'a server that is no address',
    { dnsConfig: { nameservers: ['dns'] } },
    [`spec.dnsConfig.nameservers[0]: Invalid value: "dns": ${IP}`],
  ],
  [
    'too many searches',
    { dnsConfig: { searches: many } },
    [`spec.dnsConfig.searches: Invalid value: ${JSON.stringify(many)}: must not have more than 32 search paths`],
  ],
  [
    'an option without a name',
    { dnsConfig: { options: [{ value: '2' }] } },
    ['spec.dnsConfig.options[0]: Required value: must not be empty'],
  ],
])('%s', (_, spec, errors) => expect(podErrors({ containers: [web], ...spec })).toEqual(errors));
