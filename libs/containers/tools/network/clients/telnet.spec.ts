import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { runLine } from '../../testing/run-line.js';
import { programs } from '../index.js';

/** 10.0.0.8:25 repeats a line and ends; the rest is refused. */
const network: Network = {
  ...NO_NETWORK,
  connect(_from, _address, port) {
    if (port !== 25) return { error: 'ECONNREFUSED', after: 0 };
    return { remote: { answer: (got) => ({ send: got.endsWith('\n') ? `> ${got}` : '', close: true }) } };
  },
};
const TOOLS = { telnet: programs['inetutils:telnet']!, btelnet: programs['busybox:telnet']! };
const IN = '{ echo hi; sleep 5; } | ';

test.each([
  ['telnet 10.0.0.8 81', 'Trying 10.0.0.8...\n', 'telnet: Unable to connect to remote host: Connection refused\n', 1],
  ['btelnet 10.0.0.8 81', '', "btelnet: can't connect to remote host (10.0.0.8): Connection refused\n", 1],
  [
    `${IN}telnet 10.0.0.8 25`,
    "Trying 10.0.0.8...\nConnected to 10.0.0.8.\nEscape character is '^]'.\n> hi\r\n",
    'Connection closed by foreign host.\n',
    1,
  ],
  [`${IN}btelnet 10.0.0.8 25`, 'Connected to 10.0.0.8\n> hi\r\n', 'Connection closed by foreign host\r\n', 1],
])('%s', (line, stdout, stderr, code) =>
  expect(runLine(TOOLS, line, {}, {}, { network })).toEqual({ stdout, stderr, code }),
);
