import { expect, test } from '@jest/globals';
import { isInside, parseNetConf } from './net-conf.js';

test.each([
  [
    { Network: '10.244.0.0/16', Backend: { Type: 'vxlan' } },
    { network: '10.244.0.0/16', backend: 'vxlan', vni: 1 },
  ],
  [{ Network: '10.5.0.0/16' }, { network: '10.5.0.0/16', backend: 'udp', vni: 1 }],
  [
    { Network: '10.5.0.0/16', Backend: { Type: 'vxlan', VNI: 4096 } },
    { network: '10.5.0.0/16', backend: 'vxlan', vni: 4_096 },
  ],
  [{ Network: '10.5.0.0' }, { error: 'error parsing subnet config: invalid CIDR address: 10.5.0.0' }],
  [{}, { error: 'error parsing subnet config: please define a correct Network parameter in the flannel config' }],
])('%j is %j', (value, conf) => {
  expect(parseNetConf(JSON.stringify(value))).toEqual(conf);
});

test.each([
  ['{"Network":', 'unexpected end of JSON input'],
  ['Network: 10.5.0.0/16', "invalid character 'N' looking for beginning of value"],
])('%s cannot be read', (text, why) => {
  expect(parseNetConf(text)).toEqual({ error: `error parsing subnet config: ${why}` });
});

test.each([
  ['10.244.1.0/24', '10.244.0.0/16', true],
  ['10.244.1.0/24', '172.17.0.0/16', false],
  ['10.0.0.0/8', '10.244.0.0/16', false],
  ['', '10.244.0.0/16', false],
])('%s is inside of %s: %s', (inner, outer, yes) => {
  expect(isInside(inner, outer)).toBe(yes);
});
