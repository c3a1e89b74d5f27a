import { describe, expect, test } from '@jest/globals';
import type { Pod, PodSpec, PodTemplateSpec } from '../../../api/core_v1.js';
import { Path } from '../../../machinery/meta/field.js';
import { defaultPodTemplate, kind, qosClass, validatePodTemplate } from './kind.js';

const NOW = Date.parse('2026-11-21T03:00:00Z');

function podOf(
  spec: Record<string, unknown>,
  status: Pod['status'] = {},
  metadata: Partial<Pod['metadata']> = {},
): Pod {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', ...metadata },
    spec,
    status,
  } as unknown as Pod;
  kind.defaults!(pod);
  return pod;
}
function defaulted(template: PodTemplateSpec): PodTemplateSpec {
  defaultPodTemplate(template);
  return template;
}
const web = { name: 'web', image: 'nginx:1.25' };
const messages = (spec: Record<string, unknown>): string[] =>
  kind.validate!(podOf(spec), undefined as never).map((e) => e.message);
const row = (pod: Pod): unknown[] => kind.columns!.map((c) => c.cell(pod, NOW));

describe('defaults', () => {
  test('a pod with one container', () => {
    expect(
      podOf({
        containers: [
          {
            ...web,
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: 80 } },
            resources: { limits: { cpu: '500m' } },
          },
        ],
      }).spec,
    ).toEqual({
      containers: [
        {
          name: 'web',
          image: 'nginx:1.25',
          imagePullPolicy: 'IfNotPresent',
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          livenessProbe: {
            httpGet: { port: 80, path: '/', scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
          resources: { limits: { cpu: '500m' }, requests: { cpu: '500m' } },
        },
      ],
      dnsPolicy: 'ClusterFirst',
      restartPolicy: 'Always',
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      schedulerName: 'default-scheduler',
      enableServiceLinks: true,
    });
  });
  test.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.25', 'IfNotPresent'],
    ['localhost:5000/nginx', 'Always'],
    ['nginx@sha256:abc', 'IfNotPresent'],
  ])('image %s is pulled %s', (image, policy) =>
    expect(podOf({ containers: [{ name: 'web', image }] }).spec.containers[0]!.imagePullPolicy).toBe(policy),
  );
  test('volumes', () => {
    const { volumes } = podOf({
      containers: [web],
      volumes: [{ name: 'a' }, { name: 'b', configMap: { name: 'c' } }, { name: 'd', hostPath: { path: '/' } }],
    }).spec;
    expect(volumes).toEqual([
      { name: 'a', emptyDir: {} },
      { name: 'b', configMap: { name: 'c', defaultMode: 420 } },
      { name: 'd', hostPath: { path: '/', type: '' } },
    ]);
  });
  test('a template that its controller shares is not written to', () => {
    const template = {
      spec: { containers: [{ ...web, resources: { limits: { cpu: '1' } } }], hostNetwork: true } as unknown as PodSpec,
    };
    defaultPodTemplate(template);
    const before = structuredClone(template);
    expect(
      podOf(Object.freeze(template.spec) as unknown as Record<string, unknown>).spec.containers[0]!.resources!.requests,
    ).toEqual({ cpu: '1' });
    expect(template).toEqual(before);
  });
});

test.each([
  [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
  [{ requests: { cpu: '1' } }, 'Burstable'],
  [{}, 'BestEffort'],
  [{ requests: { cpu: '0' } }, 'BestEffort'],
  [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }, 'Burstable'],
])('resources %j are %s', (resources, qos) =>
  expect(qosClass(podOf({ containers: [{ ...web, resources }] }).spec)).toBe(qos),
);

describe('validation', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['no containers', {}, ['spec.containers: Required value']],
    [
      'no name, no image',
      { containers: [{}] },
      ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value'],
    ],
    ['twice the same name', { containers: [web, web] }, ['spec.containers[1].name: Duplicate value: "web"']],
    [
      'a port too high',
      { containers: [{ ...web, ports: [{ containerPort: 80800 }] }] },
      ['spec.containers[0].ports[0].containerPort: Invalid value: 80800: must be between 1 and 65535, inclusive'],
    ],
    [
      'an unknown volume',
      { containers: [{ ...web, volumeMounts: [{ name: 'html', mountPath: '/a' }] }] },
      ['spec.containers[0].volumeMounts[0].name: Not found: "html"'],
    ],
    [
      'two mounts at one path',
      {
        containers: [
          {
            ...web,
            volumeMounts: [
              { name: 'v', mountPath: '/a' },
              { name: 'v', mountPath: '/a' },
            ],
          },
        ],
        volumes: [{ name: 'v' }],
      },
      ['spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/a": must be unique'],
    ],
    [
      'requests over limits',
      { containers: [{ ...web, resources: { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } } }] },
      [
        'spec.containers[0].resources.requests: Invalid value: "1Gi": must be less than or equal to memory limit of 512Mi',
      ],
    ],
    [
      'an unknown restart policy',
      { containers: [web], restartPolicy: 'Sometimes' },
      ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
    ],
    [
      'two kinds of volume',
      { containers: [web], volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] },
      ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a volume from an NFS share without a path',
      { containers: [web], volumes: [{ name: 'v', nfs: { server: 's' } }] },
      [
        'spec.volumes[0].nfs.path: Required value',
        'spec.volumes[0].nfs.path: Invalid value: "": must be an absolute path',
      ],
    ],
    [
      'a projected file on top of another',
      {
        containers: [web],
        volumes: [
          {
            name: 'v',
            projected: {
              sources: [
                { secret: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
                { configMap: { name: 'b', items: [{ key: 'k', path: 'p' }] } },
              ],
            },
          },
        ],
      },
      ['spec.volumes[0].projected: Invalid value: "b": conflicting duplicate paths'],
    ],
    [
      'a sleep longer than the pod has to end',
      { containers: [{ ...web, lifecycle: { preStop: { sleep: { seconds: 60 } } } }] },
      [
        'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 60: must be non-negative and less than terminationGracePeriodSeconds (30)',
      ],
    ],
    [
      'a claim that the pod does not have',
      { containers: [{ ...web, resources: { claims: [{ name: 'gpu' }] } }] },
      [
        'spec.containers[0].resources.claims[0]: Not found: "gpu": must be one of the names in pod.spec.resourceClaims which is empty',
      ],
    ],
    [
      'huge pages alone',
      {
        containers: [
          { ...web, resources: { limits: { 'hugepages-2Mi': '3Mi' }, requests: { 'hugepages-2Mi': '3Mi' } } },
        ],
      },
      [
        'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
        'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
        'spec.containers[0].resources: Forbidden: HugePages require cpu or memory',
      ],
    ],
    [
      'a windows user with two backslashes',
      { containers: [web], securityContext: { windowsOptions: { runAsUserName: 'a\\b\\c' } } },
      [
        'spec.securityContext.windowsOptions.runAsUserName: Invalid value: "a\\\\b\\\\c": runAsUserName cannot contain more than one backslash',
      ],
    ],
    [
      'a linux context in a windows pod',
      { containers: [web], os: { name: 'windows' }, securityContext: { runAsUser: 1 } },
      ['spec.securityContext.runAsUser: Forbidden: cannot be set for a windows pod'],
    ],
    [
      'a field that variables cannot show',
      { containers: [{ ...web, env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.labels' } } }] }] },
      [
        'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: "metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"',
      ],
    ],
    [
      'a gated pod on a node',
      { containers: [web], nodeName: 'n', schedulingGates: [{ name: 'example.com/wait' }] },
      ['spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
    ],
    [
      'the same topology twice',
      {
        containers: [web],
        topologySpreadConstraints: [1, 2].map((maxSkew) => ({
          maxSkew,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
        })),
      },
      ['spec.topologySpreadConstraints[0].{topologyKey, whenUnsatisfiable}: Duplicate value: "{zone, DoNotSchedule}"'],
    ],
    [
      'a probe without a handler',
      { containers: [{ ...web, readinessProbe: {} }] },
      ['spec.containers[0].readinessProbe: Required value: must specify a handler type'],
    ],
    [
      'a probe of an init container',
      { containers: [web], initContainers: [{ name: 'i', image: 'x', livenessProbe: { tcpSocket: { port: 1 } } }] },
      [
        'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      ],
    ],
    [
      'value and valueFrom',
      {
        containers: [
          { ...web, env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
        ],
      },
      ['spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
    ],
    [
      'a toleration without a key',
      { containers: [web], tolerations: [{ operator: 'Equal', value: 'x' }] },
      [
        'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ],
    ],
    [
      'two sources of a volume',
      { containers: [web], volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }] },
      ['spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type'],
    ],
    [
      'a spread without a key',
      { containers: [web], topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }] },
      ['spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty'],
    ],
  ])('%s', (_, spec, expected) => expect(messages(spec)).toEqual(expected));

  test('paths of a template begin with its own', () =>
    expect(
      validatePodTemplate(defaulted({ spec: { containers: [] } }), Path.of('spec', 'template')).map((e) => e.message),
    ).toEqual(['spec.template.spec.containers: Required value']));

  test('an update may change images alone', () => {
    const old = podOf({ containers: [web] });
    const update = (spec: Record<string, unknown>): string[] =>
      kind.validateUpdate!(podOf(spec), old, undefined as never).map((e) => e.message);
    expect(update({ containers: [{ ...web, image: 'nginx:1.26' }] })).toEqual([]);
    expect(update({ containers: [web], hostNetwork: true })[0]).toMatch(
      /^spec: Forbidden: pod updates may not change fields other than `spec.containers\[\*\].image`,`spec.initContainers\[\*\].image`/,
    );
    expect(update({ containers: [web, { ...web, name: 'b' }] })).toEqual([
      'spec.containers: Forbidden: pod updates may not add or remove containers',
    ]);
  });
});

describe('columns', () => {
  const running = { name: 'web', image: 'i', imageID: '', ready: true, restartCount: 0, state: { running: {} } };
  const crashed = {
    ...running,
    ready: false,
    restartCount: 3,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: { terminated: { exitCode: 1, finishedAt: '2026-11-21T02:55:00Z' } },
  };
  const created = { creationTimestamp: '2026-11-21T02:50:00Z' };
  test.each<[string, Record<string, unknown>, Pod['status'], Record<string, string>, unknown[]]>([
    ['pending', {}, { phase: 'Pending' }, {}, ['0/1', 'Pending', '0']],
    ['running', {}, { phase: 'Running', containerStatuses: [running] }, {}, ['1/1', 'Running', '0']],
    ['crashing', {}, { phase: 'Running', containerStatuses: [crashed] }, {}, ['0/1', 'CrashLoopBackOff', '3 (5m ago)']],
    [
      'deleted',
      {},
      { phase: 'Running', containerStatuses: [running] },
      { deletionTimestamp: '2026-11-21T03:00:00Z' },
      ['1/1', 'Terminating', '0'],
    ],
    [
      'done',
      {},
      {
        phase: 'Succeeded',
        containerStatuses: [{ ...running, ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
      },
      {},
      ['0/1', 'Completed', '0'],
    ],
    [
      'initializing',
      {
        initContainers: [
          { name: 'a', image: 'x' },
          { name: 'b', image: 'x' },
        ],
      },
      {
        phase: 'Pending',
        initContainerStatuses: [
          { ...running, name: 'a', state: { terminated: { exitCode: 0 } } },
          { ...running, name: 'b', ready: false },
        ],
      },
      {},
      ['0/1', 'Init:1/2', '0'],
    ],
    ['evicted', {}, { phase: 'Failed', reason: 'Evicted' }, {}, ['0/1', 'Evicted', '0']],
  ])('%s', (_, spec, status, metadata, cells) =>
    expect(row(podOf({ containers: [web], ...spec }, status, { ...created, ...metadata }))).toEqual([
      'web',
      ...cells,
      '10m',
      '<none>',
      '<none>',
      '<none>',
      '<none>',
    ]),
  );
});

test('grace is given to what runs', () => {
  expect(kind.gracePeriod!(podOf({ containers: [web], nodeName: 'n' }, { phase: 'Running' }))).toBe(30);
  expect(kind.gracePeriod!(podOf({ containers: [web] }, { phase: 'Pending' }))).toBe(0);
  expect(kind.gracePeriod!(podOf({ containers: [web], nodeName: 'n' }, { phase: 'Failed' }))).toBe(0);
});

test('what may not change is shown as a diff', () => {
  const old = podOf({ containers: [web] });
  const [error] = kind.validateUpdate!(podOf({ containers: [web], hostname: 'other' }), old, undefined as never);
  expect(error!.message).toContain(
    'spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,',
  );
  expect(error!.message.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
    '- "Hostname": "",',
    '+ "Hostname": "other",',
  ]);
});

describe('warnings', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    [
      'a variable that hides another',
      {
        containers: [
          {
            ...web,
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
        ],
      },
      ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      'a variable that builds on another',
      {
        containers: [
          {
            ...web,
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '$(A)2' },
            ],
          },
        ],
      },
      [],
    ],
    [
      'one port twice',
      { containers: [{ ...web, ports: [{ containerPort: 80 }, { containerPort: 80 }] }] },
      ['spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]'],
    ],
    [
      'half a byte',
      { containers: [{ ...web, resources: { limits: { memory: '100m' } } }] },
      [
        'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
        'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
      ],
    ],
    [
      'a volume of the past',
      { containers: [web], volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] },
      ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
    ],
    [
      'an old node label',
      { containers: [web], nodeSelector: { 'beta.kubernetes.io/os': 'linux' } },
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
  ])('%s', (_, spec, expected) => expect(kind.warnings!(podOf(spec), undefined)).toEqual(expected));
});
