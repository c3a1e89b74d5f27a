import { beforeEach, describe, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import {
  Cluster,
  defaultWorkers,
  makeTemplate,
  shiftCheckpoint,
  type ApiResponse,
  type SessionReference,
} from '@terrarium/engine';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters'] };
const ADA = { name: 'ada', groups: ['system:masters', 'class'] };
const UPGRADE = { connection: 'Upgrade', upgrade: 'websocket' };
const NOW = Date.UTC(2026, 0, 1, 12);
const TERRARIUM = '/apis/terrarium.dev/v1alpha1';
const template = makeTemplate({ workers: defaultWorkers(), speed: 'realistic' }, catalog);

let cluster: Cluster;
let now: number;
beforeEach(() => {
  cluster = new Cluster({ seed: 'typed', images: catalog, strict: true, tokenKey: 'typed' });
  cluster.load(shiftCheckpoint(template, NOW - template.now));
  now = NOW;
  cluster.advance(now);
});

function call(method: string, path: string, body?: object): unknown {
  const headers = { 'content-type': 'application/json' };
  const bytes = body && Buffer.from(JSON.stringify(body));
  const answer = cluster.handle({ method, path, query: '', headers, body: bytes, user: ADMIN }, now);
  if (answer.type !== 'body') throw new Error(answer.type);
  return JSON.parse(typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body).toString());
}

function open(path: string, tty = true): SessionReference {
  const query = `stdin=1&stdout=1${tty ? '&tty=1' : '&stderr=1'}&command=bash`;
  const answer: ApiResponse = cluster.handle(
    {
      method: 'GET',
      path,
      query: path.endsWith('attach') ? query.replace('&command=bash', '') : query,
      headers: UPGRADE,
      user: ADA,
    },
    now,
  );
  if (answer.type !== 'session' || !answer.opened.session) throw new Error(JSON.stringify(answer));
  return answer.opened.session;
}

const openNode = (): SessionReference => open('/api/v1/nodes/worker-1/shell');

function type(session: SessionReference, keys: string): void {
  // A line at a time.
  for (const stdin of keys.match(/[^\r]*\r|[^\r]+$/g) ?? []) {
    now += 100;
    cluster.advance(now);
    while (cluster.handleSession({ type: 'input', session, input: { stdin } }, now).type === 'unfinished');
  }
}

interface Input {
  readonly metadata: { readonly name: string };
  readonly user: string;
  readonly lines: string[];
}
const inputs = (): Input[] => (call('GET', `${TERRARIUM}/terminalinputs`) as { items: Input[] }).items;
const lines = (): string[] => inputs().flatMap((input) => input.lines);

describe('typed into a node’s shell', () => {
  test.each([
    ['a command', 'echo hi\r', ['echo hi']],
    ['what was corrected', 'eco\x7fho hi\r', ['echo hi']],
    ['a line of the history', 'true\r\x1b[A\r', ['true', 'true']],
    ['nothing', '\r  \r', []],
    ['what was given up', 'echo no\x03echo yes\r', ['echo yes']],
    ['lines of a document', "cat > /tmp/x <<'E'\rone\rE\r", ["cat > /tmp/x <<'E'", 'one', 'E']],
    ['what a program reads', 'cat\rfor cat\r\x04', ['cat', 'for cat']],
    ['what `read` reads, byte by byte', 'read -p name x\rada\r', ['read -p name x', 'ada']],
    ['no password', 'read -s x\rsecret\recho $x\r', ['read -s x', 'echo $x']],
    [
      'no line of a terminal without echo',
      'stty -echo; cat; stty echo\rsecret\r\x04true\r',
      ['stty -echo; cat; stty echo', 'true'],
    ],
    ['no keys of an editor', 'vi /tmp/y\risecret\x1b:q!\rtrue\r', ['vi /tmp/y', 'true']],
    ['letters of other languages', 'echo f\xc3\xbcr\r', ['echo für']],
    ['the end of the shell', 'exit\r', ['exit']],
  ])('%s', (_, keys, expected) => {
    type(openNode(), keys);
    expect(lines()).toEqual(expected);
  });

  test('what is typed ahead comes with the next input', () => {
    const session = openNode();
    type(session, 'sleep 3\recho ahead\r');
    expect(lines()).toEqual(['sleep 3']);
    now += 5_000;
    cluster.advance(now);
    type(session, '\r');
    expect(lines()).toEqual(['sleep 3', 'echo ahead']);
  });

  test('nothing is recorded of a shell without a terminal', () => {
    type(open('/api/v1/nodes/worker-1/shell', false), 'echo hi\n');
    expect(inputs()).toEqual([]);
  });
});

test('a record has who and where, is on the timeline, and in the past', () => {
  const session = openNode();
  type(session, 'uptime\r');
  expect(inputs()).toMatchObject([
    {
      ...{ metadata: { name: 'input-1' }, number: 1, user: 'ada', groups: ['system:masters', 'class'] },
      ...{ resource: 'nodes', subresource: 'shell', namespace: '', name: 'worker-1', lines: ['uptime'] },
    },
  ]);
  const spec = { ofUsers: true, limit: 1 };
  const timeline = call('POST', `${TERRARIUM}/timelines`, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Timeline',
    spec,
  });
  expect(timeline).toMatchObject({
    status: {
      entries: [
        {
          ...{ actor: 'ada', verb: 'type', object: 'node/worker-1', fields: ['uptime'] },
          text: 'ada typed in node/worker-1: uptime',
        },
      ],
    },
  });
  const other = new Cluster({ seed: 'typed', images: catalog, tokenKey: 'typed' });
  other.load(cluster.checkpoint());
  cluster = other;
  expect(lines()).toEqual(['uptime']);
});

test('nobody writes it but the cluster', () => {
  type(openNode(), 'uptime\r');
  expect(call('DELETE', `${TERRARIUM}/terminalinputs/input-1`)).toMatchObject({ code: 405 });
});

test('only the last hundred stay in the state', () => {
  const session = openNode();
  for (let i = 1; i <= 103; i++) type(session, `${i}\r`);
  expect(inputs()).toHaveLength(100);
  expect(lines().sort((a, b) => Number(a) - Number(b))[0]).toBe('4');
});

test('of what is pasted, a record has what the shell has read since the last input; a long line is cut', () => {
  const session = openNode();
  const stdin = `${'x'.repeat(2_000)}\r${'true\r'.repeat(80)}`;
  cluster.handleSession({ type: 'input', session, input: { stdin } }, now);
  expect(inputs()).toHaveLength(1);
  now += 60_000;
  cluster.advance(now);
  type(session, 'exit\r');
  expect(inputs()).toHaveLength(2);
  expect(lines()).toHaveLength(82);
  expect(lines()[0]).toHaveLength(1_000);
});

test('checks see each line, in a pod that is entered or attached to, too', () => {
  const pod = (name: string, extra: object): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'box', image: 'debian:12', ...extra }] },
  });
  call('POST', '/api/v1/namespaces/default/pods', pod('box', { command: ['sleep', '100000'] }));
  call('POST', '/api/v1/namespaces/default/pods', pod('shell', { command: ['bash'], stdin: true, tty: true }));
  const part = (name: string, extra: string): object => ({ name, eventually: `request.verb == 'type' && ${extra}` });
  const parts = [
    part('entered', "request.line.startsWith('ls') && request.user == 'ada' && request.name == 'box'"),
    part('attached', "request.line == 'date' && request.subresource == 'attach'"),
    part('never-typed', "request.line.contains('secret')"),
    { name: 'opened', eventually: "request.subresource == 'exec' && request.line == ''" },
  ];
  call('POST', `${TERRARIUM}/checks`, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'Check',
    metadata: { name: 'c' },
    spec: { parts },
  });
  now += 60_000;
  cluster.advance(now);
  type(open('/api/v1/namespaces/default/pods/box/exec'), 'ls /\r');
  type(open('/api/v1/namespaces/default/pods/shell/attach'), 'date\r');
  const { status } = call('GET', `${TERRARIUM}/checks/c`) as { status: { parts: { phase: string }[] } };
  expect(status.parts.map(({ phase }) => phase)).toEqual(['Passed', 'Passed', 'Pending', 'Passed']);
});
