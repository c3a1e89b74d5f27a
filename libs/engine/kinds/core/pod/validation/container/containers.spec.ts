import { describe, expect, test } from '@jest/globals';
import { containerErrors, podErrors, web } from '../../testing.js';

const LABEL =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe('containers', () => {
  test.each<[string, object[] | undefined, string[]]>([
    ['none', [], ['spec.containers: Required value']],
    [
      'one without name and image',
      [{}],
      ['spec.containers[0].name: Required value', 'spec.containers[0].image: Required value'],
    ],
    [
      'one whose name is no label',
      [{ ...web, name: 'Web' }],
      [`spec.containers[0].name: Invalid value: "Web": ${LABEL}`],
    ],
    ['two of one name', [web, web], ['spec.containers[1].name: Duplicate value: "web"']],
    [
      'an image in spaces',
      [{ ...web, image: ' nginx' }],
      ['spec.containers[0].image: Invalid value: " nginx": must not have leading or trailing whitespace'],
    ],
    [
      'unknown policies',
      [{ ...web, imagePullPolicy: 'Often', terminationMessagePolicy: 'Mail', restartPolicy: 'Maybe' }],
      [
        'spec.containers[0].terminationMessagePolicy: Unsupported value: "Mail": supported values: "File", "FallbackToLogsOnError"',
        'spec.containers[0].imagePullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"',
        'spec.containers[0].restartPolicy: Unsupported value: "Maybe": supported values: "Always", "Never", "OnFailure"',
      ],
    ],
  ])('%s', (_, containers, errors) => expect(podErrors({ containers })).toEqual(errors));
});

describe('ports', () => {
  test.each<[string, object[], string[]]>([
    ['named', [{ containerPort: 80, name: 'http' }], []],
    ['none', [{}], ['spec.containers[0].ports[0].containerPort: Required value']],
    [
      'too high',
      [{ containerPort: 80800 }],
      ['spec.containers[0].ports[0].containerPort: Invalid value: 80800: must be between 1 and 65535, inclusive'],
    ],
    [
      'of the host, too high',
      [{ containerPort: 80, hostPort: 65536 }],
      ['spec.containers[0].ports[0].hostPort: Invalid value: 65536: must be between 1 and 65535, inclusive'],
    ],
    [
      'with a long name',
      [{ containerPort: 80, name: 'a-very-long-name' }],
      ['spec.containers[0].ports[0].name: Invalid value: "a-very-long-name": must be no more than 15 characters'],
    ],
    [
      'of one name',
      [
        { containerPort: 80, name: 'http' },
        { containerPort: 81, name: 'http' },
      ],
      ['spec.containers[0].ports[1].name: Duplicate value: "http"'],
    ],
    [
      'of an unknown protocol',
      [{ containerPort: 80, protocol: 'HTTP' }],
      ['spec.containers[0].ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"'],
    ],
    [
      'of the host, twice',
      [
        { containerPort: 80, hostPort: 8080 },
        { containerPort: 81, hostPort: 8080 },
      ],
      ['spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//8080"'],
    ],
    [
      'of the host, at two of its addresses',
      [
        { containerPort: 80, hostPort: 8080, hostIP: '10.0.0.1' },
        { containerPort: 81, hostPort: 8080, hostIP: '10.0.0.2' },
      ],
      [],
    ],
  ])('%s', (_, ports, errors) => expect(containerErrors({ ports })).toEqual(errors));
});

describe('resize policies', () => {
  const at = 'spec.containers[0].resizePolicy';
  test.each<[string, object[], object, string[]]>([
    ['of cpu', [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }], {}, []],
    [
      'of cpu, twice',
      [
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
        { resourceName: 'cpu', restartPolicy: 'NotRequired' },
      ],
      {},
      [`${at}[1]: Duplicate value: "cpu"`],
    ],
    [
      'of another resource',
      [{ resourceName: 'pods', restartPolicy: 'NotRequired' }],
      {},
      [`${at}: Unsupported value: "pods": supported values: "cpu", "memory"`],
    ],
    [
      'of an unknown kind',
      [{ resourceName: 'cpu', restartPolicy: 'Maybe' }],
      {},
      [`${at}: Unsupported value: "Maybe": supported values: "NotRequired", "RestartContainer"`],
    ],
    ['of nothing', [{}], {}, [`${at}: Required value`, `${at}: Required value`]],
    [
      'that restart, in a pod that never does',
      [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
      { restartPolicy: 'Never' },
      [`${at}: Invalid value: "RestartContainer": must be 'NotRequired' when pod \`restartPolicy\` is 'Never'`],
    ],
  ])('%s', (_, resizePolicy, spec, errors) => expect(containerErrors({ resizePolicy }, { ...spec })).toEqual(errors));
});

describe('restart rules', () => {
  const rule = { action: 'Restart', exitCodes: { operator: 'In', values: [1] } };
  const at = 'spec.containers[0].restartPolicyRules';
  test.each<[string, object, string[]]>([
    ['with a policy', { restartPolicy: 'Never', restartPolicyRules: [rule] }, []],
    [
      'without a policy',
      { restartPolicyRules: [rule] },
      ['spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used'],
    ],
    [
      'too many',
      { restartPolicy: 'Never', restartPolicyRules: Array.from({ length: 21 }, () => rule) },
      [`${at}: Too many: 21: must have at most 20 items`],
    ],
    [
      'of unknown words',
      { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Stop', exitCodes: { operator: 'Is' } }] },
      [
        `${at}[0].action: Unsupported value: "Stop": supported values: "Restart", "RestartAllContainers"`,
        `${at}[0].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"`,
      ],
    ],
    [
      'without exit codes',
      { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart' }] },
      [`${at}[0].exitCodes: Required value: must be specified`],
    ],
  ])('%s', (_, container, errors) => expect(containerErrors({ ...container })).toEqual(errors));
});

describe('init containers', () => {
  const init = { name: 'init', image: 'busybox:1.36' };
  const at = 'spec.initContainers[0]';
  test.each<[string, object, string[]]>([
    ['that end', init, []],
    ['beside the others', { ...init, restartPolicy: 'Always', livenessProbe: { tcpSocket: { port: 1 } } }, []],
    ['of the name of another', { ...init, name: 'web' }, [`${at}.name: Duplicate value: "web"`]],
    [
      'with a probe',
      { ...init, livenessProbe: { tcpSocket: { port: 1 } } },
      [`${at}.livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always`],
    ],
    [
      'with a hook',
      { ...init, lifecycle: { preStop: { sleep: { seconds: 1 } } } },
      [`${at}.lifecycle: Forbidden: may not be set for init containers without restartPolicy=Always`],
    ],
    [
      'that would restart for a resize',
      { ...init, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
      [
        `${at}.resizePolicy[0].restartPolicy: Invalid value: "RestartContainer": must not be set to 'RestartContainer' for non-sidecar initContainers`,
      ],
    ],
  ])('%s', (_, container, errors) =>
    expect(podErrors({ containers: [web], initContainers: [container] })).toEqual(errors),
  );
});

describe('ephemeral containers', () => {
  const debug = { name: 'debug', image: 'busybox:1.36' };
  const at = 'spec.ephemeralContainers[0]';
  const ofStored = { resourceVersion: '1' };
  test.each<[string, object, string[]]>([
    ['of a container', { ...debug, targetContainerName: 'web' }, []],
    ['of no container', { ...debug, targetContainerName: 'gone' }, [`${at}.targetContainerName: Not found: "gone"`]],
    ['of the name of another', { ...debug, name: 'web' }, [`${at}.name: Duplicate value: "web"`]],
    [
      'with what only others have',
      {
        ...debug,
        ports: [{ containerPort: 80 }],
        resources: { requests: { cpu: '1' } },
        livenessProbe: { tcpSocket: { port: 1 } },
      },
      ['ports', 'resources', 'livenessProbe'].map(
        (field) => `${at}.${field}: Forbidden: cannot be set for an Ephemeral Container`,
      ),
    ],
    [
      'with a part of a volume',
      { ...debug, volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'b' }] },
      [`${at}.volumeMounts[0].subPath: Forbidden: cannot be set for an Ephemeral Container`],
    ],
  ])('%s', (_, container, errors) =>
    expect(
      podErrors({ containers: [web], volumes: [{ name: 'v' }], ephemeralContainers: [container] }, ofStored),
    ).toEqual(errors),
  );
});
