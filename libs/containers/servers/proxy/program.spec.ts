import { expect, test } from '@jest/globals';
import { BOOT, containerOf, imageOf, logOf, programsOf } from '../../../engine/kernel/testing.js';
import { Machine } from '../../../engine/kernel/machine.js';
import { readerOf } from '../../../engine/node/kubelet/testing.js';
import { encodeBase64 } from '../../../engine/machinery/text/base64.js';
import { deriveKey, SigningKey } from '../../../engine/machinery/crypto/signing-key.js';
import { Authority } from '../../../engine/machinery/crypto/x509/authority.js';
import { decodePem } from '../../../engine/machinery/crypto/x509/pem.js';
import { ECDSA_WITH_SHA256 } from '../../../engine/machinery/crypto/x509/signature.js';
import { proveClient } from '../../../engine/node/cni/client-proof.js';
import { parseRequest } from '../../../engine/node/cni/http-bytes.js';
import { formatHello } from '../../../engine/node/cni/tls.js';
import { defineServer } from '../serve.js';
import { exchange, runTo } from '../testing.js';
import { proxyProgram } from './program.js';
import type { Forward, Proxy } from './proxy.js';

const answer = (head: string, body: string): string =>
  `HTTP/1.1 ${head}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** Says what it was asked; after `/up` all that comes comes back in capitals. */
const backend = defineServer<{ count: number }>({
  start: () => ({ count: 0 }),
  begin(server) {
    server.listen(8080);
    server.listen(8081);
    server.listen(8082);
  },
  connect(_server, connection) {
    if (connection.port === 8081) connection.unsent = `${SWITCHED}first`;
  },
  receive(server, connection) {
    if (connection.port === 8081) return;
    if (connection.port === 8082) {
      connection.unsent += `seen ${connection.received}`;
      connection.received = '';
      connection.closes = true;
      return;
    }
    if (connection.own === 'up') {
      connection.unsent += connection.received.toUpperCase();
      connection.received = '';
      return;
    }
    const request = parseRequest(connection.received);
    if (request === undefined || request === 'bad') return;
    connection.received = connection.received.slice(request.length);
    server.own.count++;
    if (request.path === '/up') {
      connection.own = 'up';
      connection.unsent += `${SWITCHED}hello `;
    } else if (request.path === '/long') connection.unsent += answer('200 OK', 'x'.repeat(9 << 20));
    else if (request.path === '/cookies') connection.unsent += answer('200 OK\r\nset-cookie: a\r\nset-cookie: b', '');
    else if (request.path === '/broken') connection.closes = true;
    else {
      const heads = Object.entries(request.headers).map(([name, value]) => `${name}=${value}`);
      connection.unsent += answer('200 OK', `${server.own.count} ${request.method} ${request.path} ${heads.join(' ')}`);
    }
  },
});

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: Upgrade\r\n\r\n';
const copyOf = (path: string): Forward => ({
  ...{ address: '127.0.0.1', port: 8080, isTls: false, method: 'GET', path, headers: { host: 'a' }, body: '' },
  ...{ timeout: 5_000, note },
});
const PORTS: Readonly<Record<string, number>> = { '/refused': 1, '/early': 8081 };

const note = null;
const proxy: Proxy = {
  ...{ ports: [80, 443, 444], ownPorts: [9000], tlsPorts: [443], readyAfterMs: 1_000 },
  speaksTls: (port) => port === 444,
  passes: (_port, serverName) => (serverName === 'passed.test' ? { address: '127.0.0.1', port: 8082 } : undefined),
  hello: (serverName) =>
    serverName === 'none.test'
      ? undefined
      : { subject: `CN = ${serverName}`, issuer: 'CN = ca', names: [serverName], chain: [] },
  take: ({ path, method, headers: { upgrade: up, ...headers }, body, client, scheme, certificate }) =>
    path === '/own' || path === '/shown'
      ? { answer: { status: 200, body: path === '/own' ? client : `${scheme} ${certificate}` }, line: 'own' }
      : {
          forward: {
            ...{ address: path === '/nowhere' ? '127.0.0.9' : '127.0.0.1', port: PORTS[path] ?? 8080 },
            ...{ isTls: false, method, path, body, timeout: 5_000, note },
            headers: { host: headers['host'] ?? '', ...(up === undefined ? {} : { upgrade: up }), evil: 'a\r\nx: y' },
          },
          ...(path === '/copied' ? { copies: [copyOf('/one'), copyOf('/two')] } : {}),
        },
  finish: (_request, _forward, outcome) =>
    'answer' in outcome
      ? { answer: outcome.answer, line: `asked for ${outcome.took} ms` }
      : { answer: { status: 502, body: outcome.failure } },
  serve: ({ path }) => ({ status: 200, body: `own ${path}` }),
  lines: () => [
    { at: 0, text: 'first' },
    { at: 500, text: 'second' },
  ],
  refuse: (isPlain) => ({ status: 400, body: isPlain ? 'plain' : 'bad' }),
};

function start(): Machine {
  const programs = { proxy: proxyProgram(proxy, readerOf()), backend };
  const machine = new Machine({ id: 'm1', seed: 1, bootedAt: BOOT, programs: programsOf(programs) });
  machine.start(containerOf(imageOf(programs), { argv: ['proxy'] }), BOOT);
  machine.exec('c1', { argv: ['backend'], stdin: false, terminal: false }, BOOT);
  runTo(machine, BOOT + 2_000);
  return machine;
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}connection: close\r\n\r\n`;
const bodyOf = (received: string): string => received.slice(received.indexOf('\r\n\r\n') + 4);

test.each([
  ['what it answers itself', 80, get('/own'), '10.244.0.1'],
  ['what it passes on', 80, get('/x?y=1'), '1 GET /x?y=1 host=a evil=ax: y connection=close'],
  [
    'an upgrade that is not granted',
    80,
    get('/x', 'upgrade: x\r\n'),
    '1 GET /x host=a upgrade=x evil=ax: y connection=Upgrade',
  ],
  ['a backend that refuses', 80, get('/refused'), 'refused'],
  ['an answer that is too long', 80, get('/long'), 'broken'],
  ['a backend that ends the connection', 80, get('/broken'), 'broken'],
  ['its own port', 9000, get('/health'), 'own /health'],
  ['no HTTP', 80, 'nonsense\r\n\r\n', 'bad'],
  ['plain HTTP at a port of TLS', 443, get('/own'), 'plain'],
  ['TLS', 443, formatHello({ serverName: 'a.test' }) + get('/own'), '10.244.0.1'],
])('%s', (_case, port, bytes, expected) => {
  const received = exchange(start(), port, bytes);
  expect(bodyOf(received)).toBe(expected);
});

test('a certificate is known whose key has signed the handshake', () => {
  const key = new SigningKey(deriveKey('ann', 'key'));
  const bytes = decodePem(new Authority(key, 'ann').pem)[0]!.bytes;
  const of = (signer: SigningKey) =>
    proveClient(bytes, BOOT, ECDSA_WITH_SHA256, (message) => signer.sign(message, 'der'));
  const asked = (signer: SigningKey): string =>
    bodyOf(exchange(start(), 443, formatHello({ serverName: 'a.test', proof: of(signer) }) + get('/shown')));
  expect(asked(key)).toBe(`https ${encodeBase64(bytes)}`);
  expect(asked(new SigningKey(deriveKey('eve', 'key')))).toBe('https undefined');
});

test('copies reach their servers, and nobody waits for them', () => {
  const machine = start();
  expect(bodyOf(exchange(machine, 80, get('/copied')))).toMatch(/^\d GET \/copied /);
  runTo(machine, machine.now + 100);
  expect(bodyOf(exchange(machine, 80, get('/x')))).toMatch(/^4 GET \/x /);
});

test('a handshake for a name that nobody has ends, another one passes on as it is', () => {
  expect(exchange(start(), 444, formatHello({ serverName: 'none.test' }) + get('/own'))).toBe('');
  const received = exchange(start(), 444, formatHello({ serverName: 'passed.test' }) + get('/x'));
  expect(received).toMatch(/^seen \x16.*passed\.test.*\nGET \/x /);
});

test('every value of a header passes', () => {
  expect(exchange(start(), 80, get('/cookies'))).toContain('Set-Cookie: a\r\nSet-Cookie: b\r\n');
});

test('two requests on one connection are answered in their order, and each has its line', () => {
  const machine = start();
  const both = get('/own').replace('connection: close\r\n', '') + get('/x');
  const received = exchange(machine, 80, both);
  expect(received.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  expect(received.indexOf('10.244.0.1')).toBeLessThan(received.indexOf('GET /x'));
  expect(logOf(machine, 'stdout')).toBe('first\nsecond\nown\nasked for 0 ms\n');
});

test('a server that switches before it was asked has switched', () => {
  const machine = start();
  const session = machine.connect(80, machine.now);
  machine.input(session, 'GET /early HTTP/1.1\r\nhost: a\r\nupgrade: x\r\nconnection: Upgrade\r\n\r\n', machine.now);
  runTo(machine, machine.now + 100);
  expect(machine.output(session)).toMatchObject({ stdout: `${SWITCHED}first`, ended: false });
});

test('a server that switches without having been asked to has not answered', () => {
  expect(bodyOf(exchange(start(), 80, get('/early')))).toBe('broken');
});

test('a connection that is upgraded passes both ways', () => {
  const machine = start();
  const session = machine.connect(80, machine.now);
  machine.input(session, 'GET /up HTTP/1.1\r\nhost: a\r\nupgrade: x\r\nconnection: Upgrade\r\n\r\n', machine.now);
  runTo(machine, machine.now + 100);
  machine.input(session, 'world', machine.now);
  runTo(machine, machine.now + 100);
  expect(machine.output(session).stdout).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\nhello WORLD$/);
});
