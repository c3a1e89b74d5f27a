import { afterEach, describe, expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { WebSocket } from 'ws';
import { waitUntil } from '../../testing.js';
import type { Command } from '../commands/command-streams.js';
import { ContainerSession } from '../container-session.js';
import { FakeProcess, capitals } from '../fake-process.js';
import { connectSpdy, serveUpgrades } from '../upgrades/testing.js';
import { acceptTerminal } from './websocket.js';

const PROTOCOL = 'v1.terminal.terrarium.dev';
const clients: WebSocket[] = [];
afterEach(() => clients.splice(0).forEach((client) => client.terminate()));

const commandOf = (process: FakeProcess, options: Partial<Command> = {}): Command => ({
  session: new ContainerSession(process),
  failure: undefined,
  command: ['sh'],
  stdin: true,
  stdout: true,
  stderr: false,
  tty: true,
  ...options,
});

interface Browser {
  readonly client: WebSocket;
  readonly bytes: string[];
  readonly messages: unknown[];
  readonly closed: Promise<number>;
}

async function open(command: Command, protocols: string[] = [PROTOCOL]): Promise<Browser> {
  const port = await serveUpgrades((handshake) => acceptTerminal(handshake, command));
  const client = new WebSocket(`ws://127.0.0.1:${port}/`, protocols);
  clients.push(client);
  const [bytes, messages]: [string[], unknown[]] = [[], []];
  client.on('message', (data: Buffer, isBinary) =>
    isBinary ? bytes.push(data.toString()) : messages.push(JSON.parse(data.toString())),
  );
  const closed = new Promise<number>((resolve) => client.on('close', resolve));
  await new Promise((resolve, reject) => client.on('open', resolve).on('error', reject));
  return { client, bytes, messages, closed };
}

test.each([[[PROTOCOL]], [['base64url.bearer.authorization.k8s.io.YQ', PROTOCOL]], [[]]])(
  'bytes both ways, and the exit code, with %j',
  async (protocols) => {
    const { client, bytes, messages, closed } = await open(commandOf(capitals()), protocols);
    expect(client.protocol).toBe(protocols.length > 0 ? PROTOCOL : '');
    client.send(Buffer.from('ls\n'));
    await waitUntil(() => bytes.join('') === 'LS\n');
    client.send(Buffer.from('exit 3\n'));
    expect(await closed).toBe(1000);
    expect(messages).toEqual([{ exit: { code: 3 } }]);
  },
);

test('what has no terminal has two outputs, and both are shown', async () => {
  const process = new FakeProcess();
  const { bytes, closed, messages } = await open(commandOf(process, { stdin: false, stderr: true, tty: false }));
  process.print('out ', 'err ');
  await waitUntil(() => bytes.join('').length === 8);
  expect([...bytes].sort()).toEqual(['err ', 'out ']);
  process.print('more');
  process.exit(0);
  expect([await closed, messages, bytes.at(-1)]).toEqual([1000, [{ exit: { code: 0 } }], 'more']);
});

test('sizes', async () => {
  const process = new FakeProcess();
  const { client } = await open(commandOf(process));
  for (const text of ['', '{', 'null', '1', '{"resize":null}', '{"resize":{"columns":0,"rows":1}}', '{"exit":{}}'])
    client.send(text);
  client.send('{"resize":{"columns":100,"rows":30}}');
  await waitUntil(() => process.inputs.length > 0);
  expect(process.inputs).toMatchObject([{ resize: { columns: 100, rows: 30 } }]);
});

describe('the end', () => {
  test('of a command that exits with 0', async () => {
    const process = new FakeProcess();
    const { messages, closed } = await open(commandOf(process));
    process.exit(0);
    expect([await closed, messages]).toEqual([1000, [{ exit: { code: 0 } }]]);
  });

  test('of a command that cannot be started', async () => {
    const failure = new ApiError(500, 'InternalError', 'Internal error occurred: no');
    const { messages, closed } = await open(commandOf(new FakeProcess(), { session: undefined, failure }));
    await closed;
    expect(messages).toEqual([
      { error: { message: 'Internal error occurred: no', reason: 'InternalError', code: 500 } },
    ]);
  });

  test('of the cluster here', async () => {
    const process = new FakeProcess();
    const { messages, closed } = await open(commandOf(process));
    await waitUntil(() => process.readings > 0);
    process.unload();
    expect([await closed, messages]).toEqual([1001, []]);
  });

  test('of the client', async () => {
    const process = new FakeProcess();
    const { client } = await open(commandOf(process));
    client.terminate();
    await waitUntil(() => process.isHungUp);
  });
});

test('another protocol, and SPDY, are refused', async () => {
  const refusals: unknown[] = [];
  const port = await serveUpgrades((handshake) => {
    try {
      acceptTerminal(handshake, commandOf(new FakeProcess()));
    } catch (error) {
      refusals.push(error);
      handshake.socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    }
  });
  const client = new WebSocket(`ws://127.0.0.1:${port}/`, ['v5.channel.k8s.io']);
  await new Promise((resolve) => client.on('error', resolve));
  await connectSpdy(port, []);
  expect(refusals.map((error) => (error as ApiError).message)).toEqual([
    'the protocol of a terminal is v1.terminal.terrarium.dev',
    'a terminal needs a WebSocket',
  ]);
});
