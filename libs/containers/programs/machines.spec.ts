import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  Cluster,
  defaultWorkers,
  makeCatalog,
  makeTemplate,
  type ApiResponse,
  type CheckpointState,
  type SessionOutput,
} from '@terrarium/engine';
import { busyboxLayer } from '../layers/index.js';
import { programs } from './index.js';
import { serverImage, toolImage } from './server.js';

const SECOND = 1000;
const busybox = toolImage({
  names: ['busybox'],
  tags: /./,
  layersMB: [2],
  config: { cmd: ['sh'] },
  files: busyboxLayer,
});
const server = serverImage(
  { names: [], tags: /./, layersMB: [20], files: busyboxLayer, commands: 'any' },
  { declared: true, probed: true },
);
const images = makeCatalog([busybox], server, { isPublished: () => true }, programs);
const template = makeTemplate({ workers: defaultWorkers(1), speed: 'realistic' }, images);
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const PODS = '/api/v1/namespaces/default/pods';

interface PodLike {
  readonly status: {
    readonly phase: string;
    readonly containerStatuses: readonly {
      readonly ready: boolean;
      readonly restartCount: number;
      readonly state: Readonly<
        Record<string, { readonly reason?: string; readonly exitCode?: number; readonly message?: string }>
      >;
    }[];
  };
}

/** A cluster as one process has it, with the log that another one can be made from. */
class Bed {
  private constructor(
    readonly cluster: Cluster,
    private readonly start: number,
  ) {}

  static new(checkpoint: CheckpointState = template): Bed {
    const onError = (name: string, _key: unknown, error: unknown): never => {
      throw new Error(`${name}: ${String((error as Error).stack)}`);
    };
    const cluster = new Cluster({ seed: 'machines', images, strict: true, tokenKey: 'k', onError });
    cluster.load(checkpoint);
    return new Bed(cluster, template.now);
  }

  /** Another process that takes the cluster up, as after a SIGKILL of this one. */
  takeUp(): Bed {
    return Bed.new(this.cluster.checkpoint());
  }

  at(seconds: number): this {
    const now = this.start + seconds * SECOND;
    this.cluster.advance(now);
    this.cluster.state.now = Math.max(this.cluster.state.now, now);
    return this;
  }

  send(method: string, path: string, options: { query?: string; body?: object; headers?: object } = {}): ApiResponse {
    const { query = '', body, headers } = options;
    return this.cluster.handle(
      {
        method,
        path,
        query,
        headers: { 'content-type': 'application/json', ...headers },
        user: ADMIN,
        ...(body ? { body: new TextEncoder().encode(JSON.stringify(body)) } : {}),
      },
      this.cluster.state.now,
    );
  }

  run(name: string, script: string, container: object = {}, spec: object = {}): this {
    const own = { name: 'c', image: 'busybox', command: ['sh', '-c', script], ...container };
    const metadata = { name, labels: { app: name } };
    const body = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [own], ...spec } };
    const { status } = this.send('POST', PODS, { body });
    expect(status).toBe(201);
    return this;
  }

  exec(name: string, script: string): string {
    const query = `${['sh', '-c', script].map((word) => `command=${encodeURIComponent(word)}`).join('&')}&stdout=true&stderr=true`;
    const response = this.send('GET', `${PODS}/${name}/exec`, {
      query,
      headers: { upgrade: 'websocket', connection: 'Upgrade' },
    });
    if (response.type !== 'session') throw new Error(`no session: ${JSON.stringify(response)}`);
    const { opened } = response;
    if (opened.failure) return opened.failure.message;
    const from = { stdoutFrom: 0, stderrFrom: 0 };
    const read = (now: number): SessionOutput => this.cluster.readSession(opened.session, from, now);
    let output = read(this.cluster.state.now);
    // A command's work takes some milliseconds.
    for (let i = 0; i < 100 && !output.exit && output.wakeAt !== undefined; i++) output = read(output.wakeAt);
    const { stdout, stderr, exit } = output;
    return `${stdout}${stderr}${exit?.code ? `exit ${exit.code}` : ''}`;
  }

  log(name: string, query = ''): string {
    const response = this.send('GET', `${PODS}/${name}/log`, { query });
    return response.type === 'body' ? String(response.body) : '';
  }

  pod(name: string): PodLike {
    const response = this.send('GET', `${PODS}/${name}`);
    return JSON.parse(response.type === 'body' ? String(response.body) : '{}') as PodLike;
  }

  state(name: string): string {
    const { state, restartCount, ready } = this.pod(name).status.containerStatuses[0]!;
    const [which, detail] = Object.entries(state)[0]!;
    return [which, detail.reason, detail.exitCode, ready ? 'ready' : 'unready', restartCount]
      .filter((part) => part !== undefined)
      .join(' ');
  }
}

let bed: Bed;
beforeEach(() => {
  bed = Bed.new();
});

describe('exec', () => {
  test('what one command writes the next one reads, also in another process', () => {
    bed.run('web', 'sleep 3600').at(10);
    expect(bed.exec('web', 'echo hi > /tmp/x')).toBe('');
    expect(bed.exec('web', 'cat /tmp/x')).toBe('hi\n');
    const other = bed.takeUp().at(20);
    expect(other.exec('web', 'cat /tmp/x; echo more >> /tmp/x; cat /tmp/x')).toBe('hi\nhi\nmore\n');
  });

  test('an unknown command is 127', () => {
    bed.run('web', 'sleep 3600').at(10);
    expect(bed.exec('web', 'nosuch')).toBe('sh: nosuch: not found\nexit 127');
  });

  test('it may end the main program', () => {
    bed.run('web', "trap 'exit 7' TERM; while true; do sleep 1; done", {}, { restartPolicy: 'Never' }).at(10);
    expect(bed.state('web')).toBe('running ready 0');
    bed.exec('web', 'kill 1');
    expect(bed.at(15).state('web')).toBe('terminated Error 7 unready 0');
  });
});

describe('the main program', () => {
  test.each([
    ['exit 0', 'terminated Completed 0 unready 0'],
    ['exit 3', 'terminated Error 3 unready 0'],
    ['sleep 3; false', 'terminated Error 1 unready 0'],
    ['nosuch', 'terminated Error 127 unready 0'],
  ])('%s: %s', (script, expected) => {
    bed.run('job', script, {}, { restartPolicy: 'Never' }).at(15);
    expect(bed.state('job')).toBe(expected);
  });

  test.each<[string, string, string]>([
    ['echo a; sleep 2; echo b; exit 3', 'a\nb\n', 'Error 3'],
    ['i=0; while [ $i -lt 3 ]; do echo "n=$i"; i=$((i+1)); sleep 1; done', 'n=0\nn=1\nn=2\n', 'Completed 0'],
    ['if [ -f /x ]; then echo yes; else echo no; fi', 'no\n', 'Completed 0'],
    ['echo one > /f; echo two >> /f; cat /f | grep two', 'two\n', 'Completed 0'],
    ['false || echo rescued; true && echo done', 'rescued\ndone\n', 'Completed 0'],
    ['X=$(echo inner); echo "${X:-none} ${Y:-none}"', 'inner none\n', 'Completed 0'],
    ['set -e; false; echo never', '', 'Error 1'],
    ['kill -9 1; echo alive; exit 4', 'alive\n', 'Error 4'],
    ['if true; then', 'sh: syntax error: unexpected end of file (expecting "fi")\n', 'Error 2'],
  ])('%s logs %j', (script, log, end) => {
    bed.run('job', script, {}, { restartPolicy: 'Never' }).at(15);
    expect(bed.log('job')).toBe(log);
    expect(bed.state('job')).toBe(`terminated ${end} unready 0`);
  });

  test('one that is not there is a StartError', () => {
    bed.run('job', '', { command: ['nosuch'] }, { restartPolicy: 'Never' }).at(15);
    expect(bed.state('job')).toBe('terminated StartError 128 unready 0');
    expect(bed.pod('job').status.containerStatuses[0]!.state['terminated']!.message).toBe(
      'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ' +
        'unable to start container process: error during container init: exec: "nosuch": executable file not found in $PATH: unknown',
    );
  });

  test('an init container’s file reaches the container', () => {
    const volumeMounts = [{ name: 'data', mountPath: '/data' }];
    const init = { name: 'init', image: 'busybox', command: ['sh', '-c', 'echo made > /data/x'], volumeMounts };
    const spec = { initContainers: [init], volumes: [{ name: 'data', emptyDir: {} }] };
    bed.run('web', 'cat /data/x; sleep 3600', { volumeMounts }, spec).at(20);
    expect(bed.log('web')).toBe('made\n');
  });

  test('a volume outlives its containers’ crashes', () => {
    const volumeMounts = [{ name: 'data', mountPath: '/data' }];
    const spec = { volumes: [{ name: 'data', emptyDir: {} }] };
    bed.run('web', 'echo run >> /data/x; wc -l < /data/x; exit 1', { volumeMounts }, spec).at(60);
    expect(Number(bed.log('web'))).toBe(bed.pod('web').status.containerStatuses[0]!.restartCount + 1);
  });

  test('its termination message is the one that it wrote', () => {
    bed.run('job', 'echo bad luck > /dev/termination-log; exit 1', {}, { restartPolicy: 'Never' }).at(15);
    expect(bed.pod('job').status.containerStatuses[0]!.state['terminated']!.message).toBe('bad luck\n');
  });
});

describe('probes', () => {
  test('the documentation’s liveness command restarts its container', () => {
    const livenessProbe = { exec: { command: ['cat', '/tmp/healthy'] }, initialDelaySeconds: 5, periodSeconds: 5 };
    bed.run('live', 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600', { livenessProbe }).at(30);
    expect(bed.state('live')).toBe('running ready 0');
    expect(bed.at(120).state('live')).toBe('running ready 1');
  });

  test('a file that exec makes lets a pod become ready', () => {
    const readinessProbe = { exec: { command: ['ls', '/tmp/ready'] }, periodSeconds: 5 };
    bed.run('web', 'sleep 3600', { readinessProbe }).at(20);
    expect(bed.state('web')).toBe('running unready 0');
    bed.exec('web', 'touch /tmp/ready');
    expect(bed.at(30).state('web')).toBe('running ready 0');
  });
});

describe('the law of time', () => {
  const COUNTS =
    'i=0; while [ $i -lt 40 ]; do i=$((i+1)); echo $i $(date +%s); echo $i >> /tmp/n; sleep 1; done; exit 2';
  const history = (steps: readonly number[], takesUp = false): string[] => {
    let now = Bed.new().run('web', COUNTS, {}, { restartPolicy: 'Never' });
    const seen: string[] = [];
    for (const step of steps) {
      now.at(step);
      if (step === 20) seen.push(now.exec('web', 'echo exec >> /tmp/n; tail -n 2 /tmp/n'));
      if (takesUp) now = now.takeUp();
    }
    return [...seen, now.log('web'), now.state('web'), JSON.stringify(now.pod('web').status)];
  };
  const often = Array.from({ length: 30 }, (_, i) => 2 * i + 2);

  test('in one go or in steps, files, logs and statuses are the same', () => {
    const once = history([20, 60]);
    expect(once[1]!.split('\n')).toHaveLength(41);
    expect(history(often)).toEqual(once);
  });

  test('so they are when another process takes the cluster up after each step', () => {
    expect(history(often, true)).toEqual(history([20, 60]));
  });

  test('an endless program that nobody looks at writes nothing', () => {
    bed.run('web', 'while true; do date; sleep 1; done').at(60);
    const { revision } = bed.cluster;
    bed.at(600);
    expect(bed.cluster.revision).toBe(revision);
    expect(bed.log('web', 'tailLines=1')).toMatch(/UTC 20\d\d\n$/);
  });
});
