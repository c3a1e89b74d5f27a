import { beforeEach, describe, expect, test } from '@jest/globals';
import { Cluster, defaultWorkers, kinds, makeTemplate, type Kind, type KubeObject } from '@terrarium/engine';
import { catalog } from './index.js';

const SECOND = 1000;
const template = makeTemplate({ workers: defaultWorkers(2), speed: 'realistic' }, catalog);
const kind = (name: string, group = ''): Kind => kinds.find((k) => k.kind === name && k.group === group)!;
const [Pods, Events, Nodes, ConfigMaps, Services] = [
  kind('Pod'),
  kind('Event'),
  kind('Node'),
  kind('ConfigMap'),
  kind('Service'),
];
const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };

interface PodLike extends KubeObject {
  spec: { nodeName?: string };
  status: {
    phase: string;
    podIP?: string;
    conditions: { type: string; status: string; reason?: string; message?: string }[];
    containerStatuses: {
      ready: boolean;
      restartCount: number;
      state: Record<string, { reason?: string; message?: string; exitCode?: number }>;
    }[];
  };
}

let cluster: Cluster;
let start: number;
let errors: string[];

beforeEach(() => {
  errors = [];
  cluster = new Cluster({
    seed: 'kubelet',
    images: catalog,
    strict: true,
    onError: (c, k, e) => errors.push(`${c} ${k.name} ${String((e as Error).stack)}`),
  });
  cluster.load(template);
  start = cluster.state.now;
});

const client = () => cluster.client(ADMIN);
const at = (seconds: number): void => {
  cluster.advance(start + seconds * SECOND);
  cluster.state.now = Math.max(cluster.state.now, start + seconds * SECOND);
  expect(errors).toEqual([]);
};
const run = (name: string, container: object, spec: object = {}): void => {
  client().create(Pods, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { containers: [{ name: 'c', ...container }], ...spec },
  } as never);
};
const pod = (name: string): PodLike => client().get(Pods, { namespace: 'default', name }) as PodLike;
const state = (name: string): [string, string | undefined] => {
  const [which, detail] = Object.entries(pod(name).status.containerStatuses?.[0]?.state ?? { none: {} })[0]!;
  return [which, detail.reason];
};
const events = (name: string): string[] =>
  (
    client().list(Events, 'default') as unknown as {
      involvedObject: { name: string };
      reason: string;
      message: string;
    }[]
  )
    .filter((e) => e.involvedObject.name === name)
    .map((e) => `${e.reason}: ${e.message}`);
const condition = (name: string, type: string): string | undefined =>
  pod(name).status.conditions.find((c) => c.type === type)?.message;

/** Seconds in which the kubelet has seen a change of its pod. */
const SEEN = 0.01;

describe('a pod on its way to Running', () => {
  test('is placed, pulled, created and started, each with its event', () => {
    run('web', { image: 'nginx:1.25' });
    at(SEEN);
    expect(state('web')).toEqual(['waiting', 'ContainerCreating']);
    expect(pod('web').status.podIP).toBeUndefined();
    at(10);
    expect(pod('web').status.phase).toBe('Running');
    expect(pod('web').status.podIP).toMatch(/^10\.244\.[12]\.\d+$/);
    expect(events('web').map((e) => e.split(':')[0])).toEqual(['Scheduled', 'Pulling', 'Pulled', 'Created', 'Started']);
    expect(events('web')[2]).toMatch(
      /^Pulled: Successfully pulled image "nginx:1.25" in \d\.\d+s \(\d\.\d+s including waiting\)\. Image size: \d+ bytes\.$/,
    );
  });

  test('finds its image on the node the second time', () => {
    run('one', { image: 'nginx:1.25' }, { nodeName: 'worker-1' });
    at(10);
    run('two', { image: 'nginx:1.25' }, { nodeName: 'worker-1' });
    at(20);
    expect(events('two')[0]).toBe(
      'Pulled: Container image "nginx:1.25" already present on machine and can be accessed by the pod',
    );
  });

  test('pulls for one container after the other, also while others of it have to start again', () => {
    const never = (name: string): object => ({ name, image: 'busybox', command: ['/none'] });
    const containers = [never('first'), never('second'), { name: 'third', image: 'busybox', command: ['sleep', '9d'] }];
    const node = { nodeName: 'worker-1' };
    for (let i = 0; i < 4; i++) run(`many-${i}`, never('c'), { ...node, containers });
    at(240);
    const started = events('many-0').concat(events('many-1'), events('many-2'), events('many-3'));
    expect(started.filter((one) => one.startsWith('Started'))).toHaveLength(4);
    run('next', { image: 'nginx:1.25' }, node);
    at(300);
    expect(pod('next').status.phase).toBe('Running');
  });

  test('starts one that fails beside servers that want one port', () => {
    const nginx = { image: 'nginx' };
    const containers = [
      { name: 'a', ...nginx },
      { name: 'b', ...nginx },
      { name: 'c', ...nginx, command: ['/none'] },
    ];
    run('ports', {}, { containers });
    at(120);
    const { containerStatuses } = pod('ports').status;
    expect(containerStatuses.map(({ restartCount }) => restartCount > 1)).toEqual([false, true, true]);
    expect(Object.keys(containerStatuses[0]!.state)).toEqual(['running']);
  });

  test('does the same in one go and second by second', () => {
    const history = (step: number): string => {
      const own = new Cluster({ seed: 'same', images: catalog });
      own.load(template);
      own.client(ADMIN).create(Pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'x', namespace: 'default' },
        spec: { containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', 'sleep 3; exit 1'] }] },
      } as never);
      for (let t = step; t <= 120; t += step) own.advance(start + t * SECOND);
      return JSON.stringify([
        own.client(ADMIN).get(Pods, { namespace: 'default', name: 'x' }),
        own.client(ADMIN).list(Events, 'default'),
      ]);
    };
    expect(history(1)).toBe(history(120));
  });
});

describe('an image that cannot be pulled', () => {
  test.each([
    [
      'nginx:1.161',
      'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:1.161": failed to resolve reference "docker.io/library/nginx:1.161": docker.io/library/nginx:1.161: not found',
    ],
    ['registry.nowhere.invalid/app:1', 'no such host'],
    [
      'ngnix',
      'pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
    ],
  ])('%s backs off', (image, why) => {
    run('bad', { image });
    at(2);
    at(8);
    expect(state('bad')).toEqual(['waiting', 'ImagePullBackOff']);
    expect(pod('bad').status.containerStatuses[0]!.state['waiting']!.message).toContain(
      `Back-off pulling image "${image}": ErrImagePull: `,
    );
    expect(events('bad').join('\n')).toContain(why);
    expect(events('bad')).toContain('Failed: Error: ErrImagePull');
    expect(events('bad')).toContain(`BackOff: Back-off pulling image "${image}"`);
  });

  test('a malformed name is never tried', () => {
    run('bad', { image: 'Nginx::x' });
    at(60);
    expect(state('bad')).toEqual(['waiting', 'InvalidImageName']);
    expect(events('bad').filter((e) => e.startsWith('Pulling'))).toEqual([]);
  });
});

describe('a container that ends', () => {
  test('restarts at once, then after 10 s, 20 s, 40 s', () => {
    run('crash', { image: 'busybox:1.36', command: ['sh', '-c', 'exit 3'] });
    at(6);
    expect(pod('crash').status.containerStatuses[0]!.restartCount).toBe(1);
    expect(state('crash')).toEqual(['waiting', 'CrashLoopBackOff']);
    expect(pod('crash').status.containerStatuses[0]!.state['waiting']!.message).toMatch(
      /^back-off 10s restarting failed container=c pod=crash_default\([0-9a-f-]{36}\)$/,
    );
    at(30);
    expect(pod('crash').status.containerStatuses[0]!.restartCount).toBe(2);
    at(50);
    expect(pod('crash').status.containerStatuses[0]!.restartCount).toBe(3);
    expect(pod('crash').status.containerStatuses[0]!.state['waiting']!.message).toContain('back-off 40s');
  });

  test.each([
    ['Never', 'exit 0', 'Succeeded', 'Completed'],
    ['Never', 'exit 3', 'Failed', 'Error'],
    ['OnFailure', 'exit 0', 'Succeeded', 'Completed'],
  ])('restartPolicy %s, %s: %s', (restartPolicy, script, phase, reason) => {
    run('job', { image: 'busybox:1.36', command: ['sh', '-c', script] }, { restartPolicy });
    at(10);
    expect(pod('job').status.phase).toBe(phase);
    expect(state('job')).toEqual(['terminated', reason]);
  });
});

describe('a container whose image changes', () => {
  const changeImage = (image: string): void => {
    const found = pod('web') as PodLike & { spec: { containers: object[] } };
    client().update(Pods, {
      ...found,
      spec: { ...found.spec, containers: [{ ...found.spec.containers[0], image }] },
    } as never);
  };

  test.each(['Always', 'OnFailure', 'Never'])(
    'starts anew under restartPolicy %s, each time at once',
    (restartPolicy) => {
      run('web', { image: 'nginx:1.25' }, { restartPolicy });
      at(8);
      changeImage('nginx:1.26');
      at(8.5);
      expect(pod('web').status.phase).toBe('Running');
      at(16);
      expect(state('web')[0]).toBe('running');
      changeImage('nginx:1.27');
      at(24);
      expect(pod('web').status).toMatchObject({
        phase: 'Running',
        containerStatuses: [{ restartCount: 2, ready: true }],
      });
      expect(events('web')).toContain('Killing: Container c definition changed, will be restarted');
    },
  );

  test('is over where the new image cannot be pulled and nothing restarts it', () => {
    run('web', { image: 'nginx:1.25' }, { restartPolicy: 'Never' });
    at(8);
    changeImage('nginx:no-such-tag');
    at(40);
    expect(pod('web').status).toMatchObject({ phase: 'Succeeded', containerStatuses: [{ restartCount: 0 }] });
    expect(events('web')).toContain('Failed: Error: ErrImagePull');
  });
});

describe('an entrypoint that runs its arguments', () => {
  test.each([
    [['env'], 'terminated', 'Completed'],
    [['sh', '-c', 'exit 3'], 'terminated', 'Error'],
    [['no-such-program'], 'terminated', 'Error'],
    [['nginx', '-g', 'daemon off;'], 'running', undefined],
  ])('%j: %s', (args, which, reason) => {
    run('web', { image: 'nginx:1.25', args }, { restartPolicy: 'Never' });
    at(10);
    expect(state('web')).toEqual([which, reason]);
  });
});

test('a key that a ConfigMap does not have is a directory, which is not mounted on a page', () => {
  client().create(ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'site', namespace: 'default' },
    data: { 'index.html': 'hello' },
  } as never);
  const page = '/usr/share/nginx/html/index.html';
  const spec = { volumes: [{ name: 'v', configMap: { name: 'site' } }] };
  const mounted = (subPath: string) => ({
    image: 'nginx:1.25',
    volumeMounts: [{ name: 'v', mountPath: page, subPath }],
  });
  run('right', mounted('index.html'), spec);
  run('wrong', mounted('indx.html'), spec);
  at(10);
  expect(state('right')[0]).toBe('running');
  expect(state('wrong')[0]).toBe('waiting');
  expect(events('wrong').join()).toContain(`to rootfs at "${page}"`);
});

test("a pod's user is its containers' user: nginx cannot write its cache", () => {
  run('web', { image: 'nginx:1.25' }, { securityContext: { runAsUser: 101 }, restartPolicy: 'Never' });
  at(10);
  expect(state('web')).toEqual(['terminated', 'Error']);
});

describe('configuration', () => {
  test('a missing ConfigMap keeps the container from being created until it is there', () => {
    run('web', {
      image: 'nginx:1.25',
      env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }],
    });
    at(10);
    expect(state('web')).toEqual(['waiting', 'CreateContainerConfigError']);
    expect(events('web')).toContain('Failed: Error: configmap "settings" not found');
    client().create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
      data: { a: '1' },
    } as never);
    at(40);
    expect(pod('web').status.phase).toBe('Running');
  });

  test('a missing volume source is reported and tried again', () => {
    run(
      'web',
      { image: 'nginx:1.25', volumeMounts: [{ name: 'v', mountPath: '/v' }] },
      { volumes: [{ name: 'v', configMap: { name: 'settings' } }] },
    );
    at(5);
    expect(state('web')).toEqual(['waiting', 'ContainerCreating']);
    expect(events('web')).toContain(
      'FailedMount: MountVolume.SetUp failed for volume "v" : configmap "settings" not found',
    );
    client().create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'default' },
    } as never);
    at(60);
    expect(pod('web').status.phase).toBe('Running');
  });
});

describe('probes', () => {
  test('readiness of a path that nginx does not have never comes', () => {
    run('web', { image: 'nginx:1.25', readinessProbe: { httpGet: { path: '/healthz', port: 80 }, periodSeconds: 5 } });
    at(30);
    expect(pod('web').status.containerStatuses[0]!.ready).toBe(false);
    expect(condition('web', 'Ready')).toBe('containers with unready status: [c]');
    expect(events('web')).toContain('Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 404');
  });

  test('liveness of a port nobody listens on restarts the container', () => {
    run('web', { image: 'nginx:1.25', livenessProbe: { tcpSocket: { port: 81 }, periodSeconds: 2 } });
    at(20);
    expect(events('web')).toContain('Killing: Container c failed liveness probe, will be restarted');
    expect(pod('web').status.containerStatuses[0]!.restartCount).toBeGreaterThan(0);
  });

  test('the liveness tutorial: the file goes after 30 s', () => {
    run('live', {
      image: 'busybox:1.36',
      args: ['/bin/sh', '-c', 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600'],
      livenessProbe: { exec: { command: ['cat', '/tmp/healthy'] }, initialDelaySeconds: 5, periodSeconds: 5 },
    });
    at(25);
    expect(events('live').some((e) => e.startsWith('Unhealthy'))).toBe(false);
    at(60);
    expect(events('live').join('\n')).toContain(
      "Unhealthy: Liveness probe failed: cat: can't open '/tmp/healthy': No such file or directory",
    );
    expect(events('live')).toContain('Killing: Container c failed liveness probe, will be restarted');
  });
});

describe('init containers', () => {
  test('run in order before the others; a name is waited for until its Service is there', () => {
    run(
      'app',
      { image: 'busybox:1.36', command: ['sleep', '3600'] },
      {
        initContainers: [
          {
            name: 'wait',
            image: 'busybox:1.36',
            command: [
              'sh',
              '-c',
              'until nslookup mydb.default.svc.cluster.local; do echo waiting for mydb; sleep 2; done',
            ],
          },
        ],
      },
    );
    at(20);
    expect(pod('app').status.phase).toBe('Pending');
    expect(condition('app', 'Initialized')).toBe('containers with incomplete status: [wait]');
    client().create(Services, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'mydb', namespace: 'default' },
      spec: { ports: [{ port: 80 }] },
    } as never);
    at(40);
    expect(pod('app').status.phase).toBe('Running');
  });
});

describe('deletion', () => {
  test.each([
    ['nginx:1.25', undefined, 1],
    ['busybox:1.36', ['sleep', '3600'], 30],
  ])('%s is gone after its processes', (image, command, seconds) => {
    run('web', { image, ...(command ? { command } : {}) });
    at(20);
    client().delete(Pods, { namespace: 'default', name: 'web' });
    at(20 + seconds - 0.99);
    expect(pod('web')).toBeDefined();
    expect(events('web')).toContain('Killing: Stopping container c');
    at(20 + seconds + SEEN);
    expect(pod('web')).toBeUndefined();
  });

  test('a mirror pod comes back', () => {
    const key = { namespace: 'kube-system', name: 'kube-scheduler-control-plane' };
    const before = client().get(Pods, key)!.metadata.uid;
    client().delete(Pods, key, { gracePeriodSeconds: 0 });
    at(60);
    expect(client().get(Pods, key)!.metadata.uid).not.toBe(before);
    expect((client().get(Pods, key) as PodLike).status.phase).toBe('Running');
    // kubectl describe looks for its events by the hash of the file.
    const hash = client().get(Pods, key)!.metadata.annotations!['kubernetes.io/config.mirror'];
    const found = client().list(Events, 'kube-system') as unknown as {
      reason: string;
      involvedObject: { name: string; uid: string };
    }[];
    const own = found.filter((e) => e.involvedObject.name === key.name);
    expect(own.map((e) => [e.reason, e.involvedObject.uid])).toContainEqual(['Started', hash]);
  });
});

test('a node that a user makes becomes Ready', () => {
  client().create(Nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'extra' } } as never);
  at(1);
  const node = client().get(Nodes, { namespace: '', name: 'extra' }) as unknown as {
    spec: { podCIDR: string };
    status: { conditions: { type: string; status: string }[]; capacity: Record<string, string> };
  };
  expect(node.status.conditions.find((c) => c.type === 'Ready')?.status).toBe('True');
  expect(node.spec.podCIDR).toBe('10.244.3.0/24');
  expect(node.status.capacity['cpu']).toBe('4');
});
