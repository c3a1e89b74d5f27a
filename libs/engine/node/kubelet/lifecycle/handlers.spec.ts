import { expect, test } from '@jest/globals';
import type { HTTPGetAction } from '../../../api/core_v1.js';
import { container } from '../testing.js';
import { runHTTPHandler, type Send } from './handlers.js';

const own = container('c', { ports: [{ name: 'web', containerPort: 8080 }] });

function run(action: HTTPGetAction, answers: ReturnType<Send>[]): { requests: string[]; failure: string | undefined } {
  const requests: string[] = [];
  const failure = runHTTPHandler(action, own, '10.244.1.2', (address, { scheme, port, path }) => {
    requests.push(`${scheme}://${address}:${port}${path}`);
    return answers[requests.length - 1];
  });
  return { requests, failure };
}

test.each<[string, HTTPGetAction, ReturnType<Send>[], string[], string | undefined]>([
  ['the pod itself', { port: 80, path: '/a' }, [{ status: 200 }], ['http://10.244.1.2:80/a'], undefined],
  ['another host', { host: '10.0.0.9', port: 80 }, [{ status: 200 }], ['http://10.0.0.9:80/'], undefined],
  ['a named port', { port: 'web', path: 'a' }, [{ status: 200 }], ['http://10.244.1.2:8080/a'], undefined],
  ['any status code', { port: 80 }, [{ status: 500 }], ['http://10.244.1.2:80/'], undefined],
  ['a server that takes its time', { port: 80 }, [undefined], ['http://10.244.1.2:80/'], undefined],
  ['HTTPS', { port: 443, scheme: 'HTTPS' }, [{ status: 200 }], ['https://10.244.1.2:443/'], undefined],
  [
    'HTTPS at a server of plain HTTP',
    { port: 80, scheme: 'HTTPS' },
    [{ error: 'malformed HTTP response' }, { status: 200 }],
    ['https://10.244.1.2:80/', 'http://10.244.1.2:80/'],
    undefined,
  ],
  [
    'nothing that listens',
    { port: 81 },
    [{ error: 'dial tcp 10.244.1.2:81: connect: connection refused' }],
    ['http://10.244.1.2:81/'],
    'Get "http://10.244.1.2:81/": dial tcp 10.244.1.2:81: connect: connection refused',
  ],
])('a hook asks %s', (_name, action, answers, requests, failure) => {
  expect(run(action, answers)).toEqual({ requests, failure });
});
