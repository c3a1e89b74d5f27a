import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@terrarium/engine';
import { waitUntil } from '../../testing.js';
import type { Command } from '../commands/command-streams.js';
import { ContainerSession } from '../container-session.js';
import { FakeProcess, capitals } from '../fake-process.js';
import { serveUpgrades, connectChannels, type ChannelClient } from '../upgrades/testing.js';
import { acceptSession } from './websocket.js';

const V4 = 'v4.channel.k8s.io';
const V5 = 'v5.channel.k8s.io';
const [STDIN, STDOUT, STDERR, ERROR, RESIZE, CLOSE] = [0, 1, 2, 3, 4, 255] as const;

async function exec(
  process: FakeProcess,
  protocol = V5,
  options: Partial<Command> = {},
): Promise<ChannelClient & { readonly session: ContainerSession }> {
  const session = new ContainerSession(process);
  const command: Command = {
    session,
    failure: undefined,
    command: ['sh'],
    stdin: true,
    stdout: true,
    stderr: true,
    tty: false,
    ...options,
  };
  const port = await serveUpgrades((handshake) => acceptSession(handshake, command));
  return { ...(await connectChannels(port, protocol)), session };
}

const SUCCESS = { metadata: {}, status: 'Success' };
const failure = (code: number, protocol: string): object => ({
  metadata: {},
  status: 'Failure',
  message:
    protocol === V5
      ? `command terminated with non-zero exit code: command terminated with exit code ${code}`
      : `command terminated with non-zero exit code: error executing command [sh], exit code ${code}`,
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
});

describe.each([V5, V4, 'v4.base64.channel.k8s.io'])('%s', (protocol) => {
  test('input, both outputs, and the status of the exit code', async () => {
    const client = await exec(capitals(), protocol);
    client.send(STDIN, 'one\n');
    await waitUntil(() => client.received[STDOUT] === 'ONE\n');
    client.send(STDIN, 'exit 3\n');
    expect(await client.closed).toBe(1000);
    expect(client.received[STDERR]).toBe('one\n');
    expect(client.received[STDOUT]).toBe('ONE\nEXIT 3\n');
    expect(JSON.parse(client.received[ERROR]!)).toEqual(failure(3, protocol));
    // An empty message of the lowest stream has said that the streams are open.
    expect(client.messages[0]).toBe(STDOUT);
  });
});

test.each([
  ['channel.k8s.io', 0, ''],
  ['channel.k8s.io', 3, 'command terminated with non-zero exit code: error executing command [sh], exit code 3'],
  ['base64.channel.k8s.io', 0, ''],
  ['', 0, ''],
])('%j: the status of exit code %d is text', async (protocol, code, text) => {
  const client = await exec(capitals(), protocol);
  client.send(STDIN, `exit ${code}\n`);
  await client.closed;
  expect(client.received[ERROR] ?? '').toBe(text);
});

describe('the end of the input', () => {
  test('is told by v5, and the output comes all the same', async () => {
    const client = await exec(capitals());
    client.send(STDIN, 'last');
    client.send(CLOSE, Buffer.from([STDIN]));
    await client.closed;
    expect(client.received[STDOUT]).toBe('LAST');
    expect(JSON.parse(client.received[ERROR]!)).toEqual(SUCCESS);
  });

  test('is not known to v4', async () => {
    const process = capitals();
    const client = await exec(process, V4);
    client.send(CLOSE, Buffer.from([STDIN]));
    client.send(STDIN, 'a');
    await waitUntil(() => process.stdin === 'a');
    expect(process.inputs.some(({ closeStdin }) => closeStdin)).toBe(false);
  });
});

describe('a terminal', () => {
  test('is resized', async () => {
    const process = new FakeProcess();
    const client = await exec(process, V5, { tty: true, stderr: false });
    client.send(RESIZE, '{"Width":120,"Height":40}');
    await waitUntil(() => process.inputs.length === 1);
    expect(process.inputs[0]).toMatchObject({ resize: { columns: 120, rows: 40 } });
  });

  test.each([
    '',
    'null',
    '{}',
    '[]',
    '{"Width":0,"Height":1}',
    '{"Width":70000,"Height":1}',
    '{"Width":"1","Height":1}',
  ])('is not by %j', async (text) => {
    const process = new FakeProcess();
    const client = await exec(process, V5, { tty: true });
    client.send(RESIZE, text);
    client.send(STDIN, 'a');
    await waitUntil(() => process.stdin === 'a');
    expect(process.inputs.some(({ resize }) => resize)).toBe(false);
  });
});

test('a command that cannot be started says why, and an attached container no exit code', async () => {
  const error = new ApiError(500, 'InternalError', 'Internal error occurred: error executing command in container: no');
  const client = await exec(new FakeProcess(), V5, { session: undefined, failure: error });
  await client.closed;
  expect(JSON.parse(client.received[ERROR]!)).toEqual({
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${error.message}`,
    details: { causes: [{ message: error.message }] },
    reason: 'InternalError',
    code: 500,
  });
  const attached = await exec(capitals(), V5, { command: [] });
  attached.send(STDIN, 'exit 3\n');
  await attached.closed;
  expect(JSON.parse(attached.received[ERROR]!)).toEqual(SUCCESS);
});

test('streams that were not asked for are neither read nor sent', async () => {
  const process = new FakeProcess();
  const client = await exec(process, V5, { stdin: false, stdout: false });
  client.send(STDIN, 'a');
  process.print('out', 'err');
  process.exit(0);
  await client.closed;
  expect([client.received[STDOUT], client.received[STDERR], process.stdin]).toEqual([undefined, 'err', '']);
});

test('a client that leaves hangs up', async () => {
  const process = new FakeProcess();
  const client = await exec(process);
  client.client.terminate();
  await waitUntil(() => process.isHungUp);
});

test('a cluster that is served elsewhere closes with 1001 and without a status', async () => {
  const process = new FakeProcess();
  const client = await exec(process);
  await waitUntil(() => process.readings > 0);
  process.unload();
  expect(await client.closed).toBe(1001);
  expect(client.received[ERROR]).toBeUndefined();
});

describe('a hostile client', () => {
  test('that sends more than the process reads is not read on', async () => {
    const process = new FakeProcess();
    process.store = () => new Promise(() => undefined);
    const client = await exec(process);
    let written = 0;
    const chunk = Buffer.alloc(64 * 1024);
    for (let i = 0; i < 512; i++) client.client.send(Buffer.concat([Buffer.from([STDIN]), chunk]), () => written++);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(client.session.stdin.writableLength).toBeLessThan(1024 * 1024);
    expect(written).toBeLessThan(512);
  });

  test('that does not read is not sent on', async () => {
    const process = new FakeProcess();
    const client = await exec(process);
    client.client.pause();
    for (let i = 0; i < 64; i++) process.print('x'.repeat(1024 * 1024));
    await new Promise((resolve) => setTimeout(resolve, 300));
    process.print('');
    const { stdout } = (process as unknown as { printed: { stdout: string } }).printed;
    expect(process.received?.stdout ?? 0).toBeLessThan(stdout.length + 1);
    client.client.resume();
    process.exit(0);
    await client.closed;
    expect(client.received[STDOUT]).toHaveLength(64 * 1024 * 1024);
  });

  test.each<[string, (client: ChannelClient) => void]>([
    ['an empty message', ({ client }) => client.send(Buffer.alloc(0))],
    ['text', ({ client }) => client.send('hello')],
    ['a channel that is not there', (client) => client.send(99, 'a')],
    ['the end of a stream that is not there', (client) => client.send(CLOSE, Buffer.from([7]))],
    ['the end of its input twice', (client) => [0, 1].forEach(() => client.send(CLOSE, Buffer.from([STDIN])))],
    [
      'input after the end of its input',
      (client) => (client.send(CLOSE, Buffer.from([STDIN])), client.send(STDIN, 'x')),
    ],
  ])('that sends %s is borne', async (_, act) => {
    const process = new FakeProcess();
    const client = await exec(process);
    act(client);
    process.print('alive');
    await waitUntil(() => client.received[STDOUT] === 'alive');
    process.exit(0);
    expect(await client.closed).toBe(1000);
  });

  test('that sends a message of 2 MiB is closed', async () => {
    const process = new FakeProcess();
    const client = await exec(process);
    client.send(STDIN, Buffer.alloc(2 * 1024 * 1024));
    expect(await client.closed).toBe(1009);
    await waitUntil(() => process.isHungUp);
  });
});
