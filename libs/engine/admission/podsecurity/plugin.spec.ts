import { describe, expect, test } from '@jest/globals';
import { kind as Deployments } from '../../kinds/apps/deployment/kind.js';
import { kind as CronJobs } from '../../kinds/batch/cronjob/kind.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import type { Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { createRequest, objectOf, refusalOf, type RequestFields, type TestRequest } from '../testing.js';
import { plugin } from './plugin.js';

const namespace = (labels: Record<string, string>): KubeObject =>
  objectOf(Namespaces, {
    metadata: {
      name: 'default',
      labels: Object.fromEntries(Object.entries(labels).map(([k, v]) => [`pod-security.kubernetes.io/${k}`, v])),
    },
  });
const BASELINE = namespace({ enforce: 'baseline', warn: 'privileged' });
const container = (image: string): object => ({ name: 'app', image, securityContext: { privileged: true } });
const SPEC = { containers: [container('nginx')] };
const PRIVILEGED = objectOf(Pods, { spec: SPEC });
const VIOLATION = 'privileged (container "app" must not set securityContext.privileged=true)';
const REFUSED = `pods "a" is forbidden: violates PodSecurity "baseline:latest": ${VIOLATION}`;

function review(kind: Kind, fields: RequestFields, ...stored: KubeObject[]): [string | undefined, TestRequest] {
  const request = createRequest(kind, fields, stored);
  return [refusalOf(plugin, request), request];
}

describe('a pod', () => {
  test.each<[string, RequestFields, KubeObject, string | undefined, string[]]>([
    ['where nothing is labelled', { object: PRIVILEGED }, namespace({}), undefined, []],
    ['where the level is enforced', { object: PRIVILEGED }, BASELINE, REFUSED, []],
    [
      'that has just got its name',
      { object: objectOf(Pods, { metadata: { name: 'web-x7k2p', generateName: 'web-' }, spec: SPEC }) },
      BASELINE,
      REFUSED.replace('"a"', '"web-x7k2p"'),
      [],
    ],
    ['made by a component', { object: PRIVILEGED, fromOutside: false }, BASELINE, REFUSED, []],
    [
      'where the level warns',
      { object: PRIVILEGED },
      namespace({ warn: 'baseline' }),
      undefined,
      [`would violate PodSecurity "baseline:latest": ${VIOLATION}`],
    ],
    ['that is good', { object: objectOf(Pods, { spec: { containers: [{ name: 'app' }] } }) }, BASELINE, undefined, []],
    [
      'with another image',
      { object: PRIVILEGED, old: objectOf(Pods, { spec: { containers: [container('busybox')] } }) },
      BASELINE,
      REFUSED,
      [],
    ],
    [
      'with another label',
      { object: PRIVILEGED, old: { ...PRIVILEGED, metadata: { ...PRIVILEGED.metadata, labels: { a: 'b' } } } },
      BASELINE,
      undefined,
      [],
    ],
    [
      'with another profile annotation',
      {
        object: PRIVILEGED,
        old: objectOf(Pods, {
          metadata: { annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'x' } },
          spec: SPEC,
        }),
      },
      BASELINE,
      REFUSED,
      [],
    ],
    ['that is bound', { object: PRIVILEGED, subresource: 'binding' }, BASELINE, undefined, []],
    ['with ephemeral containers', { object: PRIVILEGED, subresource: 'ephemeralcontainers' }, BASELINE, REFUSED, []],
    ['that is deleted', { old: PRIVILEGED }, BASELINE, undefined, []],
  ])('%s', (_, fields, stored, message, warnings) => {
    const [refusal, request] = review(Pods, fields, stored);
    expect([refusal, request.warnings]).toEqual([message, warnings]);
  });
});

describe('a workload', () => {
  const WARNING = `would violate PodSecurity "baseline:latest": ${VIOLATION}`;
  const ENFORCING = namespace({ enforce: 'baseline' });
  const deployment = objectOf(Deployments, { spec: { template: { spec: SPEC } } });
  test.each<[string, Kind, RequestFields, string[]]>([
    ['is warned of', Deployments, { object: deployment }, [WARNING]],
    [
      'is warned of, also a CronJob',
      CronJobs,
      { object: objectOf(CronJobs, { spec: { jobTemplate: { spec: { template: { spec: SPEC } } } } }) },
      [WARNING],
    ],
    ['of a component is not', Deployments, { object: deployment, fromOutside: false }, []],
    ['whose status changes is not', Deployments, { object: deployment, old: deployment, subresource: 'status' }, []],
    ['without a template is not', Deployments, { object: objectOf(Deployments) }, []],
  ])('%s', (_, kind, fields, warnings) => {
    const [refusal, request] = review(kind, fields, ENFORCING);
    expect([refusal, request.warnings]).toEqual([undefined, warnings]);
  });
});

describe('a namespace', () => {
  const INVALID =
    'Namespace "default" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted';
  test.each<[string, KubeObject, KubeObject | undefined, string | undefined]>([
    ['with a good label', BASELINE, undefined, undefined],
    ['with a bad label', namespace({ enforce: 'strict' }), undefined, INVALID],
    ['that gets a bad label', namespace({ enforce: 'strict' }), BASELINE, INVALID],
    [
      'that keeps its bad label',
      namespace({ enforce: 'strict', warn: 'baseline' }),
      namespace({ enforce: 'strict' }),
      undefined,
    ],
  ])('%s', (_, object, old, message) => expect(review(Namespaces, { object, old })[0]).toBe(message));

  const pods = ['x', 'y', 'z'].map((name) => objectOf(Pods, { metadata: { name }, spec: SPEC }));
  const other = objectOf(Pods, { metadata: { name: 'host' }, spec: { ...SPEC, hostPID: true } });
  test.each<[string, KubeObject, KubeObject, string[]]>([
    [
      'that enforces a level warns of the pods that violate it',
      BASELINE,
      namespace({}),
      [
        'existing pods in namespace "default" violate the new PodSecurity enforce level "baseline:latest"',
        'host: host namespaces, privileged',
        'x (and 2 other pods): privileged',
      ],
    ],
    ['that enforces no more than before does not', BASELINE, namespace({ enforce: 'restricted' }), []],
    ['that enforces nothing does not', namespace({ enforce: 'privileged' }), BASELINE, []],
  ])('%s', (_, object, old, warnings) =>
    expect(review(Namespaces, { object, old }, ...pods, other)[1].warnings).toEqual(warnings),
  );
});
