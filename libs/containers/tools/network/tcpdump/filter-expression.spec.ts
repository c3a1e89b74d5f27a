import { expect, test } from '@jest/globals';
import type { Packet } from '../../../../engine/kernel/capture/packet.js';
import { parseFilter } from './filter-expression.js';

const packet: Packet = {
  ...{ at: 0, device: 'eth0', isOut: true, protocol: 'tcp', length: 0, head: '' },
  ...{ source: '10.244.1.5', sourcePort: 40_000, destination: '10.96.0.8', destinationPort: 80 },
};

test.each([
  ['', true],
  ['port 80', true],
  ['port http', true],
  ['tcp port 80', true],
  ['udp port 80', false],
  ['tcp', true],
  ['not tcp', false],
  ['src port 80', false],
  ['dst port 80', true],
  ['host 10.96.0.8', true],
  ['src host 10.96.0.8', false],
  ['dst 10.96.0.8', true],
  ['net 10.244.0.0/16', true],
  ['src net 10.96.0.0/12', false],
  ['portrange 79-81', true],
  ['icmp or port 80', true],
  ['tcp and (port 81 or host 10.244.1.5)', true],
  ['! port 80', false],
  ['ip6', false],
  ['port 443 or 80', true],
  ['dst port 443 or 80', true],
  ['src port 443 or 80', false],
  ['host 10.0.0.1 or 10.96.0.8', true],
])('%j: %s', (expression, expected) => expect(parseFilter(expression.split(' '))(packet)).toBe(expected));

test.each([
  ['port', "can't parse filter expression: syntax error"],
  ['port 80 81', "can't parse filter expression: syntax error"],
  ['host nowhere', "unknown host 'nowhere'"],
  ['port nothing', "unknown port 'nothing'"],
  ['port 70000', 'illegal port number 70000 > 65535'],
  ['net 10.0.0.0/99', "can't parse filter expression: syntax error"],
  [`${'( '.repeat(50)}tcp`, "can't parse filter expression: syntax error"],
  [Array(300).fill('tcp').join(' and '), "can't parse filter expression: syntax error"],
])('%j is refused', (expression, message) => expect(() => parseFilter(expression.split(' '))).toThrow(message));
