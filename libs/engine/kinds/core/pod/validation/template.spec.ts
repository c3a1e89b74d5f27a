import { describe, expect, test } from '@jest/globals';
import type { PodTemplateSpec } from '../../../../api/core_v1.js';
import { Path } from '../../../../machinery/meta/field.js';
import { defaultPodTemplate } from '../defaults.js';
import { web } from '../testing.js';
import { validateAlwaysRestarted, validatePodTemplate, validateSelectedTemplate } from './template.js';

const path = Path.of('spec');
const labels = { app: 'web' };
function makeTemplate(spec: object = {}): PodTemplateSpec {
  const template = { metadata: { labels }, spec: { containers: [web], ...spec } };
  defaultPodTemplate(template);
  return template;
}
const messagesOf = (errors: readonly { readonly message: string }[]): string[] => errors.map((error) => error.message);

test.each<[string, PodTemplateSpec | undefined, string[]]>([
  ['a good one', makeTemplate(), []],
  ['none', undefined, ['spec.template: Required value']],
  ['one without containers', makeTemplate({ containers: [] }), ['spec.template.spec.containers: Required value']],
  [
    'one with ephemeral containers',
    makeTemplate({ ephemeralContainers: [{ name: 'debug', image: 'busybox:1.36' }] }),
    ['spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template'],
  ],
  [
    "one on the host's network without ports there",
    {
      spec: { ...makeTemplate({ containers: [{ ...web, ports: [{ containerPort: 80 }] }] }).spec!, hostNetwork: true },
    },
    [],
  ],
])('%s', (_, template, errors) =>
  expect(messagesOf(validatePodTemplate(template, path.child('template')))).toEqual(errors),
);

describe('a selector', () => {
  const MISMATCH =
    'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`';
  const bad = { matchExpressions: [{ key: 'a', operator: 'Is' }] };
  const BAD = 'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator';
  test.each<['deployment' | 'daemonset' | 'statefulset', object | undefined, string[]]>([
    ['deployment', { matchLabels: labels }, ['rest']],
    ['deployment', { matchLabels: { app: 'shop' } }, [MISMATCH, 'rest']],
    ['deployment', {}, ['spec.selector: Invalid value: {}: empty selector is invalid for deployment', 'rest']],
    ['deployment', undefined, ['spec.selector: Required value', MISMATCH, 'rest']],
    [
      'deployment',
      bad,
      [BAD, 'spec.selector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Is"}]}: invalid label selector'],
    ],
    ['daemonset', {}, ['spec.selector: Invalid value: {}: empty selector is invalid for daemonset', 'rest']],
    ['statefulset', {}, ['spec.selector: Invalid value: {}: empty selector is invalid for statefulset', 'rest']],
  ])('of a %s: %j', (noun, selector, errors) =>
    expect(
      messagesOf(validateSelectedTemplate(selector, makeTemplate(), path, noun, () => [{ message: 'rest' } as never])),
    ).toEqual(errors),
  );
});

test.each<[object, string[]]>([
  [{}, []],
  [
    { restartPolicy: 'OnFailure' },
    ['spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"'],
  ],
  [
    { activeDeadlineSeconds: 5 },
    ['spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported'],
  ],
])('pods that always run: %j', (spec, errors) =>
  expect(messagesOf(validateAlwaysRestarted(makeTemplate(spec), path.child('template'), 'ReplicaSet'))).toEqual(errors),
);
