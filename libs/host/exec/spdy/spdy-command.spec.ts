import { describe, expect, test } from '@jest/globals';
import { waitUntil } from '../../testing.js';
import type { Command } from '../commands/command-streams.js';
import { ContainerSession } from '../container-session.js';
import { FakeProcess, capitals } from '../fake-process.js';
import type { SpdyClient } from './testing.js';
import { connectSpdy, serveUpgrades } from '../upgrades/testing.js';
import { acceptSession } from '../websocket/websocket.js';

async function exec(
  process: FakeProcess,
  protocols: readonly string[],
  options: Partial<Command> = {},
): Promise<{ readonly head: string; readonly client: SpdyClient | undefined }> {
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
  return connectSpdy(await serveUpgrades((handshake) => acceptSession(handshake, command)), protocols);
}

async function open(client: SpdyClient, types: readonly string[]): Promise<Record<string, number>> {
  const ids: Record<string, number> = {};
  for (const streamType of types) ids[streamType] = await client.open({ streamType });
  return ids;
}

describe('the handshake', () => {
  test.each([
    [['v5.channel.k8s.io', 'v4.channel.k8s.io'], 'v5.channel.k8s.io'],
    [['v4.channel.k8s.io, v3.channel.k8s.io'], 'v4.channel.k8s.io'],
    [['none', 'channel.k8s.io'], 'channel.k8s.io'],
  ])('%j: %s', async (protocols, expected) => {
    const { head } = await exec(new FakeProcess(), protocols);
    expect(head.split('\r\n')).toEqual([
      'HTTP/1.1 101 Switching Protocols',
      'Connection: Upgrade',
      'Upgrade: SPDY/3.1',
      'x-request-id: r1',
      `X-Stream-Protocol-Version: ${expected}`,
    ]);
  });

  test('of a client that names no protocol', async () =>
    expect((await exec(new FakeProcess(), [])).head).not.toContain('X-Stream'));

  test('of a client that names unknown ones is refused', async () => {
    const { head, client } = await exec(new FakeProcess(), ['a', 'b']);
    expect(client).toBeUndefined();
    expect(head).toMatch(/^HTTP\/1\.1 403 /);
    expect(head).toContain('x-accepted-stream-protocol-versions: v5.channel.k8s.io');
    expect(head).toContain('unable to negotiate protocol: client supports [a b], server accepts [v5.channel.k8s.io ');
  });
});

test.each(['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'])(
  '%s: input, both outputs and the status',
  async (protocol) => {
    const { client } = await exec(capitals(), [protocol]);
    const { error, stdin, stdout, stderr } = await open(client!, ['error', 'stdin', 'stdout', 'stderr']);
    client!.send(stdin!, 'one\n');
    await waitUntil(() => client!.stream(stdout!).text === 'ONE\n');
    client!.send(stdin!, 'exit 3\n', true);
    await client!.ended;
    expect(client!.stream(stdout!)).toMatchObject({ text: 'ONE\nEXIT 3\n', isOver: true });
    expect(client!.stream(stderr!)).toMatchObject({ text: 'one\n', isOver: true });
    const { text } = client!.stream(error!);
    const message = 'command terminated with non-zero exit code: error executing command [sh], exit code 3';
    if (/v[45]/.test(protocol)) expect(JSON.parse(text)).toMatchObject({ status: 'Failure', message });
    else expect(text).toBe(message);
  },
);

test('a terminal has no stderr, and sizes that follow each other', async () => {
  const process = new FakeProcess();
  const { client } = await exec(process, ['v4.channel.k8s.io'], { tty: true, stderr: false });
  const { resize } = await open(client!, ['error', 'stdin', 'stdout', 'resize']);
  client!.send(resize!, '{"Width":80,"Height":24}{"Width":100,');
  await waitUntil(() => process.inputs.length === 1);
  client!.send(resize!, '"Height":30}');
  await waitUntil(() => process.inputs.length === 2);
  expect(process.inputs.map(({ resize: size }) => size)).toEqual([
    { columns: 80, rows: 24 },
    { columns: 100, rows: 30 },
  ]);
});

test('nothing is sent before all streams are there, and a client that leaves hangs up', async () => {
  const process = new FakeProcess();
  const { client } = await exec(process, ['v4.channel.k8s.io']);
  process.print('early');
  const { stdout } = await open(client!, ['stdout', 'stdin', 'stderr']);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(client!.stream(stdout!).text).toBe('');
  await open(client!, ['error']);
  await waitUntil(() => client!.stream(stdout!).text === 'early');
  client!.transport.destroy();
  await waitUntil(() => process.isHungUp);
});

test('streams of unknown types, and more than one of a type, are reset', async () => {
  const { client } = await exec(new FakeProcess(), ['v4.channel.k8s.io']);
  const ids = await open(client!, ['nonsense', 'stdin']);
  const again = await client!.open({ streamType: 'stdin' });
  await waitUntil(() => client!.stream(ids['nonsense']!).isReset && client!.stream(again).isReset);
  expect(client!.stream(ids['stdin']!).isReset).toBe(false);
});
