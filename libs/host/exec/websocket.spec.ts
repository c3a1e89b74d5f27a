import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, type CommandResult, type ExecResponse } from '@terrarium/engine';
import WebSocket from 'ws';
import { SESSION_LIMITS, type SessionLimits } from './session-limits.js';
import { capitals, command, runAlone } from './testing.js';
import type { Handshake } from './handshake.js';
import { acceptCommand, acceptFrames, acceptLog, authorizeByProtocol } from './websocket.js';

let server: http.Server;
let accept: (handshake: Handshake) => void;
beforeEach(async () => {
  server = http.createServer();
  server.on('upgrade', (raw, socket, head) => accept({ raw, socket, head, headers: { 'x-request-id': 'r1' } }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => void server.close());

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
const serve = (response: ExecResponse): void =>
  void (accept = (handshake) => acceptCommand(handshake, runAlone(response)));

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

  /** A shell that counts what it is asked to do. */
  function counting(limits: Partial<SessionLimits> = {}): { runs: number; bytes: number } {
    const work = { runs: 0, bytes: 0 };
    const run = (input: string): CommandResult => {
      work.runs++;
      work.bytes += input.length;
      return capitals(input);
    };
    accept = (handshake) => acceptCommand(handshake, runAlone(command({ tty: true, run }), limits));
    return work;
  }

  test.each([16, 256])('on a terminal takes %i KB of Enter keys in few runs', async (kilobytes) => {
    const work = counting();
    const enters = kilobytes * 1024 - 1;
    const { out, status } = await converse(['v5.channel.k8s.io'], [stdin('\r'.repeat(enters)), stdin('\u0004')]);
    expect(JSON.parse(status)).toMatchObject({ status: 'Success' });
    expect(work.runs).toBeLessThanOrEqual(SESSION_LIMITS.singleLines + 2);
    expect(work.bytes).toBeLessThan(4 * enters);
    expect(out.length).toBeGreaterThan(enters);
  });

  test('on a terminal runs the Enter keys that come apart together, while a run waits for its turn', async () => {
    const work = counting({ singleLines: 0 });
    const keys = Array.from({ length: 5_000 }, () => stdin('\r'));
    await converse(['v5.channel.k8s.io'], [...keys, stdin('\u0004')]);
    expect(work.runs).toBeLessThan(keys.length / 2);
  });

  test('on a terminal shows the output of each line of a short paste under it', async () => {
    counting();
    const { out } = await converse(['v5.channel.k8s.io'], [stdin('one\rtwo\r'), stdin('\u0004')]);
    expect(out).toBe('/ # one\r\nONE\r\n/ # two\r\nTWO\r\n/ # ');
  });

  test('on a terminal runs the end of a long paste as one', async () => {
    const work = counting({ singleLines: 1 });
    const { out } = await converse(['v5.channel.k8s.io'], [stdin('a\rb\rc\r'), stdin('\u0004')]);
    expect([out, work.runs]).toEqual(['/ # a\r\nA\r\n/ # b\r\nc\r\nB\r\nC\r\n/ # ', 3]);
  });

  test('reads a script of 256 KB that comes line by line in few runs', async () => {
    const work = { runs: 0, bytes: 0 };
    const run = (input: string): CommandResult => {
      work.runs++;
      work.bytes += input.length;
      return { output: '', code: 0, ended: false };
    };
    serve(command({ run }));
    const line = stdin(`${'x'.repeat(62)}\n`);
    const { status } = await converse(['v5.channel.k8s.io'], [...Array.from({ length: 4_000 }, () => line), END]);
    expect(JSON.parse(status)).toMatchObject({ status: 'Success' });
    expect(work.runs).toBeLessThan(1_000);
  });

  test('says why its session ends before it', async () => {
    accept = (handshake) =>
      acceptCommand(handshake, { ...runAlone(command({})), onEnd: (listener) => setImmediate(listener, 'killed') });
    const { status } = await converse(['v5.channel.k8s.io'], []);
    expect(JSON.parse(status)).toMatchObject({
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '137' }] },
    });
  });

  test('is closed without a status when its cluster is', async () => {
    accept = (handshake) =>
      acceptCommand(handshake, { ...runAlone(command({})), onEnd: (listener) => setImmediate(listener, 'closed') });
    expect(await converse(['v5.channel.k8s.io'], [])).toMatchObject({ out: '', status: '' });
  });

  test.each<[string, Partial<SessionLimits>]>([
    ['when nothing is sent', { idleMs: 30 }],
    ['at the end of its time', { sessionMs: 30 }],
  ])('is closed %s', async (_, limits) => {
    accept = (handshake) => acceptCommand(handshake, runAlone(command({}), limits));
    expect(await converse(['v5.channel.k8s.io'], [])).toMatchObject({ status: '' });
  });

  test('whose work is used up says so', async () => {
    const run = (): Promise<never> => Promise.reject(new ApiError(413, 'RequestEntityTooLarge', 'too much'));
    accept = (handshake) => acceptCommand(handshake, { ...runAlone(command({})), run });
    const { status } = await converse(['v5.channel.k8s.io'], [stdin('ls\n')]);
    expect(JSON.parse(status)).toEqual({
      metadata: {},
      status: 'Failure',
      reason: 'RequestEntityTooLarge',
      message: 'too much',
      code: 413,
    });
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
    accept = (handshake) =>
      acceptFrames(handshake, (frames) => {
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
});

describe('a token among the protocols', () => {
  const BEARER = 'base64url.bearer.authorization.k8s.io.';
  const secret = `${BEARER}${Buffer.from('secret').toString('base64url')}`;
  const authorize = (protocols: string, authorization?: string): string | undefined => {
    const headers: http.IncomingHttpHeaders = { 'sec-websocket-protocol': protocols, authorization };
    authorizeByProtocol({ headers });
    return headers.authorization;
  };

  test.each([
    ['is the Authorization header', `${secret}, base64.binary.k8s.io`, undefined, 'Bearer secret'],
    ['does not replace the header', `${secret}, base64.binary.k8s.io`, 'Bearer other', 'Bearer other'],
    ['may be missing', 'base64.binary.k8s.io', undefined, undefined],
  ])('%s', (_, protocols, authorization, expected) => expect(authorize(protocols, authorization)).toBe(expected));

  test.each([
    ['that is alone', secret],
    ['that is there twice', `${secret}, ${secret}, v5.channel.k8s.io`],
    ['with padding', `${BEARER}YQ==, v5.channel.k8s.io`],
    ['that is no UTF-8', `${BEARER}${Buffer.from([0xff]).toString('base64url')}, v5.channel.k8s.io`],
    ['that is empty', `${BEARER}, v5.channel.k8s.io`],
  ])('%s is refused', (_, protocols) => expect(() => authorize(protocols)).toThrow('Unauthorized'));

  test.each(['', 'v5.channel.k8s.io,', ',v5.channel.k8s.io'])('the list %j is refused', (protocols) =>
    expect(() => authorize(protocols)).toThrow('Invalid Sec-WebSocket-Protocol header'),
  );
});

describe("a pod's log on a WebSocket", () => {
  const listen = (protocols: string[]): Promise<{ protocol: string; id: unknown; messages: (string | Buffer)[] }> => {
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`, protocols);
    const messages: (string | Buffer)[] = [];
    let id: unknown;
    return new Promise((resolve, reject) =>
      client
        .on('upgrade', ({ headers }) => (id = headers['x-request-id']))
        .on('message', (data: Buffer, isBinary) => messages.push(isBinary ? data : data.toString()))
        .on('close', () => resolve({ protocol: client.protocol, id, messages }))
        .on('error', reject),
    );
  };

  test.each<[string[], (string | Buffer)[]]>([
    [[], [Buffer.alloc(0), Buffer.from('häl'), Buffer.from('lo\n')]],
    [['binary.k8s.io'], [Buffer.alloc(0), Buffer.from('häl'), Buffer.from('lo\n')]],
    [
      ['v5.channel.k8s.io', 'base64.binary.k8s.io'],
      ['', Buffer.from('häl').toString('base64'), Buffer.from('lo\n').toString('base64')],
    ],
  ])('offered %j', async (protocols, expected) => {
    accept = (handshake) =>
      acceptLog(handshake, (log) => {
        log.write('häl');
        log.end('lo\n');
      });
    const { protocol, id, messages } = await listen(protocols);
    expect([protocol, id, messages]).toEqual([protocols.at(-1) ?? '', 'r1', expected]);
  });

  test('no protocol of commands serves it', () => {
    const raw = { headers: { 'sec-websocket-protocol': 'v4.channel.k8s.io' } } as unknown as http.IncomingMessage;
    expect(() => acceptLog({ raw } as Handshake, () => undefined)).toThrow(
      'requested protocol(s) are not supported: [v4.channel.k8s.io]',
    );
  });
});
