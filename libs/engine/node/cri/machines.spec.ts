import { beforeEach, describe, expect, test } from '@jest/globals';
import { networkOf } from '../kubelet/container/process.js';
import type { Container, Pod } from '../../api/core_v1.js';
import { Pods } from '../../kinds/index.js';
import { keyOf } from '../../machinery/meta/object.js';
import { NOW } from '../kubelet/testing.js';
import type { State } from '../../runtime/state/state.js';
import type { Machines } from './machines.js';
import { clientOf, comeTo, machinesOf, podOf, recordsOf, stateOf, toolPod } from './testing.js';

let state: State;
let machines: Machines;

const begin = (...pods: readonly Pod[]): void => {
  state = stateOf(...pods);
  machines = machinesOf(state);
};
const container = (name = 'c'): Container => podOf(state).spec.containers.find((c) => c.name === name)!;
const logOf = (id: string, at: number, by = machines): string[] =>
  by
    .at(by.viewOf(podOf(state)), at)
    .machine.container(`containerd://${id}`)
    .logs.map(({ text }) => text);

describe('a container’s future', () => {
  const forecastAt = (at: number): ReturnType<Machines['forecast']> =>
    machines.forecast(machines.viewOf(podOf(state)), 'containerd://c-1', at);

  test('ends when its program does', () => {
    begin(toolPod([{ command: ['rest', '5000', '3'] }]));
    expect(forecastAt(NOW).exit).toEqual({ code: 3, at: NOW + 5_000, outOfMemory: false });
  });

  test('is known as far as it was run, and further when that time has come', () => {
    begin(toolPod([{ command: ['count'] }]));
    const { knownUntil } = forecastAt(NOW);
    expect(knownUntil).toBeGreaterThan(NOW + 10_000);
    expect(forecastAt(NOW + 1_000).knownUntil).toBe(knownUntil);
    expect(forecastAt(knownUntil).knownUntil).toBeGreaterThan(knownUntil);
  });

  test('tells when it listens', () => {
    begin(toolPod([{ command: ['bind', '80', '2000'] }]));
    expect(forecastAt(NOW)).toEqual({
      listening: [
        { at: 0, ports: [] },
        { at: NOW + 2_000, ports: [80] },
      ],
      knownUntil: Infinity,
    });
  });

  test.each<[string[], number, object | undefined]>([
    [['polite', '700'], 30_000, { at: NOW + 1_700, code: 0 }],
    [['polite', '700'], 500, undefined],
    [['count'], 30_000, undefined],
  ])('%j with %d ms of grace ends after SIGTERM as %j', (command, grace, expected) => {
    begin(toolPod([{ command }]));
    const view = machines.viewOf(podOf(state));
    const ended = machines.stopping(view, 'containerd://c-1', NOW, NOW + 1_000, grace);
    if (expected) expect(ended).toMatchObject(expected);
    else expect(ended).toBeUndefined();
    expect(machines.at(view, NOW + 1_000).machine.container('containerd://c-1').running).toBe(true);
  });
});

describe('the law of time', () => {
  const steps = (...times: readonly number[]): string[] => {
    begin(toolPod([{ command: ['count'] }]));
    let log: string[] = [];
    for (const time of times) log = logOf('c-1', NOW + time);
    return log;
  };

  test('looked at once or often, a log is the same', () => {
    const once = steps(20_500);
    expect(once).toHaveLength(21);
    expect(steps(...Array.from({ length: 206 }, (_, i) => i * 100))).toEqual(once);
    expect(steps(20_500, 3_000, 20_500)).toEqual(once);
  });

  test('a look stores nothing', () => {
    steps(20_500);
    expect(recordsOf(state)).toEqual({ machines: 0, files: 0 });
  });

  test('a machine that was written down goes on from there, in any process', () => {
    begin(toolPod([{ command: ['count'] }]));
    machines.store(clientOf(state), podOf(state), machines.at(machines.viewOf(podOf(state)), NOW + 3_500));
    const other = machinesOf(state);
    expect(logOf('c-1', NOW + 9_500, other)).toEqual(logOf('c-1', NOW + 9_500));
    expect(logOf('c-1', NOW + 9_500, other)).toHaveLength(10);
  });
});

describe('what an ended container leaves', () => {
  const mount = [{ name: 'data', mountPath: '/data' }];
  const volumes = [{ name: 'data', emptyDir: {} }];
  const end = (): void => machines.keepEnd(clientOf(state), machines.viewOf(podOf(state)), NOW + 10);

  test('a changed volume is kept', () => {
    begin(toolPod([{ command: ['write', '/data/x', 'made'], volumeMounts: mount }], { spec: { volumes } }));
    end();
    expect(recordsOf(state).machines).toBe(1);
    expect(recordsOf(state).files).toBeGreaterThan(0);
  });

  test.each<[string, Partial<Container>]>([
    ['a file of its own layer', { command: ['write', '/tmp/x', 'gone'] }],
    ['a volume that it only reads', { command: ['list', '/data'], volumeMounts: mount }],
  ])('%s is not', (_case, own) => {
    begin(toolPod([own], { spec: { volumes } }));
    end();
    expect(recordsOf(state)).toEqual({ machines: 0, files: 0 });
  });

  const messageOf = (failed: boolean): string =>
    machines.terminationMessage(machines.viewOf(podOf(state)), container(), 'containerd://c-1', failed, NOW + 10);
  test.each<[Partial<Container>, boolean, string]>([
    [{ command: ['write', '/dev/termination-log', 'done'] }, false, 'done'],
    [{ command: ['write', '/tmp/m', 'own'], terminationMessagePath: '/tmp/m' }, false, 'own'],
    [{ command: ['read', '/none'] }, true, ''],
    [
      { command: ['read', '/none'], terminationMessagePolicy: 'FallbackToLogsOnError' },
      true,
      'No such file or directory\n',
    ],
    [{ command: ['list', '/tmp'], terminationMessagePolicy: 'FallbackToLogsOnError' }, false, ''],
  ])('%j, failed %s, has the message %j', (own, failed, expected) => {
    begin(toolPod([own]));
    expect(messageOf(failed)).toBe(expected);
  });
});

test('a resize in place shows in the cgroup of the container that runs on', () => {
  begin(toolPod([{ command: ['count'], resources: { limits: { memory: '64Mi' } } }]));
  const view = machines.viewOf(podOf(state));
  const limitAt = (statuses: typeof view.statuses): number | undefined =>
    machines.at({ ...view, statuses }, NOW + 1_000).machine.state.containers.get('containerd://c-1')?.memoryLimit;
  expect(limitAt(view.statuses)).toBe(64 * 1024 * 1024);
  const resized = [...view.statuses].map(([name, status]) => [
    name,
    { ...status, resources: { limits: { memory: '32Mi' } } },
  ]);
  expect(limitAt(new Map(resized as never))).toBe(32 * 1024 * 1024);
});

describe('a server that is known by its summary', () => {
  beforeEach(() => begin(toolPod([{ image: 'server' }])));

  test('shows its process, its log and its port when it is looked into', () => {
    const { machine } = machines.at(machines.viewOf(podOf(state)), NOW + 1_000);
    expect(machine.container('containerd://c-1')).toMatchObject({
      running: true,
      logs: [{ at: NOW + 10, stream: 'stdout', text: 'ready' }],
      listening: [{ port: 80, protocol: 'tcp' }],
    });
  });

  test('answers in the machine as in the summary', () => {
    const request = { scheme: 'http', port: 80, method: 'GET', path: '/x', headers: {}, body: '' } as const;
    const ask = (port: number, at: number): object =>
      machines.ask(machines.viewOf(podOf(state)), { ...request, port }, NOW + at);
    expect(ask(80, 1_000)).toMatchObject({ status: 200, body: 'you asked for /x' });
    const refused = (port: number): object => ({ error: `dial tcp 10.244.1.2:${port}: connect: connection refused` });
    expect(ask(80, 100)).toEqual(refused(80));
    expect(ask(81, 1_000)).toEqual(refused(81));
  });

  test('ends at SIGTERM as the summary says', () => {
    const view = machines.viewOf(podOf(state));
    expect(machines.stopping(view, 'containerd://c-1', NOW, NOW + 1_000, 30_000)).toMatchObject({
      at: NOW + 1_050,
      code: 0,
    });
  });
});

test.each<[string[], string | undefined]>([
  [['rest', '1'], undefined],
  [['nosuch'], 'exec: "nosuch": executable file not found in $PATH'],
  [['/bin/nosuch'], 'exec: "/bin/nosuch": stat /bin/nosuch: no such file or directory'],
])('%j can be started unless %j', (command, expected) => {
  begin(toolPod([{ command }]));
  const run = { container: container(), image: 'tools', containerID: 'containerd://new', startedAt: NOW };
  const pod = podOf(state);
  const network = networkOf(state, 'default');
  expect(machines.findStartFailure(machines.viewOf(pod), run, { pod, read: state }, network)).toBe(expected);
});

test.each<[string[], number, string]>([
  [['list', '/bin'], 0, 'ask bind breed count echo env fetch labour list polite read remove rest toil write'],
  [['read', '/none'], 1, 'No such file or directory\n'],
  [['rest', '5000'], 1, 'command timed out: "rest 5000" timed out after 1s'],
  [
    ['nosuch'],
    126,
    expect.stringMatching(
      /^rpc error: code = Unknown desc = failed to exec in container: failed to start exec "[0-9a-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: exec: "nosuch": executable file not found in \$PATH: unknown$/,
    ) as unknown as string,
  ],
])('a probe’s command %j ends with %d and %j', (argv, code, output) => {
  begin(toolPod([{}]));
  const view = machines.viewOf(podOf(state));
  expect(machines.tryCommand(view, 'containerd://c-1', argv, NOW + 10, 1_000)).toMatchObject({ code, output });
});

describe('on the network', () => {
  const other = (containers: readonly Partial<Container>[], name: string, podIP: string): Pod => {
    const made = toolPod(containers, { metadata: { name, namespace: 'shop', uid: `uid-${name}` } });
    return { ...made, status: { ...made.status, podIP } };
  };
  const run = (command: string, at = NOW + 1_000): object => {
    const view = machines.viewOf(podOf(state));
    return machines.tryCommand(view, 'containerd://c-1', command.split(' '), at, 1_000);
  };

  test('a server that is known by its summary answers without a machine', () => {
    state = stateOf(toolPod([{}]), other([{ image: 'server' }], 'api', '10.244.1.3'));
    machines = machinesOf(state, { dial: (to, { path }) => ({ status: 200, body: `${to.metadata.name}${path}` }) });
    expect(run('fetch 10.244.1.3 80 /x')).toMatchObject({ code: 0, output: expect.stringContaining('\r\n\r\napi/x') });
  });

  test.each([
    ['a port where nothing listens', '10.244.1.3 81', 'ECONNREFUSED'],
    ['a host outside: the network is closed', '8.8.8.8 80', 'ENETUNREACH'],
  ])('%s', (_case, target, error) => {
    begin(toolPod([{}]), other([{ image: 'server' }], 'api', '10.244.1.3'));
    expect(run(`fetch ${target} /`)).toMatchObject({ code: 1, output: error });
  });

  describe('the API server', () => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'cp', labels: { 'node-role.kubernetes.io/control-plane': '' } },
      status: { addresses: [{ type: 'InternalIP', address: '172.18.0.9' }] },
    } as never;
    let asked: string[];
    beforeEach(() => {
      asked = [];
      state = stateOf(toolPod([{ command: ['ask', '172.18.0.9', '6443', '/version'] }]), node);
      machines = machinesOf(state, {
        api: (from, { path }, now) => {
          asked.push(`${from.metadata.name} ${path} ${now - NOW}`);
          return { status: 200, body: 'v1.36' };
        },
      });
    });

    test('is not asked by a look', () => {
      expect(logOf('c-1', NOW + 10)).toEqual([]);
      expect(machines.forecast(machines.viewOf(podOf(state)), 'containerd://c-1', NOW + 10).exit).toBeUndefined();
      expect(asked).toEqual([]);
    });

    test('answers an input, once, and the answer is part of the log', () => {
      const answer = (by: Machines): boolean => by.answerWaiting(clientOf(state), by.viewOf(podOf(state)), NOW + 10);
      expect([answer(machines), answer(machines), answer(machinesOf(state))]).toEqual([true, false, false]);
      expect(asked).toEqual(['web /version 0']);
      expect(logOf('c-1', NOW + 10, machinesOf(state)).at(-1)).toBe('v1.36');
    });
  });
});

describe('lifecycle hooks', () => {
  const write = (path: string): object => ({ exec: { command: ['write', path, 'x'] } });
  const tmpAt = (at: number): string =>
    machines.tryCommand(machines.viewOf(podOf(state)), 'containerd://c-1', ['list', '/tmp'], NOW + at, 1_000).output;

  test('postStart runs beside the main program', () => {
    begin(toolPod([{ lifecycle: { postStart: write('/tmp/started') } }]));
    expect(tmpAt(0)).toBe('started');
  });

  test('preStop runs when the container is told to stop, before SIGTERM', () => {
    begin(toolPod([{ command: ['polite', '500'], lifecycle: { preStop: write('/tmp/stopping') } }]));
    const view = machines.viewOf(podOf(state));
    const time = (ms: number): string => new Date(NOW + ms).toISOString().replace('Z', '000Z');
    const records = { c: { dying: { hook: time(1_000), since: time(2_000), at: time(30_000), code: 137 } } };
    const listAt = (at: number): string =>
      machines.tryCommand({ ...view, records }, 'containerd://c-1', ['list', '/tmp'], NOW + at, 100).output;
    expect([listAt(999), listAt(1_000)]).toEqual(['', 'stopping']);
    const { machine } = machines.at({ ...view, records }, NOW + 5_000);
    expect(machine.container('containerd://c-1').exit).toMatchObject({ at: NOW + 2_500, code: 0 });
  });
});

test('a machine whose last step led beyond the time that was asked for is not made again', () => {
  begin(toolPod([{ command: ['toil', '2500'] }]));
  const at = (time: number) => machines.at(machines.viewOf(podOf(state)), NOW + time);
  const first = at(0);
  expect(first.machine.now).toBeGreaterThan(NOW);
  expect(at(1)).toBe(first);
  expect(at(500)).toBe(first);
  expect(at(499)).not.toBe(first);
});

test('a machine is forgotten with its pod', () => {
  begin(toolPod([{ command: ['toil', '2500'] }]));
  const pod = podOf(state);
  const look = () => machines.at(machines.viewOf(pod), NOW);
  const first = look();
  expect(look()).toBe(first);
  state.remove(state.resourceOf(Pods), keyOf(pod), 'test', 0);
  expect(look()).not.toBe(first);
});

describe('a machine that has much to do', () => {
  const ids = { c: 'containerd://c-1' };

  test('is looked at as far as it has come, and at last as it is at that time', () => {
    begin(toolPod([{ command: ['labour', '350'] }]));
    const view = machines.viewOf(podOf(state));
    const first = machines.look(view, NOW + 4_000).machine;
    expect([first.now < NOW + 200, first.nextWake()! <= first.now]).toEqual([true, true]);
    for (let i = 0; i < 400; i++) machines.look(view, NOW + 4_000);
    const { machine } = machines.look(view, NOW + 4_000);
    expect(machine.container(ids.c).logs).toHaveLength(4);
    expect(machine.save()).toEqual(comeTo(machinesOf(state), view, NOW + 4_000).machine.save());
  });

  test('is run ahead a little at a time: its end is found when it is near', () => {
    begin(toolPod([{ command: ['labour', '350'] }]));
    const view = machines.viewOf(podOf(state));
    let [at, looks] = [NOW, 0];
    for (; ; looks++) {
      comeTo(machines, view, at);
      const { exit, knownUntil } = machines.forecast(view, ids.c, at);
      if (exit) break;
      expect(knownUntil - at).toBeLessThan(200);
      at = knownUntil;
    }
    expect(looks).toBeGreaterThan(20);
    expect(machines.forecast(view, ids.c, at).exit).toEqual(
      comeTo(machinesOf(state), view, NOW + 9_000).machine.container(ids.c).exit,
    );
  });
});
