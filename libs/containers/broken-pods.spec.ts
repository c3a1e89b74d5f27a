import { beforeAll, expect, test } from '@jest/globals';
import type { Container, Pod, PodSpec } from '../engine/api/core_v1.js';
import { ConfigMaps, Events, Jobs, Nodes, PersistentVolumeClaims, Pods, Secrets } from '../engine/kinds/index.js';
import { ClusterBed } from '../testkit/beds/cluster-bed.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const BUSYBOX = 'busybox:1.36';
const NGINX = 'nginx:1.27';
const SLEEP = { image: BUSYBOX, command: ['sleep', '3600'] };
const RUNC =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ' +
  'unable to start container process: error during container init: ';

interface Broken {
  readonly container: Partial<Container>;
  readonly spec?: Partial<PodSpec>;
  /** Begins before it. */
  readonly beside?: Container;
  /** What kubectl's column STATUS shows, of the container at its last end or now. */
  readonly shows: string;
  /** Part of an event, or of a condition's message. */
  readonly event?: string;
  /** Part of the log of the last run. */
  readonly log?: string;
}

const sh = (script: string): Partial<Container> => ({ image: BUSYBOX, command: ['sh', '-c', script] });
const env = (name: string, valueFrom: object): Partial<Container> => ({ ...SLEEP, env: [{ name, valueFrom }] });
const volume = (source: object): Partial<PodSpec> => ({ volumes: [{ name: 'v', ...source }] });
const mounted = (mountPath: string, subPath?: string): Partial<Container> => ({
  volumeMounts: [{ name: 'v', mountPath, ...(subPath ? { subPath } : {}) }],
});
const configMap = volume({ configMap: { name: 'cm' } });
const httpGet = (path: string, port: number) => ({ httpGet: { path, port }, periodSeconds: 2, failureThreshold: 2 });

/** What a learner breaks, and what Kubernetes says of it. */
const BROKEN: Readonly<Record<string, Broken>> = {
  'tag-typo': {
    container: { image: 'nginx:1.27-nope' },
    shows: 'ImagePullBackOff',
    event: 'Failed to pull image "nginx:1.27-nope": rpc error: code = NotFound',
  },
  'image-name': {
    container: { image: 'Nginx:latest!' },
    shows: 'InvalidImageName',
    event: 'couldn\'t parse image name "Nginx:latest!": invalid reference format',
  },
  'never-pull': {
    container: { image: 'example.org/app:1', imagePullPolicy: 'Never' },
    shows: 'ErrImageNeverPull',
    event: 'Container image "example.org/app:1" is not present with pull policy of Never',
  },
  'pull-secret': {
    container: SLEEP,
    spec: { imagePullSecrets: [{ name: 'regcred' }] },
    shows: 'Running',
    event:
      'FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (regcred); ' +
      'attempting to pull the image may not succeed.',
  },
  'command-typo': {
    container: { image: BUSYBOX, command: ['slep', '3600'] },
    shows: 'StartError',
    event: `${RUNC}exec: "slep": executable file not found in $PATH: unknown`,
  },
  'working-dir': {
    container: { ...SLEEP, workingDir: '/etc/passwd' },
    shows: 'StartError',
    event: `${RUNC}chdir to cwd ("/etc/passwd") set in config.json failed: not a directory: unknown`,
  },
  'exit-1': {
    container: sh('echo starting; ls /nope'),
    shows: 'Error',
    event: 'Back-off restarting failed container c in pod exit-1_default(',
    log: 'starting\nls: /nope: No such file or directory\n',
  },
  'done-at-once': { container: sh('echo done'), shows: 'Completed', log: 'done\n' },
  'env-key': {
    container: env('A', { configMapKeyRef: { name: 'cm', key: 'absent' } }),
    shows: 'CreateContainerConfigError',
    event: "Error: couldn't find key absent in ConfigMap default/cm",
  },
  'env-secret': {
    container: env('A', { secretKeyRef: { name: 'nope', key: 'a' } }),
    shows: 'CreateContainerConfigError',
    event: 'Error: secret "nope" not found',
  },
  'env-from': {
    container: { ...SLEEP, envFrom: [{ configMapRef: { name: 'nope' } }] },
    shows: 'CreateContainerConfigError',
    event: 'Error: configmap "nope" not found',
  },
  'volume-configmap': {
    container: { ...SLEEP, ...mounted('/v') },
    spec: volume({ configMap: { name: 'nope' } }),
    shows: 'ContainerCreating',
    event: 'MountVolume.SetUp failed for volume "v" : configmap "nope" not found',
  },
  'volume-secret': {
    container: { ...SLEEP, ...mounted('/v') },
    spec: volume({ secret: { secretName: 'nope' } }),
    shows: 'ContainerCreating',
    event: 'MountVolume.SetUp failed for volume "v" : secret "nope" not found',
  },
  'volume-key': {
    container: { ...SLEEP, ...mounted('/v') },
    spec: volume({ configMap: { name: 'cm', items: [{ key: 'absent', path: 'a' }] } }),
    shows: 'ContainerCreating',
    event: 'MountVolume.SetUp failed for volume "v" : configmap references non-existent config key: absent',
  },
  'volume-hostpath': {
    container: { ...SLEEP, ...mounted('/v') },
    spec: volume({ hostPath: { path: '/no/such', type: 'Directory' } }),
    shows: 'ContainerCreating',
    event: 'MountVolume.SetUp failed for volume "v" : hostPath type check failed: /no/such is not a directory',
  },
  'volume-on-file': {
    container: { image: NGINX, ...mounted('/etc/nginx/nginx.conf') },
    spec: configMap,
    shows: 'StartError',
    event: 'to rootfs at "/etc/nginx/nginx.conf": create mountpoint for /etc/nginx/nginx.conf mount: cannot create',
  },
  'sub-path-typo': {
    container: { image: NGINX, ...mounted('/etc/nginx/nginx.conf', 'ngnix.conf') },
    spec: configMap,
    shows: 'StartError',
    event: '/volume-subpaths/v/c/0" to rootfs at "/etc/nginx/nginx.conf": create mountpoint for',
  },
  'config-typo': {
    container: { image: NGINX, ...mounted('/etc/nginx/nginx.conf', 'nginx.conf') },
    spec: configMap,
    shows: 'Error',
    log: 'nginx: [emerg] unknown directive "listn" in /etc/nginx/nginx.conf:2\n',
  },
  'read-only-root': {
    container: { image: NGINX, securityContext: { readOnlyRootFilesystem: true } },
    shows: 'Error',
    log: 'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (30: Read-only file system)\n',
  },
  'not-root': {
    container: { image: NGINX, securityContext: { runAsUser: 1000 } },
    shows: 'Error',
    log: 'nginx: [emerg] mkdir() "/var/cache/nginx/client_temp" failed (13: Permission denied)\n',
  },
  'run-as-non-root': {
    container: { image: NGINX, securityContext: { runAsNonRoot: true } },
    shows: 'CreateContainerConfigError',
    event: 'Error: container has runAsNonRoot and image will run as root (pod: "run-as-non-root_default(',
  },
  'named-user': {
    container: { image: 'prom/prometheus:v2.53.0', securityContext: { runAsNonRoot: true } },
    shows: 'CreateContainerConfigError',
    event: 'image has non-numeric user (nobody), cannot verify user is non-root (pod: "named-user_default(',
  },
  'volume-owner': {
    container: { ...sh('echo hi > /v/x'), ...mounted('/v') },
    spec: { ...volume({ hostPath: { path: '/srv/x', type: 'DirectoryOrCreate' } }), securityContext: { runAsUser: 9 } },
    shows: 'Error',
    log: "sh: can't create /v/x: Permission denied\n",
  },
  'option-typo': {
    container: { image: 'redis:7', args: ['redis-server', '--prot', '7000'] },
    shows: 'Error',
    log: 'Bad directive or wrong number of arguments\n',
  },
  'missing-setting': {
    container: { image: 'mysql:8' },
    shows: 'Error',
    log: 'You need to specify one of the following as an environment variable',
  },
  'out-of-memory': {
    container: {
      image: 'polinux/stress',
      command: ['stress', '--vm', '1', '--vm-bytes', '250M'],
      resources: { limits: { memory: '100Mi' } },
    },
    shows: 'OOMKilled',
  },
  'line-without-end': {
    container: {
      image: 'busybox:1.36',
      command: ['sh', '-c', 'sleep 1; tail /dev/zero'],
      resources: { limits: { memory: '128Mi' } },
    },
    shows: 'OOMKilled',
  },
  'probe-port': {
    container: { image: NGINX, readinessProbe: httpGet('/', 8_080) },
    shows: 'not ready',
    event: ':8080: connect: connection refused',
  },
  'probe-path': {
    container: { image: NGINX, livenessProbe: httpGet('/healthz', 80) },
    shows: 'Completed',
    event: 'Liveness probe failed: HTTP probe failed with statuscode: 404',
  },
  'probe-early': {
    container: {
      ...sh('trap "exit 143" TERM; sleep 3600 & wait'),
      livenessProbe: { exec: { command: ['cat', '/ok'] }, periodSeconds: 1 },
    },
    shows: 'Error',
    event: "Liveness probe failed: cat: can't open '/ok': No such file or directory",
  },
  'hook-fails': {
    container: { image: NGINX, lifecycle: { postStart: { exec: { command: ['cat', '/nope'] } } } },
    shows: 'Completed',
    event: 'FailedPostStartHook: PostStartHook failed',
  },
  'dns-typo': {
    container: sh('wget -qO- http://databse:5432'),
    shows: 'Error',
    log: "wget: bad address 'databse:5432'\n",
  },
  'node-selector': {
    container: { image: NGINX },
    spec: { nodeSelector: { disk: 'ssd' } },
    shows: 'Pending',
    event: "2 node(s) didn't match Pod's node affinity/selector",
  },
  'too-large': {
    container: { image: NGINX, resources: { requests: { cpu: '200' } } },
    shows: 'Pending',
    event: '2 Insufficient cpu',
  },
  'claim-missing': {
    container: { image: NGINX, ...mounted('/v') },
    spec: volume({ persistentVolumeClaim: { claimName: 'missing' } }),
    shows: 'Pending',
    event: 'persistentvolumeclaim "missing" not found',
  },
  'claim-unbound': {
    container: { image: NGINX, ...mounted('/v') },
    spec: volume({ persistentVolumeClaim: { claimName: 'unbound' } }),
    shows: 'Pending',
    event: 'pod has unbound immediate PersistentVolumeClaims',
  },
  gated: {
    container: { image: NGINX },
    spec: { schedulingGates: [{ name: 'example.com/x' }] },
    shows: 'Pending',
    event: 'Scheduling is blocked due to non-empty scheduling gates',
  },
  'volume-full': {
    container: { ...sh('dd if=/dev/zero of=/v/x bs=1M count=3; sleep 600'), ...mounted('/v') },
    spec: volume({ emptyDir: { sizeLimit: '1Mi' } }),
    shows: 'Evicted',
    event: 'Evicted: Usage of EmptyDir volume "v" exceeds the limit "1Mi". ',
  },
  'disk-full': {
    container: {
      ...sh('dd if=/dev/zero of=/x bs=1M count=3; sleep 600'),
      resources: { limits: { 'ephemeral-storage': '2Mi' } },
    },
    shows: 'Evicted',
    event: 'Evicted: Pod ephemeral local storage usage exceeds the total limit of containers 2Mi. ',
  },
  sysctl: {
    container: SLEEP,
    spec: { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } },
    shows: 'SysctlForbidden',
    event: 'forbidden sysctl: "kernel.msgmax" not allowlisted',
  },
  'seccomp-file': {
    container: { ...SLEEP, securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'no.json' } } },
    shows: 'CreateContainerError',
    event:
      'Error: failed to create containerd container: cannot load seccomp profile "/var/lib/kubelet/seccomp/no.json": ' +
      'open /var/lib/kubelet/seccomp/no.json: no such file or directory',
  },
  'private-repository': {
    container: { image: 'registry.acme.com/private/shop:v1' },
    shows: 'ImagePullBackOff',
    event: 'authorization failed: no basic auth credentials',
  },
  'init-fails': {
    container: { image: NGINX },
    spec: { initContainers: [{ name: 'init', ...sh('echo no database; exit 1') }] },
    shows: 'PodInitializing',
    event: 'Back-off restarting failed container init in pod init-fails_default(',
  },
  'init-waits': {
    container: { image: NGINX },
    spec: { initContainers: [{ name: 'init', ...sh('until nslookup databse; do sleep 30; done') }] },
    shows: 'PodInitializing',
    event: 'containers with incomplete status: [init]',
  },
  'address-in-use': {
    container: { image: NGINX },
    beside: { name: 'other', image: NGINX },
    shows: 'Error',
    log: 'nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)\n',
  },
  'prometheus-typo': {
    container: {
      image: 'prom/prometheus:v3.5.0',
      args: ['--config.file=/etc/prometheus/bad.yml'],
      ...mounted('/etc/prometheus'),
    },
    spec: configMap,
    shows: 'Error',
    log: 'msg="Error loading config (--config.file=/etc/prometheus/bad.yml)" file=/etc/prometheus/bad.yml err="parsing YAML file /etc/prometheus/bad.yml: yaml: unmarshal errors:\\n  line 2: field scrape_intervall not found in type config.plain"',
  },
  'prometheus-file': {
    container: { image: 'prom/prometheus:v2.53.0', ...mounted('/etc/prometheus') },
    spec: configMap,
    shows: 'Error',
    log: 'err="open /etc/prometheus/prometheus.yml: no such file or directory"',
  },
  'another-in-use': {
    container: { image: 'httpd:2.4' },
    beside: { name: 'other', image: NGINX },
    shows: 'Error',
    log: '(98)Address already in use: AH00072: make_sock: could not bind to address 0.0.0.0:80\n',
  },
  'node-port-in-use': {
    container: { image: 'registry.k8s.io/metrics-server/metrics-server:v0.8.0' },
    spec: { hostNetwork: true },
    shows: 'Error',
    log: 'panic: failed to create listener: failed to listen on 0.0.0.0:10250: listen tcp 0.0.0.0:10250: bind: address already in use\n',
  },
  'no-shell': {
    container: { image: 'registry.k8s.io/pause:3.10', command: ['sh', '-c', 'sleep 3600'] },
    shows: 'StartError',
    event: `${RUNC}exec: "sh": executable file not found in $PATH: unknown`,
  },
  'script-mode': {
    container: { image: BUSYBOX, command: ['/v/run.sh'], ...mounted('/v') },
    spec: configMap,
    shows: 'StartError',
    event: `${RUNC}exec: "/v/run.sh": permission denied: unknown`,
  },
  untolerated: {
    container: { image: NGINX },
    spec: { nodeSelector: { 'node-role.kubernetes.io/control-plane': '' } },
    shows: 'Pending',
    event: "1 node(s) had untolerated taint(s), 2 node(s) didn't match Pod's node affinity/selector",
  },
  'host-port': {
    container: { image: NGINX, ports: [{ containerPort: 80, hostPort: 8080 }] },
    spec: { nodeSelector: { 'kubernetes.io/hostname': 'worker-1' } },
    shows: 'Running',
  },
  'host-port-taken': {
    container: { image: NGINX, ports: [{ containerPort: 80, hostPort: 8080 }] },
    spec: { nodeSelector: { 'kubernetes.io/hostname': 'worker-1' } },
    shows: 'Pending',
    event: "1 node(s) didn't have free ports for the requested pod ports",
  },
  'pod-affinity': {
    container: { image: NGINX },
    spec: {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'cache' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    },
    shows: 'Pending',
    event: "2 node(s) didn't match pod affinity rules",
  },
  'spread-label': {
    container: { image: NGINX },
    spec: {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: {} } },
      ],
    },
    shows: 'Pending',
    event: "node(s) didn't match pod topology spread constraints (missing required label)",
  },
  'probe-tcp': {
    container: { image: NGINX, livenessProbe: { tcpSocket: { port: 81 }, periodSeconds: 2, failureThreshold: 2 } },
    shows: 'Completed',
    event: ':81: connect: connection refused',
  },
  'startup-fails': {
    container: {
      ...SLEEP,
      startupProbe: { exec: { command: ['cat', '/up'] }, periodSeconds: 1, failureThreshold: 3 },
    },
    spec: { terminationGracePeriodSeconds: 1 },
    shows: 'Error',
    event: 'Killing: Container c failed startup probe, will be restarted',
  },
  'readiness-file': {
    container: { ...SLEEP, readinessProbe: { exec: { command: ['cat', '/ready'] }, periodSeconds: 2 } },
    shows: 'not ready',
    event: "Readiness probe failed: cat: can't open '/ready': No such file or directory",
  },
  'hook-hangs': {
    container: { ...SLEEP, lifecycle: { postStart: { exec: { command: ['sleep', '600'] } } } },
    shows: 'ContainerCreating',
    event: 'Started: Container started',
  },
  capabilities: {
    container: { image: NGINX, securityContext: { capabilities: { drop: ['ALL'] } } },
    shows: 'Error',
    log: 'nginx: [emerg] chown("/var/cache/nginx/client_temp", 101) failed (1: Operation not permitted)\n',
  },
  deadline: {
    container: SLEEP,
    spec: { activeDeadlineSeconds: 5 },
    shows: 'DeadlineExceeded',
    event: 'DeadlineExceeded: Pod was active on the node longer than the specified deadline',
  },
  'memory-volume': {
    container: {
      ...sh('dd if=/dev/zero of=/v/x bs=1M count=30; sleep 3600'),
      ...mounted('/v'),
      resources: { limits: { memory: '20Mi' } },
    },
    spec: volume({ emptyDir: { medium: 'Memory' } }),
    shows: 'OOMKilled',
  },
  'unset-variable': {
    container: sh('set -u; echo $DATABASE'),
    shows: 'Error',
    log: 'sh: DATABASE: parameter not set\n',
  },
  'read-only-volume': {
    container: { ...sh('echo hi > /v/x'), ...mounted('/v') },
    spec: configMap,
    shows: 'Error',
    log: "sh: can't create /v/x: Read-only file system\n",
  },
  'app-armor': {
    container: { ...SLEEP, securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'nope' } } },
    shows: 'CreateContainerError',
    event: 'failed to generate apparmor spec opts: apparmor profile not found nope',
  },
};

const bed = new ClusterBed('realistic');

beforeAll(() => {
  const data = {
    'nginx.conf': 'events {}\nhttp { server { listn 80; } }\n',
    'run.sh': '#!/bin/sh\necho hi\n',
    'bad.yml': 'global:\n  scrape_intervall: 15s\n',
  };
  bed.create(ConfigMaps, 'cm', { data });
  bed.create(PersistentVolumeClaims, 'unbound', {
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'nope', resources: { requests: { storage: '1Gi' } } },
  });
  for (const [name, { container, spec, beside }] of Object.entries(BROKEN))
    bed.create(Pods, name, {
      spec: { containers: [...(beside ? [beside] : []), { name: 'c', ...container }], ...spec },
    });
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', ...sh('exit 3') }] } };
  bed.create(Jobs, 'job', { spec: { backoffLimit: 1, template } });
  // Their images are pulled one after the other on each node.
  bed.at(110);
});

function showsOf({ status }: Pod): string {
  const container = status.containerStatuses?.find(({ name }) => name === 'c');
  if (status.reason) return status.reason;
  if (!container) return status.phase ?? '';
  const { state, lastState, ready } = container;
  const { waiting, terminated, running } = state ?? {};
  if (waiting && waiting.reason !== 'CrashLoopBackOff') return waiting.reason ?? '';
  return (terminated ?? lastState?.terminated)?.reason ?? (running && !ready ? 'not ready' : 'Running');
}

/** What the last run that has ended has left. */
function logOf(name: string): string {
  const isAgain = bed.get(Pods, name).status.containerStatuses?.at(-1)?.state?.running !== undefined;
  const path = `/api/v1/namespaces/default/pods/${name}/log`;
  const request = {
    method: 'GET',
    path,
    query: `container=c${isAgain ? '&previous=true' : ''}`,
    headers: {},
    user: ADMIN,
  };
  return String((bed.cluster.handle(request, bed.cluster.state.now) as { body?: unknown }).body);
}

test.each(Object.keys(BROKEN))('%s', (name) => {
  const { shows, event = '', log = '' } = BROKEN[name]!;
  const pod = bed.get(Pods, name);
  expect(showsOf(pod)).toBe(shows);
  const conditions = (pod.status.conditions ?? []).map(({ message }) => message);
  expect([...bed.events(name), ...conditions].join('\n')).toContain(event);
  if (log !== '') expect(logOf(name)).toContain(log);
});

test('a container that fails is started again and again', () => {
  for (const name of ['exit-1', 'command-typo', 'hook-fails', 'probe-path', 'out-of-memory'])
    expect([name, bed.get(Pods, name).status.containerStatuses![0]!.restartCount > 1]).toEqual([name, true]);
});

test('what cannot be pulled is said again and again', () => {
  const counts = (name: string): (number | undefined)[] =>
    bed.client
      .list(Events, 'default')
      .filter(({ involvedObject, type }) => involvedObject.name === name && type === 'Warning')
      .map(({ count }) => count);
  expect([counts('never-pull'), counts('image-name')]).toEqual([
    [10, 10],
    [10, 10],
  ]);
});

test('an image that was mended is pulled at once', () => {
  for (const name of ['tag-typo', 'image-name']) {
    const pod = bed.get(Pods, name);
    const containers = pod.spec.containers.map((container) => ({ ...container, image: NGINX }));
    bed.client.update(Pods, { ...pod, spec: { ...pod.spec, containers } });
  }
  bed.at(122);
  expect(['tag-typo', 'image-name'].map((name) => showsOf(bed.get(Pods, name)))).toEqual(['Running', 'Running']);
});

test('what was missing is found', () => {
  bed.create(ConfigMaps, 'nope', { data: { a: 'b' } });
  bed.create(Secrets, 'nope', { data: { a: 'Yg==' } });
  const node = bed.get(Nodes, 'worker-1');
  bed.client.update(Nodes, {
    ...node,
    metadata: { ...node.metadata, labels: { ...node.metadata.labels, disk: 'ssd' } },
  });
  const gated = bed.get(Pods, 'gated');
  bed.client.update(Pods, { ...gated, spec: { ...gated.spec, schedulingGates: [] } });
  bed.at(150);
  const names = ['env-secret', 'env-from', 'volume-configmap', 'volume-secret', 'node-selector', 'gated'];
  expect(names.map((name) => [name, showsOf(bed.get(Pods, name))])).toEqual(names.map((name) => [name, 'Running']));
});

test('a job gives up', () => {
  const { conditions = [] } = bed.get(Jobs, 'job').status;
  expect(conditions.find(({ type }) => type === 'Failed')).toMatchObject({
    reason: 'BackoffLimitExceeded',
    message: 'Job has reached the specified backoff limit',
  });
});
