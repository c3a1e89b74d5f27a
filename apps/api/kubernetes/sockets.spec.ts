import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { kubectlFolder } from '../../../libs/testkit/kubectl.js';
import { until, type Service } from '../../../libs/testkit/service.js';
import { shareService } from '../../../libs/testkit/shared-service.js';

const START_MS = 120_000;
const TEST_MS = 60_000;
const SESSIONS = 200;
/** Lines that each of them types, one after the other's answer. */
const ROUNDS = 2;
/** Over which the sessions are spread: all sessions of one pod are one record. */
const SHELLS = 10;

const shared = shareService();
let service: Service;
let cluster: string;

const pathOf = (rest: string): string => `/clusters/${cluster}${rest}`;
const pod = (name: string, command: string[]): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'busybox:1.37', command }] },
});

const fetchAs = (method: string, url: string): Promise<Response> =>
  fetch(service.url + url, { method, headers: { authorization: `Bearer ${service.apiKey}` } });

const run = (name: string, command = ['sleep', '100000']): Promise<void> => create(name, pod(name, command));
const runImage = (name: string, image: string): Promise<void> =>
  create(name, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'main', image, ports: [{ containerPort: 80 }] }] },
  });

/** Creates a pod unless it is there, and waits until it runs. */
async function create(name: string, body: object): Promise<void> {
  const found = await fetchAs('GET', pathOf(`/api/v1/namespaces/default/pods/${name}`));
  if (found.status === 404) await service.call('POST', pathOf('/api/v1/namespaces/default/pods'), body);
  await until(
    async () => {
      const { status } = await service.call<{ status: { phase?: string } }>(
        'GET',
        pathOf(`/api/v1/namespaces/default/pods/${name}`),
      );
      return status.phase === 'Running';
    },
    TEST_MS,
    `${name} runs`,
  );
}

beforeAll(async () => {
  service = shared();
  ({ id: cluster } = await service.call<{ id: string }>('POST', '/v1/clusters', { name: 'sockets', speed: 'instant' }));
  await run('shell');
}, START_MS);

function open(rest: string, protocols: string[], key = service.apiKey): WebSocket {
  const headers = { authorization: `Bearer ${key}` };
  return new WebSocket(service.url.replace('http', 'ws') + pathOf(rest), protocols, { headers });
}

interface Session {
  readonly client: WebSocket;
  /** What came on channel 1. */
  out(): string;
  /** What came on channel 3, and the code of the close, when it is closed. */
  readonly ended: Promise<{ status: string; code: number }>;
  type(text: string): void;
}

async function exec(name: string): Promise<Session> {
  const client = open(`/api/v1/namespaces/default/pods/${name}/exec?command=sh&stdin=1&stdout=1&tty=1`, [
    'v5.channel.k8s.io',
  ]);
  let [out, status] = ['', ''];
  client.on('message', (data: Buffer) => {
    if (data[0] === 1) out += data.subarray(1).toString();
    if (data[0] === 3) status += data.subarray(1).toString();
  });
  const ended = new Promise<{ status: string; code: number }>((resolve) =>
    client.on('close', (code) => resolve({ status, code })),
  );
  await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject));
  const type = (text: string): void => client.send(Buffer.concat([Buffer.from([0]), Buffer.from(text)]));
  return { client, out: () => out, ended, type };
}

/** Everything that a client hears until the end. */
function listen(rest: string, protocols: string[]): Promise<{ protocol: string; text: string }> {
  const client = open(rest, protocols);
  let text = '';
  return new Promise((resolve, reject) =>
    client
      .on('message', (data: Buffer, isBinary) => {
        text += isBinary ? data.toString() : Buffer.from(data.toString(), 'base64').toString();
      })
      .on('close', () => resolve({ protocol: client.protocol, text }))
      .on('error', reject),
  );
}

describe("a pod's log", () => {
  const log = '/api/v1/namespaces/default/pods/talks/log';
  const read = async (): Promise<string> => (await fetchAs('GET', pathOf(log))).text();

  test(
    'is followed to its end',
    async () => {
      await service.call(
        'POST',
        pathOf('/api/v1/namespaces/default/pods'),
        pod('talks', ['sh', '-c', 'echo hello; sleep 2; echo goodbye']),
      );
      await until(async () => (await read()).startsWith('hello\n'), TEST_MS, 'it has begun');
      expect(await listen(`${log}?follow=true`, ['binary.k8s.io'])).toEqual({
        protocol: 'binary.k8s.io',
        text: 'hello\ngoodbye\n',
      });
    },
    TEST_MS,
  );

  test.each([[[]], [['binary.k8s.io']], [['base64.binary.k8s.io']]])('is read as offered: %j', async (protocols) => {
    const { protocol, text } = await listen(log, protocols);
    expect([protocol, text]).toEqual([protocols[0] ?? '', await read()]);
    expect(text).toContain('hello\n');
  });
});

describe('kubectl', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'terrarium-sockets-'));
  const env = {
    ...process.env,
    KUBECONFIG: path.join(folder, 'config'),
    PATH: `${kubectlFolder()}:${process.env['PATH']}`,
  };
  beforeAll(async () => {
    const response = await fetchAs('GET', `/v1/clusters/${cluster}/kubeconfig`);
    writeFileSync(env.KUBECONFIG, await response.text());
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Standard output, standard error and the exit code. */
  const kubectl = (args: string[], more: Record<string, string> = {}, input = ''): Promise<[string, string, number]> =>
    new Promise((resolve) => {
      const child = execFile('kubectl', args, { env: { ...env, ...more } }, (error, stdout, stderr) =>
        resolve([stdout, stderr, error ? Number(error.code) : 0]),
      );
      child.stdin!.end(input);
    });

  test.each([
    ['WebSockets', {}],
    ['SPDY', { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false' }],
  ])(
    'runs commands over %s',
    async (_, more) => {
      const script = 'read line; echo "out $line"; echo err >&2; exit 3';
      expect(await kubectl(['exec', '-i', 'shell', '--', 'sh', '-c', script], more, 'hello\n')).toEqual([
        'out hello\n',
        'err\ncommand terminated with exit code 3\n',
        3,
      ]);
    },
    TEST_MS,
  );

  test(
    'copies files there and back',
    async () => {
      const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256));
      writeFileSync(path.join(folder, 'there'), bytes);
      expect((await kubectl(['cp', path.join(folder, 'there'), 'shell:/tmp/file']))[2]).toBe(0);
      expect((await kubectl(['cp', 'shell:/tmp/file', path.join(folder, 'back')]))[2]).toBe(0);
      expect(readFileSync(path.join(folder, 'back')).equals(bytes)).toBe(true);
    },
    TEST_MS,
  );

  test.each([
    ['a WebSocket', {}],
    ['SPDY', { KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' }],
  ])(
    'forwards ports over %s',
    async (_, more) => {
      await runImage('web', 'nginx:1.27');
      const child = spawn('kubectl', ['port-forward', 'pod/web', ':80', ':81'], { env: { ...env, ...more } });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const portTo = (port: number): string | undefined => new RegExp(`127.0.0.1:(\\d+) -> ${port}\n`).exec(text)?.[1];
      await until(async () => portTo(81) !== undefined, TEST_MS, 'it listens');
      const pages = await Promise.all(
        Array.from({ length: 5 }, async () => (await fetch(`http://127.0.0.1:${portTo(80)}/`)).text()),
      );
      for (const page of pages) expect(page).toContain('<h1>Welcome to nginx!</h1>');
      expect((await fetch(`http://127.0.0.1:${portTo(80)}/nope`)).status).toBe(404);
      await expect(fetch(`http://127.0.0.1:${portTo(81)}/`)).rejects.toThrow('fetch failed');
      await until(async () => text.includes('lost connection to pod'), TEST_MS, 'it is told');
      expect(text).toMatch(/error forwarding port 81 to pod \w+, uid : .*connect: connection refused/);
      child.kill();
    },
    TEST_MS,
  );
});

describe('a terminal in a browser', () => {
  interface Token {
    readonly token: string;
  }
  const PROTOCOL = 'v1.terminal.terrarium.dev';
  const openTerminal = (token: string, origin?: string): WebSocket => {
    const encoded = Buffer.from(token).toString('base64url');
    const url = `${service.url.replace('http', 'ws')}/v1/clusters/${cluster}/namespaces/default/pods/shell/terminal`;
    return new WebSocket(url, [PROTOCOL, `base64url.bearer.authorization.k8s.io.${encoded}`], { origin });
  };

  test('is opened with a token of the cluster, and says how it has ended', async () => {
    const { token } = await service.call<Token>('POST', `/v1/clusters/${cluster}/tokens`, { scope: 'use' });
    const client = openTerminal(token);
    let out = '';
    const messages: string[] = [];
    client.on('message', (data: Buffer, isBinary) => {
      if (isBinary) out += data.toString();
      else messages.push(data.toString());
    });
    await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject));
    expect(client.protocol).toBe(PROTOCOL);
    client.send('{"resize":{"columns":100,"rows":30}}');
    client.send(Buffer.from('stty size\r'));
    await until(async () => out.includes('\r\n30 100\r\n'), TEST_MS, 'the size');
    client.send(Buffer.from('exit 4\r'));
    const code = await new Promise((resolve) => client.on('close', resolve));
    expect([messages, code]).toEqual([['{"exit":{"code":4}}'], 1000]);
  });

  test.each([
    ['another page', 'use', 'https://evil.example', 403],
    ['a token that only reads', 'read', undefined, 403],
  ])('is not for %s', async (_, scope, origin, status) => {
    const { token } = await service.call<Token>('POST', `/v1/clusters/${cluster}/tokens`, { scope });
    const client = openTerminal(token, origin);
    const error = await new Promise<Error>((resolve) => client.on('error', resolve));
    expect(error.message).toBe(`Unexpected server response: ${status}`);
  });
});

describe('a shell', () => {
  test('runs what is typed', async () => {
    const session = await exec('shell');
    session.type('echo one two\r');
    await until(() => session.out().includes('\r\none two\r\n/ # '), TEST_MS, 'its output is there');
    session.type('exit 3\r');
    const { status, code } = await session.ended;
    expect([JSON.parse(status), code]).toEqual([expect.objectContaining({ reason: 'NonZeroExitCode' }), 1000]);
  });

  test(
    'takes 16 KB of Enter keys, and a request in the midst of them is answered in between',
    async () => {
      const session = await exec('shell');
      const order: string[] = [];
      session.type('\r'.repeat(16 * 1024));
      session.type('exit\r');
      const ended = session.ended.then(() => order.push('the session'));
      await service.call('GET', pathOf('/api/v1/namespaces/default')).then(() => order.push('the request'));
      await ended;
      expect(order).toEqual(['the request', 'the session']);
    },
    TEST_MS,
  );

  test(
    `of each of ${SESSIONS} sessions runs, and a request in the midst of them is answered in between; more are refused`,
    async () => {
      const pods = Array.from({ length: SHELLS }, (_, i) => `shell-${i}`);
      await Promise.all(pods.map((name) => run(name)));
      const sessions = await Promise.all(Array.from({ length: SESSIONS }, (_, i) => exec(pods[i % SHELLS]!)));
      await expect(exec('shell')).rejects.toThrow('Unexpected server response: 429');
      let done = 0;
      const converse = async (session: Session): Promise<void> => {
        for (let round = 1; round <= ROUNDS; round++) {
          session.type('echo a\r');
          await until(async () => session.out().split('\r\na\r\n').length > round, TEST_MS, 'it answers');
        }
        done++;
      };
      const conversing = Promise.all(sessions.map(converse));
      let answered = 0;
      while (done < SESSIONS) {
        await service.call('GET', pathOf('/api/v1/namespaces/default'));
        answered++;
      }
      await conversing;
      expect(answered).toBeGreaterThan(2);
      for (const { client } of sessions) client.close();
      await Promise.all(sessions.map(({ ended }) => ended));
    },
    START_MS,
  );

  test('has its errors apart from its output, and the exit code of its last command', async () => {
    const client = open('/api/v1/namespaces/default/pods/shell/exec?command=sh&stdin=1&stdout=1&stderr=1', [
      'v5.channel.k8s.io',
    ]);
    const channels: Record<number, string> = {};
    client.on('message', (data: Buffer) => {
      channels[data[0]!] = (channels[data[0]!] ?? '') + data.subarray(1).toString();
    });
    await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject));
    client.send(Buffer.concat([Buffer.from([0]), Buffer.from('echo out; nonsense; echo err >&2; (exit 7)\n')]));
    client.send(Buffer.from([255, 0]));
    await new Promise((resolve) => client.on('close', resolve));
    expect([channels[1], channels[2]]).toEqual(['out\n', 'sh: nonsense: not found\nerr\n']);
    expect(JSON.parse(channels[3]!)).toMatchObject({ details: { causes: [{ reason: 'ExitCode', message: '7' }] } });
  });

  test(
    'ends with its pod',
    async () => {
      await run('ends');
      const session = await exec('ends');
      await fetchAs('DELETE', pathOf('/api/v1/namespaces/default/pods/ends?gracePeriodSeconds=0'));
      const { status } = await session.ended;
      expect(JSON.parse(status)).toMatchObject({ details: { causes: [{ reason: 'ExitCode', message: '137' }] } });
    },
    TEST_MS,
  );

  test.each([
    ['exec', 'shell/exec?command=sh&stdin=1&stdout=1&tty=1', 'v5.channel.k8s.io'],
    ['attach', 'shell/attach?stdout=1', 'v5.channel.k8s.io'],
    ['port-forward', 'served/portforward?ports=80', 'v4.channel.k8s.io'],
  ])(
    'ends when the key that opened it is revoked: %s',
    async (name, rest, protocol) => {
      const { id, key } = await service.call<{ id: string; key: string }>('POST', '/v1/keys', { name });
      if (name === 'port-forward') await runImage('served', 'nginx:1.27');
      const client = open(`/api/v1/namespaces/default/pods/${rest}`, [protocol], key);
      const closed = new Promise((resolve) => client.on('close', resolve));
      await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject));
      await fetchAs('DELETE', `/v1/keys/${id}`);
      expect(await closed).toBe(1008);
    },
    TEST_MS,
  );

  test(
    'ends with its cluster',
    async () => {
      const session = await exec('shell');
      await fetchAs('DELETE', `/v1/clusters/${cluster}`);
      expect(await session.ended).toEqual({ status: '', code: 1001 });
    },
    TEST_MS,
  );
});
