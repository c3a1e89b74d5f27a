import { beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../containers/index.js';
import { makeTemplate } from '../engine/cluster/template.js';
import { Cluster, defaultWorkers, type SessionReference, type SessionResponse } from '../engine/index.js';
import { Pods } from '../engine/kinds/index.js';

const USER = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const TEMPLATE = makeTemplate({ workers: defaultWorkers(2), speed: 'instant' }, catalog);
const FROM_START = { stdoutFrom: 0, stderrFrom: 0 };
const POD_COUNT = 20;
const CONTAINERS = 10;
const LOGGING = 'n=0; while true; do n=$((n+1)); echo line $n; sleep 1; done';
const WRITING = 'n=0; while true; do n=$((n+1)); echo row $n >> /data/db; sleep 1; done';

/** Processes that serve one cluster in turn: what lasts is the log. */
class Processes {
  cluster = this.open();
  now = this.cluster.state.now + 1_000;
  private readonly log: string[] = [];

  private open(): Cluster {
    const cluster = new Cluster({ seed: 'sigkill', images: catalog });
    cluster.load(TEMPLATE);
    return cluster;
  }

  /** Runs an input, and appends what it has changed. */
  input<T>(run: (cluster: Cluster) => T): T {
    const { cluster } = this;
    const mark = cluster.mark();
    const result = run(cluster);
    for (const change of cluster.since(mark)) this.log.push(JSON.stringify(change));
    cluster.commit();
    return result;
  }

  pass(ms: number): void {
    this.now += ms;
    this.input((cluster) => cluster.advance(this.now));
  }

  /** Another process reads the log; what the killed one had not appended never was. */
  kill(): void {
    this.cluster = this.open();
    for (const text of this.log) this.cluster.replay(JSON.parse(text) as Parameters<Cluster['replay']>[0]);
    this.cluster.commit();
  }

  run(name: string, containers: readonly object[]): void {
    const metadata = { name, namespace: 'default' };
    this.input((cluster) =>
      cluster.client(USER).create(Pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata,
        spec: { containers, volumes: [{ name: 'data', emptyDir: {} }] },
      } as never),
    );
  }

  private request(path: string, query: string): unknown {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const request = { method: 'GET', path: `/api/v1/namespaces/default/pods/${path}`, query, headers, user: USER };
    return this.input((cluster) => cluster.handle(request, this.now));
  }

  logOf(pod: string, container: string): string {
    return (this.request(`${pod}/log`, `container=${container}`) as { body: string }).body;
  }

  exec(pod: string, query: string): SessionReference {
    return (this.request(`${pod}/exec`, query) as SessionResponse).opened.session!;
  }

  type(session: SessionReference, stdin: string): void {
    this.input((cluster) => cluster.handleSession({ type: 'input', session, input: { stdin } }, this.now));
  }

  read(session: SessionReference): string {
    return this.cluster.readSession(session, FROM_START, this.now).stdout;
  }
}

let processes: Processes;
let shell: SessionReference;
const busybox = (name: string, script: string): object => ({
  name,
  image: 'busybox',
  command: ['sh', '-c', script],
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
});
const names = Array.from({ length: POD_COUNT }, (_, i) => `logging-${i}`);
const containers = Array.from({ length: CONTAINERS }, (_, i) => `c${i}`);
const logs = (): string[] => names.flatMap((pod) => containers.map((c) => processes.logOf(pod, c)));
const rows = (): string => {
  const session = processes.exec('writing', 'command=cat&command=/data/db&stdout=true');
  return processes.read(session);
};

beforeAll(() => {
  processes = new Processes();
  for (const pod of names)
    processes.run(
      pod,
      containers.map((name) => busybox(name, LOGGING)),
    );
  processes.run('writing', [busybox('db', WRITING)]);
  processes.pass(10_000);
  shell = processes.exec('writing', 'command=sh&stdin=true&stdout=true&tty=true');
});

/** Lines or rows from the first one on: none is lost, none doubled. */
function expectWhole(text: string, word: string): void {
  const lines = text.split('\n').slice(0, -1);
  expect(lines.length).toBeGreaterThan(3);
  expect(lines).toEqual(lines.map((_, i) => `${word} ${i + 1}`));
}

describe('killed again and again, while 200 containers log, a session types and a database writes', () => {
  test.each([1, 2])('what was served before stays, none lost, none doubled: %d', (round) => {
    for (const key of `echo round ${round}`) {
      processes.pass(70);
      processes.type(shell, key);
    }
    const served = { logs: logs(), rows: rows(), shell: processes.read(shell) };
    // An input that was run, and killed before it was appended.
    processes.cluster.handleSession({ type: 'input', session: shell, input: { stdin: 'LOST' } }, processes.now);
    processes.kill();
    expect({ logs: logs(), rows: rows(), shell: processes.read(shell) }).toEqual(served);
    processes.type(shell, '\r');
    processes.pass(5_000);
    expect(processes.read(shell)).toBe(`${served.shell}\r\nround ${round}\r\n/ # `);
    const after = logs();
    after.forEach((text, i) => {
      expect(text.startsWith(served.logs[i]!)).toBe(true);
      expectWhole(text, 'line');
    });
    expectWhole(rows(), 'row');
    expect(rows().startsWith(served.rows)).toBe(true);
  });
});
