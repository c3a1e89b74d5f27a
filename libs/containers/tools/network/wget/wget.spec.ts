import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

/** 10.96.0.8:80 says what it got; what is asked of 10.96.0.9 is lost; the rest is refused. */
const network: Network = {
  ...NO_NETWORK,
  connect(_from, address, port) {
    if (address === '10.96.0.9') return { error: 'ETIMEDOUT', after: 130_000 };
    if (address !== '10.96.0.8' || port !== 80) return { error: 'ECONNREFUSED', after: 0 };
    return {
      remote: { answer: (received) => ({ send: received.includes('\r\n\r\n') ? reply(received) : '', close: true }) },
    };
  },
};
function reply(request: string): string {
  const [head = '', body = ''] = request.split('\r\n\r\n');
  const line = head.split('\r\n')[0]!;
  const text = `${line.replace(' HTTP/1.1', '')} ${body}\n`;
  const status = line.includes('/none') ? '404 Not Found' : '200 OK';
  return `HTTP/1.1 ${status}\r\nContent-Length: ${text.length}\r\n\r\n${line.startsWith('HEAD') ? '' : text}`;
}
const TOOLS = { wget: programs['wget:wget']!, bwget: programs['busybox:wget']! };
const FILES = { '/data': 'a=1' };
const TIME = '2026-11-22 00:00:0';

test.each([
  ['wget -q --post-file=/data -O- 10.96.0.8/x', 'POST /x a=1\n', '', 0],
  ['bwget -q --post-file=/data -O- 10.96.0.8/x', 'POST /x a=1\n', '', 0],
  ['wget -q --method=put --body-data=b -O- 10.96.0.8/x', 'PUT /x b\n', '', 0],
  ['wget --post-file=/nope 10.96.0.8', '', "BODY data file '/nope' missing: No such file or directory\n", 3],
  ['bwget --post-file=/nope 10.96.0.8', '', "bwget: can't open '/nope': No such file or directory\n", 1],
  ['wget -q -P out/in 10.96.0.8/x; cat out/in/x', 'GET /x \n', '', 0],
  ['wget -q 10.96.0.8/x; wget -q 10.96.0.8/x; cat x x.1', 'GET /x \nGET /x \n', '', 0],
  ['wget -q 10.96.0.8/x; wget -nc 10.96.0.8/x', '', "File 'x' already there; not retrieving.\n\n", 0],
  ['wget -nv 10.96.0.8/x', '', `${TIME}0 URL:http://10.96.0.8/x [8/8] -> "x" [1]\n`, 0],
  ['wget -T x 10.96.0.8', '', "wget: --timeout: Invalid time period 'x'\n", 2],
  [
    'wget --spider 10.96.0.8/none',
    '',
    `Spider mode enabled. Check if remote file exists.\n--${TIME}0--  http://10.96.0.8/none\n` +
      'Connecting to 10.96.0.8:80... connected.\nHTTP request sent, awaiting response... 404 Not Found\n' +
      'Remote file does not exist -- broken link!!!\n\n',
    8,
  ],
  [
    'wget -t 2 -T 1 10.96.0.9',
    '',
    `--${TIME}0--  http://10.96.0.9/\nConnecting to 10.96.0.9:80... failed: Connection timed out.\nRetrying.\n\n` +
      `--${TIME}2--  (try: 2)  http://10.96.0.9/\nConnecting to 10.96.0.9:80... failed: Connection timed out.\n` +
      'Giving up.\n\n',
    4,
  ],
  [
    'wget -t 2 --retry-connrefused 10.96.0.8:81',
    '',
    `--${TIME}0--  http://10.96.0.8:81/\nConnecting to 10.96.0.8:81... failed: Connection refused.\nRetrying.\n\n` +
      `--${TIME}1--  (try: 2)  http://10.96.0.8:81/\nConnecting to 10.96.0.8:81... failed: Connection refused.\n` +
      'Giving up.\n\n',
    4,
  ],
])('%s', (line, stdout, stderr, code) =>
  expect(runLine(TOOLS, line, FILES, {}, { network })).toEqual({ stdout, stderr, code }),
);
