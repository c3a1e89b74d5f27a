import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CommandResult, ExecResponse } from '@terrarium/engine';
import WebSocket from 'ws';
import { acceptCommand, acceptFrames, authorizeByProtocol, refuseUpgrade } from '../index.js';

let server: http.Server;
let accept: (request: http.IncomingMessage, socket: Duplex, head: Buffer) => void;
beforeEach(async () => {
  server = http.createServer();
  server.on('upgrade', (...args) => accept(...args));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => void server.close());

/** A shell that says its lines in capitals; 'exit N' ends it. */
function capitals(stdin: string): CommandResult {
  const [before = '', after] = stdin.split(/^exit /m);
  return {
    output: before.toUpperCase(),
    code: after === undefined ? 0 : Number(after.trim()),
    ended: after !== undefined,
  };
}
const command = (options: Partial<ExecResponse>): ExecResponse => ({
  type: 'exec',
  status: 101,
  headers: {},
  command: ['sh'],
  stdin: true,
  tty: false,
  isShell: true,
  run: capitals,
  ...options,
});

interface Heard {
  readonly out: string;
  readonly status: string;
  readonly protocol: string;
}

/** What a client hears on channels 1 and 3 after it has sent these messages. */
function converse(protocols: string[], sent: readonly (string | Buffer)[]): Promise<Heard> {
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, protocols);
  let [out, status] = ['', ''];
  return new Promise((resolve, reject) => {
    client.on('open', () => sent.forEach((message) => client.send(message)));
    client.on('message', (data: Buffer, isBinary) => {
      const [channel, text] = isBinary
        ? [data[0], data.subarray(1).toString()]
        : [data[0]! - 0x30, Buffer.from(data.subarray(1).toString(), 'base64').toString()];
      if (channel === 1) out += text;
      if (channel === 3) status += text;
    });
    client.on('close', () => resolve({ out, status, protocol: client.protocol }));
    client.on('error', reject);
  });
}

const stdin = (text: string): Buffer => Buffer.concat([Buffer.from([0]), Buffer.from(text)]);
const END = Buffer.from([255, 0]);
const serve = (response: ExecResponse): void => void (accept = (...args) => acceptCommand(...args, response));

describe('a command on a WebSocket', () => {
  test('without input runs at once', async () => {
    serve(command({ stdin: false, run: () => ({ output: 'done\n', code: 0, ended: false }) }));
    expect(await converse(['v5.channel.k8s.io'], [])).toEqual({
      out: 'done\n',
      status: '{"metadata":{},"status":"Success"}',
      protocol: 'v5.channel.k8s.io',
    });
  });

  test('tells its exit code as a cause', async () => {
    serve(
      command({ stdin: false, command: ['sh', '-c', 'exit 3'], run: () => ({ output: '', code: 3, ended: true }) }),
    );
    const { status } = await converse(['v4.channel.k8s.io'], []);
    expect(JSON.parse(status)).toEqual({
      metadata: {},
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
      message: 'command terminated with non-zero exit code: error executing command [sh -c exit 3], exit code 3',
    });
  });

  test('reads lines until the input ends', async () => {
    serve(command({}));
    expect((await converse(['v5.channel.k8s.io'], [stdin('one\ntw'), stdin('o\nthree'), END])).out).toBe(
      'ONE\nTWO\nTHREE',
    );
  });

  test('may end by itself, in base64 too', async () => {
    serve(command({}));
    const { out, status, protocol } = await converse(
      ['v4.base64.channel.k8s.io'],
      [`0${Buffer.from('one\nexit 2\n').toString('base64')}`],
    );
    expect([out, JSON.parse(status).details.causes[0].message, protocol]).toEqual([
      'ONE\n',
      '2',
      'v4.base64.channel.k8s.io',
    ]);
  });

  test('on a terminal echoes, prompts and lets lines be edited', async () => {
    serve(command({ tty: true }));
    expect(
      (await converse(['v5.channel.k8s.io'], [stdin('ax\u007fb\r'), stdin('dropped\u0003'), stdin('\u0004')])).out,
    ).toBe('/ # ax\b \bb\r\nAB\r\n/ # dropped^C\r\n/ # ');
  });

  test('that fails in itself says so', async () => {
    serve(
      command({
        stdin: false,
        run: () => {
          throw new Error('broken');
        },
      }),
    );
    expect(JSON.parse((await converse(['v5.channel.k8s.io'], [])).status)).toMatchObject({
      status: 'Failure',
      reason: 'InternalError',
    });
  });

  test('is cut off when its input is endless', async () => {
    serve(command({ isShell: false }));
    const { status } = await converse(['v5.channel.k8s.io'], [stdin('x'.repeat(200_000)), stdin('x'.repeat(200_000))]);
    expect(JSON.parse(status)).toMatchObject({ reason: 'RequestEntityTooLarge', code: 413 });
  });
});

describe('a watch on a WebSocket', () => {
  const listen = (): Promise<[boolean, string][]> => {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const heard: [boolean, string][] = [];
    return new Promise((resolve) =>
      client
        .on('message', (data: Buffer, isBinary) => heard.push([isBinary, data.toString()]))
        .on('close', () => resolve(heard)),
    );
  };

  test('gives each frame a message, however they were joined', async () => {
    accept = (...args) =>
      acceptFrames(...args, (frames) => {
        frames.write('{"a":1}\n{"b":2}\n');
        frames.end(
          Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from('xy'), Buffer.from([0, 0, 0, 1]), Buffer.from('z')]),
        );
      });
    expect(await listen()).toEqual([
      [false, '{"a":1}\n'],
      [false, '{"b":2}\n'],
      [true, 'xy'],
      [true, 'z'],
    ]);
  });

  test('may be refused as any request', async () => {
    accept = (_request, socket) =>
      refuseUpgrade(socket, {
        type: 'body',
        status: 403,
        headers: { 'content-type': 'application/json' },
        body: '{"code":403}',
      });
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const [status, body] = await new Promise<[number | undefined, string]>((resolve) =>
      client.on('unexpected-response', (_request, response) => {
        let text = '';
        response.on('data', (d) => (text += String(d))).on('end', () => resolve([response.statusCode, text]));
      }),
    );
    expect([status, body]).toEqual([403, '{"code":403}']);
  });

  test('may carry its token among the protocols', () => {
    const headers: http.IncomingHttpHeaders = {
      'sec-websocket-protocol': `base64url.bearer.authorization.k8s.io.${Buffer.from('secret').toString('base64url')}, base64.binary.k8s.io`,
    };
    authorizeByProtocol({ headers } as http.IncomingMessage);
    expect(headers.authorization).toBe('Bearer secret');
  });
});
