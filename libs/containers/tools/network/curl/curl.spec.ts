import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

const ETH0 = { name: 'eth0', index: 2, addresses: ['10.0.0.2/24'], mac: '0a:00:00:00:00:02', mtu: 1_500, isUp: true };
/** As a node has it to a pod. */
const VETH = { ...ETH0, name: 'veth1', index: 1, addresses: ['10.0.1.1/32'] };

/** It says what it got; /old is elsewhere. */
const network: Network = {
  ...NO_NETWORK,
  interfaces: () => [...NO_NETWORK.interfaces(), VETH, ETH0],
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

const TYPE = /Content-Type: multipart\/form-data; boundary=(-{24}[A-Za-z0-9]{22})\r\n/;
/** It says which request it got, with a short boundary. */
const echoing: Network = {
  ...NO_NETWORK,
  connect: () => ({
    remote: {
      answer: (received) => {
        const boundary = TYPE.exec(received)?.[1];
        if (boundary === undefined || !received.includes(`--${boundary}--`)) return { send: '', close: false };
        const body = received.slice(received.indexOf('\r\n\r\n') + 4).replaceAll(boundary, 'B');
        return { send: `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`, close: true };
      },
    },
  }),
};
const part = (head: string, content: string): string =>
  `--B\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;

test.each([
  ['-F a=1 -F "b=x y"', `${part('name="a"', '1')}${part('name="b"', 'x y')}--B--\r\n`, '', 0],
  ['-F f=@/data.txt', `${part('name="f"; filename="data.txt"\r\nContent-Type: text/plain', '1 2')}--B--\r\n`, '', 0],
  [
    '-F "f=@/data.txt;type=a/b;filename=n"',
    `${part('name="f"; filename="n"\r\nContent-Type: a/b', '1 2')}--B--\r\n`,
    '',
    0,
  ],
  ['-F "f=</data.txt"', `${part('name="f"', '1 2')}--B--\r\n`, '', 0],
  ['--form-string f=@x', `${part('name="f"', '@x')}--B--\r\n`, '', 0],
  ['-F f=@/nope', '', 'curl: (26) Failed to open/read local data from file/application\n', 26],
  ['-F f', '', `Warning: Illegally formatted input field!\ncurl: option -F: is badly used here\n${TRY}`, 2],
  [
    '-d a -F f=1',
    '',
    'Warning: You can only select one HTTP request method! You asked for both POST \n' +
      'Warning: (-d, --data) and multipart formpost (-F, --form).\n',
    2,
  ],
])('curl %s', (line, stdout, stderr, code) =>
  expect(
    runLine(
      { curl: programs['curl:curl']! },
      `curl -s ${line} 10.0.0.8`,
      { '/data.txt': '1 2' },
      {},
      { network: echoing },
    ),
  ).toEqual({ stdout, stderr, code }),
);
