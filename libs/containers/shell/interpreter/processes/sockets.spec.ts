import { expect, test } from '@jest/globals';
import { NO_NETWORK, type Network } from '../../../../engine/kernel/network.js';
import { runLine } from '../../../tools/testing/run-line.js';
import { programs } from '../../index.js';
import { testScripts } from '../../testing.js';

const REFUSED = 'bash: connect: Connection refused\nbash: line 1: /dev/tcp/127.0.0.1/1: Connection refused\n';

testScripts('sockets of redirections', [
  { script: '</dev/tcp/127.0.0.1/1', bash: ['', REFUSED, 1] },
  { script: 'exec 3<>/dev/tcp/127.0.0.1/1; echo go on $?', bash: ['go on 1\n', REFUSED, 0] },
  { script: '(</dev/tcp/127.0.0.1/1) 2>/dev/null || echo closed', bash: ['closed\n', '', 0] },
  { script: 'echo hi 2>/dev/null >/dev/tcp/127.0.0.1/1; { cat; } </dev/tcp/127.0.0.1/1', bash: ['', REFUSED, 1] },
  {
    script: 'cat </dev/tcp/nosuch.invalid/80; echo $?; cat </dev/tcp/127.0.0.1/nosuch',
    bash: [
      '1\n',
      'bash: line 1: nosuch.invalid: Name or service not known\n' +
        'bash: line 1: /dev/tcp/nosuch.invalid/80: Invalid argument\n' +
        'bash: line 1: nosuch: Servname not supported for ai_socktype\n' +
        'bash: line 1: /dev/tcp/127.0.0.1/nosuch: Invalid argument\n',
      1,
    ],
  },
  {
    script: 'cat </dev/tcp/127.0.0.1/1',
    dash: ['', 'sh: 1: cannot open /dev/tcp/127.0.0.1/1: No such file\n', 2],
    ash: ['', "sh: can't open /dev/tcp/127.0.0.1/1: no such file\n", 1],
  },
]);

/** A server that answers a whole request, and ends. */
const network: Network = {
  ...NO_NETWORK,
  connect: () => ({
    remote: {
      answer: (request) => (request.includes('\n\n') ? { send: 'hello\n', close: true } : { send: '', close: false }),
    },
  }),
};

test.each([
  ['exec 3<>/dev/tcp/10.0.0.8/80; printf "GET /\\n\\n" >&3; cat <&3; exec 3>&-', 'hello\n'],
  ['{ printf "GET /\\n\\n" >&0; cat; } <>/dev/tcp/10.0.0.8/http', 'hello\n'],
  ['</dev/tcp/10.0.0.8/80 && echo open', 'open\n'],
])('%s', (line, stdout) => {
  const outcome = runLine({ bash: programs['bash']! }, `bash -c '${line}'`, {}, {}, { network });
  expect(outcome).toEqual({ stdout, stderr: '', code: 0 });
});
