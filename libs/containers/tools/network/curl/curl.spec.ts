import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { runLine } from '../../machine-testing.js';
import { programs } from '../index.js';

const ETH0 = { name: 'eth0', index: 2, addresses: ['10.0.0.2/24'], mac: '0a:00:00:00:00:02', mtu: 1_500, isUp: true };

/** It says what it got; /old is elsewhere. */
const network: Network = {
  ...NO_NETWORK,
  interfaces: () => [...NO_NETWORK.interfaces(), ETH0],
  connect: () => ({
    remote: { answer: (received) => ({ send: received.includes('\r\n\r\n') ? reply(received) : '', close: true }) },
  }),
};
function reply(request: string): string {
  if (request.includes(' /old ')) return 'HTTP/1.1 302 Found\r\nLocation: /old\r\nContent-Length: 0\r\n\r\n';
  const body = `${request.split('\r\n\r\n')[1]}\n`;
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
const TRY = "curl: try 'curl --help' or 'curl --manual' for more information\n";

const UNBOUND = 'bind failed with errno 99: Cannot assign requested address';

test.each([
  ['curl -s --data-urlencode "a b=c" 10.0.0.8', 'a b=c\n', '', 0],
  ['curl -s --data-urlencode "=a b" --data-urlencode "c=d&" 10.0.0.8', 'a%20b&c=d%26\n', '', 0],
  ['curl -s --data-urlencode x@/data --data-urlencode @/data 10.0.0.8', 'x=1%202&1%202\n', '', 0],
  ['curl -sSL --max-redirs 2 10.0.0.8/old', '', 'curl: (47) Maximum (2) redirects followed\n', 47],
  ['curl -s -w "%{nope}%{http_code}" 10.0.0.8', '\n200', "curl: unknown --write-out variable: 'nope'\n", 0],
  ['curl -c jar 10.0.0.8', '', `curl: option --cookie-jar: is not simulated here\n${TRY}`, 2],
  ['curl -s --interface 10.0.0.2 -d a 10.0.0.8', 'a\n', '', 0],
  ['curl -s --interface if!eth0 -d a 10.0.0.8', 'a\n', '', 0],
  ['curl -sS --interface 9.9.9.9 10.0.0.8', '', `curl: (45) ${UNBOUND}\n`, 45],
  ['curl -sS --interface eth9 10.0.0.8', '', "curl: (45) Couldn't bind to 'eth9'\n", 45],
  ['curl -sS --interface if!10.0.0.2 10.0.0.8', '', "curl: (45) Couldn't bind to interface '10.0.0.2'\n", 45],
  ['curl -m x 10.0.0.8', '', `curl: option --max-time: expected a proper numerical parameter\n${TRY}`, 2],
])('%s', (line, stdout, stderr, code) =>
  expect(runLine({ curl: programs['curl:curl']! }, line, { '/data': '1 2' }, {}, { network })).toEqual({
    ...{ stdout, stderr, code },
  }),
);
