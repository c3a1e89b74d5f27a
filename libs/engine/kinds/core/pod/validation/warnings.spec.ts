import { describe, expect, test } from '@jest/globals';
import type { PodSpec } from '../../../../api/core_v1.js';
import { Path } from '../../../../machinery/meta/field.js';
import { podWarnings, templateWarnings } from './warnings.js';

const app = { name: 'app', image: 'nginx' };
const of = (spec: Partial<PodSpec>, annotations?: Record<string, string>, name = 'web'): string[] =>
  podWarnings({ metadata: { name, annotations }, spec: { containers: [app], ...spec } });

test('a plain pod', () => expect(of({})).toEqual([]));

test('a pod that is stored already', () =>
  expect(
    podWarnings(
      { metadata: { name: 'web.one' }, spec: { containers: [app], terminationGracePeriodSeconds: -1 } },
      { metadata: { name: 'web.one' } },
    ),
  ).toEqual([]));

test.each<[string, string[], string[]]>([
  [
    'a name with dots',
    of({}, {}, 'web.one'),
    [
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ],
  ],
  [
    'an old node label',
    of({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'an old node label in an affinity',
    of({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }] }],
          },
        },
      },
    }),
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
    ],
  ],
  [
    'a spread over nobody',
    of({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }] }),
    ['spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [
    'a volume of the past',
    of({ volumes: [{ name: 'code', gitRepo: { repository: 'x' } }] }),
    ['spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+'],
  ],
  [
    'a secret named twice',
    of({ imagePullSecrets: [{ name: 'a' }, { name: 'a' }] }),
    ['spec.imagePullSecrets[1].name: duplicate name "a"'],
  ],
  [
    'an annotation that does nothing',
    of({}, { 'container.seccomp.security.alpha.kubernetes.io/app': 'runtime/default' }),
    [
      'metadata.annotations[container.seccomp.security.alpha.kubernetes.io/app]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ],
  ],
  [
    'one port twice',
    of({ containers: [{ ...app, ports: [{ containerPort: 80 }, { containerPort: 80 }] }] }),
    ['spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]'],
  ],
  [
    'thousandths of a byte, of limits and requests',
    of({ containers: [{ ...app, resources: { limits: { memory: '100m' }, requests: { memory: '100m' } } }] }),
    [
      'spec.containers[0].resources.limits[memory]: fractional byte value "100m" is invalid, must be an integer',
      'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
  ],
  [
    'a port of the host at one and at all of its addresses',
    of({
      containers: [
        {
          ...app,
          ports: [
            { containerPort: 80, hostPort: 80 },
            { containerPort: 80, hostPort: 80, hostIP: '10.0.0.1' },
          ],
        },
      ],
    }),
    ['spec.containers[0].ports[1]: dangerously ambiguous port definition with spec.containers[0].ports[0]'],
  ],
  [
    'less grace than none',
    of({ terminationGracePeriodSeconds: -1 }),
    ['spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1'],
  ],
  [
    'affinity to nobody',
    of({
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } },
    }),
    [
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
    ],
  ],
  [
    'an alias twice',
    of({ hostAliases: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1' }] }),
    ['spec.hostAliases[1].ip: duplicate ip "10.0.0.1"'],
  ],
  [
    'thousandths of a byte',
    of({ containers: [{ ...app, resources: { requests: { memory: '100m' } } }] }),
    ['spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer'],
  ],
  [
    'a variable set twice',
    of({
      containers: [
        {
          ...app,
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        },
      ],
    }),
    ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    'a variable made of itself',
    of({
      containers: [
        {
          ...app,
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '$(A)2' },
          ],
        },
      ],
    }),
    [],
  ],
  [
    'one port of two containers',
    of({
      containers: [
        { ...app, ports: [{ containerPort: 80, name: 'http' }] },
        { ...app, name: 'b', ports: [{ containerPort: 80, name: 'http' }] },
      ],
    }),
    [
      'spec.containers[1].ports[0]: duplicate port definition with spec.containers[0].ports[0]',
      'spec.containers[1].ports[0]: duplicate port name "http" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ],
  ],
])('%s', (_, warnings, expected) => expect(warnings).toEqual(expected));

describe('a template', () => {
  const template = {
    metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/app': 'unconfined' } },
    spec: { containers: [app] },
  };
  const told = [
    'spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/app]: deprecated since v1.30; use the "appArmorProfile" field instead',
  ];
  const warnings = (generation: number, before?: number) =>
    templateWarnings(
      Path.of('spec', 'template'),
      template,
      { metadata: { generation } },
      before === undefined ? undefined : { metadata: { generation: before } },
    );
  test('is spoken of when new and when changed, not when only its labels are', () => {
    expect([warnings(1), warnings(2, 1), warnings(2, 2)]).toEqual([told, told, []]);
  });
});
