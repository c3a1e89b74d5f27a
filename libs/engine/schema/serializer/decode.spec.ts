import { describe, expect, test } from '@jest/globals';
import { ApiError } from '../../machinery/meta/status.js';
import { encodeUtf8 } from '../../machinery/text/utf8.js';
import { decode, definition, JSON_TYPE, normalize, patchType, strictDecodingError, YAML_TYPE } from '../index.js';

const POD = 'io.k8s.api.core.v1.Pod';
const SERVICE = 'io.k8s.api.core.v1.Service';
const SECRET = 'io.k8s.api.core.v1.Secret';
const DEPLOYMENT = 'io.k8s.api.apps.v1.Deployment';
const CRD = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition';

const json = (value: unknown, name: string, strict = true) =>
  decode(encodeUtf8(typeof value === 'string' ? value : JSON.stringify(value)), JSON_TYPE, name, { strict });
const yaml = (text: string, name: string) => decode(encodeUtf8(text), YAML_TYPE, name, { strict: true });

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return `${error.code} ${error.message}`;
    throw error;
  }
  return 'accepted';
}

const container = (fields: object) => ({ spec: { containers: [{ name: 'web', image: 'nginx', ...fields }] } });

describe('a body whose types do not fit', () => {
  const UNHANDLED = 'in version "v1" cannot be handled as a';
  test.each<[string, string, unknown, string]>([
    [
      'an env value that is a number',
      POD,
      container({ env: [{ name: 'A', value: 5 }] }),
      `Pod ${UNHANDLED} Pod: json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string`,
    ],
    [
      'an env value that is a boolean',
      POD,
      container({ env: [{ name: 'A', value: true }] }),
      `Pod ${UNHANDLED} Pod: json: cannot unmarshal bool into Go struct field EnvVar.spec.containers.env.value of type string`,
    ],
    [
      'containers as an object',
      POD,
      { spec: { containers: { name: 'x' } } },
      `Pod ${UNHANDLED} Pod: json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container`,
    ],
    [
      'a list where a struct belongs',
      POD,
      { spec: [] },
      `Pod ${UNHANDLED} Pod: json: cannot unmarshal array into Go struct field Pod.spec of type v1.PodSpec`,
    ],
    [
      'a label that is a number',
      POD,
      { metadata: { labels: { a: 1 } } },
      `Pod ${UNHANDLED} Pod: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string`,
    ],
    [
      'replicas as text',
      DEPLOYMENT,
      { spec: { replicas: '3' } },
      `Deployment ${UNHANDLED} Deployment: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'half a replica',
      DEPLOYMENT,
      { spec: { replicas: 1.5 } },
      `Deployment ${UNHANDLED} Deployment: json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'an int32 that overflows',
      DEPLOYMENT,
      { spec: { replicas: 2147483648 } },
      `Deployment ${UNHANDLED} Deployment: json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      'a restart policy that is a number',
      POD,
      { spec: { restartPolicy: 5 } },
      `Pod ${UNHANDLED} Pod: json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy`,
    ],
    [
      'a target port that is a boolean',
      SERVICE,
      { spec: { ports: [{ port: 80, targetPort: true }] } },
      `Service ${UNHANDLED} Service: json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32`,
    ],
    [
      'a quantity with an unknown suffix',
      POD,
      container({ resources: { limits: { memory: '64mi' } } }),
      `Pod ${UNHANDLED} Pod: unable to parse quantity's suffix`,
    ],
    [
      'a quantity of another form',
      POD,
      container({ resources: { limits: { memory: '64Mb' } } }),
      `Pod ${UNHANDLED} Pod: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    ],
    [
      'secret data that is not base64',
      SECRET,
      { data: { password: 'hunter2' } },
      `Secret ${UNHANDLED} Secret: illegal base64 data at input byte 4`,
    ],
    [
      'secret data with a wrong character',
      SECRET,
      { data: { password: 'ab!d' } },
      `Secret ${UNHANDLED} Secret: illegal base64 data at input byte 2`,
    ],
    [
      'secret data that is a number',
      SECRET,
      { data: { password: 5 } },
      `Secret ${UNHANDLED} Secret: json: cannot unmarshal number into Go struct field Secret.data of type []uint8`,
    ],
    [
      'a time that is a word',
      POD,
      { metadata: { creationTimestamp: 'noon' } },
      `Pod ${UNHANDLED} Pod: parsing time "noon" as "2006-01-02T15:04:05Z07:00": cannot parse "noon" as "2006"`,
    ],
    [
      'a thirteenth month',
      POD,
      { metadata: { creationTimestamp: '2026-13-01T00:00:00Z' } },
      `Pod ${UNHANDLED} Pod: parsing time "2026-13-01T00:00:00Z": month out of range`,
    ],
    [
      'a kind that is a number',
      POD,
      { kind: 5 },
      'the object provided is unrecognized (must be of type Pod): couldn\'t get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"kind":5})',
    ],
    [
      'another version',
      POD,
      { apiVersion: 'v2', kind: 'Pod' },
      'the API version in the data (v2) does not match the expected API version (v1)',
    ],
    [
      'another kind',
      POD,
      { apiVersion: 'v1', kind: 'Secret' },
      'Secret in version "v1" cannot be handled as a Pod: converting (v1.Secret) to (core.Pod): unknown conversion',
    ],
  ])('%s', (_case, name, value, message) => expect(refusal(() => json(value, name))).toBe(`400 ${message}`));
});

describe('a body that is no JSON', () => {
  test.each<[string, string, string]>([
    ['nothing', '', 'unexpected end of JSON input (<empty>)'],
    ['an open object', '{"kind":"Pod"', 'unexpected end of JSON input ({"kind":"Pod")'],
    ['a word', 'hello', "invalid character 'h' looking for beginning of value (68656c6c6f)"],
    ['single quotes', "{'a':1}", "invalid character '\\'' looking for beginning of object key string ({'a':1})"],
    ['a missing comma', '{"a":1 "b":2}', `invalid character '"' after object key:value pair ({"a":1 "b":2})`],
    ['a trailing comma', '{"a":[1,]}', `invalid character ']' looking for beginning of value ({"a":[1,]})`],
    ['more after the end', '{} x', `invalid character 'x' after top-level value ({} x)`],
    ['a misspelt literal', '{"a":trve}', `invalid character 'v' in literal true (expecting 'u') ({"a":trve})`],
  ])('%s', (_case, text, message) =>
    expect(refusal(() => json(text, POD))).toBe(
      `400 the object provided is unrecognized (must be of type Pod): couldn't get version/kind; json parse error: ${message}`,
    ),
  );

  test('bytes that are not UTF-8', () =>
    expect(refusal(() => decode(Uint8Array.of(0x7b, 0xff, 0x7d), JSON_TYPE, POD))).toBe(
      '400 invalid UTF-8 in the request body',
    ));
  test('an unknown media type', () =>
    expect(refusal(() => decode(encodeUtf8('{}'), 'text/plain', POD))).toMatch(/^415 /));
});

describe('hostile bodies end in an answer', () => {
  const deep = (n: number, open: string, close: string) => open.repeat(n) + close.repeat(n);
  test.each<[string, string, string]>([
    [
      'deep schemas',
      `{"spec":{"versions":[{"schema":{"openAPIV3Schema":${'{"not":'.repeat(5_000)}{}${'}'.repeat(5_000)}}}]}}`,
      CRD,
    ],
    [
      'deep examples',
      `{"spec":{"versions":[{"schema":{"openAPIV3Schema":{"example":${deep(100_000, '[', ']')}}}}]}}`,
      CRD,
    ],
    ['deep unknown fields', `{"zoo":${deep(100_000, '[', ']')}}`, POD],
  ])('%s', (_case, text, name) =>
    expect(refusal(() => json(text, name))).toMatch(
      /^400 the object provided is unrecognized .* json parse error: invalid character '.' exceeded max depth/,
    ),
  );
  test('a prototype as a key', () =>
    expect(refusal(() => json('{"metadata":{"labels":{"__proto__":"x"}}}', POD))).toBe(
      '400 invalid map key "__proto__"',
    ));
  test('deep YAML', () => expect(refusal(() => yaml(`a: ${deep(20_000, '[', ']')}`, POD))).toMatch(/^400 /));
  test('a YAML of laughs', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'.split('').map((c, i) => `${c}: &${c} [${`*${'abcdefgh'[i]},`.repeat(10).slice(0, -1)}]`),
    ].join('\n');
    expect(refusal(() => yaml(bomb, POD))).toMatch(/^400 /);
  });
});

describe('strict errors', () => {
  test.each<[string, string, string, string[]]>([
    [
      'unknown fields in the order of the document',
      DEPLOYMENT,
      '{"spec":{"baz":"baq","foo":"bar"}}',
      ['unknown field "spec.baz"', 'unknown field "spec.foo"'],
    ],
    [
      'an unknown field within a list',
      DEPLOYMENT,
      '{"spec":{"template":{"spec":{"containers":[{"name":"x","requests":{}}]}}}}',
      ['unknown field "spec.template.spec.containers[0].requests"'],
    ],
    ['a field in the wrong case', POD, '{"Spec":{}}', ['unknown field "Spec"']],
    [
      'a field that is there twice',
      DEPLOYMENT,
      '{"spec":{"replicas":3,"replicas":4}}',
      ['duplicate field "spec.replicas"'],
    ],
    [
      'both kinds, ordered',
      DEPLOYMENT,
      '{"spec":{"foo":1,"replicas":3,"replicas":4,"bar":2}}',
      ['unknown field "spec.foo"', 'duplicate field "spec.replicas"', 'unknown field "spec.bar"'],
    ],
    [
      'a label that is there twice',
      POD,
      '{"metadata":{"labels":{"a":"1","a":"2"}}}',
      ['duplicate field "metadata.labels.a"'],
    ],
    ['nothing wrong', POD, '{"metadata":{"name":"x"}}', []],
  ])('%s', (_case, name, text, errors) => expect(json(text, name).strictErrors).toEqual(errors));

  test('are not collected unless asked for, yet unknown fields go', () => {
    expect(json('{"spec":{"foo":1}}', POD, false)).toEqual({
      value: { apiVersion: 'v1', kind: 'Pod', spec: {}, status: {} },
      strictErrors: [],
    });
  });
  test('become one message', () => {
    expect(
      strictDecodingError({ version: 'v1', kind: 'Deployment' }, [
        'unknown field "spec.baz"',
        'unknown field "spec.foo"',
      ]).message,
    ).toBe(
      'Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.baz", unknown field "spec.foo"',
    );
  });
  test('stop at a hundred', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`x${i}`, 1]));
    expect(json(many, POD).strictErrors).toHaveLength(100);
  });
});

describe('what is decoded', () => {
  test.each<[string, string, unknown, unknown]>([
    [
      'quantities get their canonical form',
      POD,
      container({ resources: { limits: { cpu: 0.5, memory: '1024Mi' } } }),
      container({ resources: { limits: { cpu: '500m', memory: '1Gi' } } }),
    ],
    [
      'empty is unset where it may be',
      POD,
      { metadata: { labels: {} }, spec: { nodeSelector: {}, tolerations: [], containers: [], securityContext: {} } },
      { metadata: {}, spec: { containers: [], securityContext: {} } },
    ],
    [
      'null means unset',
      POD,
      { metadata: { creationTimestamp: null, labels: null }, spec: { nodeName: null } },
      { metadata: {}, spec: {} },
    ],
    ['null in a list is a zero value', POD, container({ args: ['a', null] }), container({ args: ['a', ''] })],
    [
      'times are in UTC and whole seconds',
      POD,
      { metadata: { creationTimestamp: '2026-11-21T03:00:00.9+01:00' } },
      { metadata: { creationTimestamp: '2026-11-21T02:00:00Z' } },
    ],
    [
      'ports by number and name',
      SERVICE,
      {
        spec: {
          ports: [
            { port: 80, targetPort: 'http' },
            { port: 81, targetPort: 8080 },
          ],
        },
      },
      {
        spec: {
          ports: [
            { port: 80, targetPort: 'http' },
            { port: 81, targetPort: 8080 },
          ],
        },
      },
    ],
    ['base64 loses its line breaks', SECRET, { data: { a: 'aGVs\nbG8=' } }, { data: { a: 'aGVsbG8=' } }],
  ])('%s', (_case, name, given, expected) => expect(json(given, name).value).toMatchObject(expected as object));

  test('shares what needs no change', () => {
    const given = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x', labels: { a: 'b' } },
      ...container({ resources: {} }),
      status: {},
    };
    expect(normalize(given, POD).value).toBe(given);
  });
  test('does not touch its input', () => {
    const given = Object.freeze({ apiVersion: 'v1', kind: 'Pod', metadata: Object.freeze({ name: 'x', zoo: 1 }) });
    expect(normalize(given, POD).value).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'x' },
      spec: {},
      status: {},
    });
  });
  test.each<[string, object, string, object]>([
    [
      'values that are zero',
      { hostNetwork: false, hostname: '', priority: 0, runtimeClassName: '' },
      'core.v1.PodSpec',
      { priority: 0, runtimeClassName: '' },
    ],
    ['what is always written', {}, 'rbac.v1.Role', { rules: null }],
    [
      'conditions',
      { type: 'Ready', reason: '' },
      'core.v1.NodeCondition',
      { type: 'Ready', status: '', lastHeartbeatTime: null, lastTransitionTime: null },
    ],
    ['structs in structs', {}, 'networking.v1.Ingress', { spec: {}, status: { loadBalancer: {} } }],
  ])('Go writes %s as they are', (_, given, name, expected) => {
    const { apiVersion: _v, kind: _k, metadata: _m, ...rest } = normalize(given, `io.k8s.api.${name}`).value;
    expect(rest).toEqual(expected);
  });
  test('a custom resource keeps its own fields', () => {
    const expected = { group: 'shop.example', version: 'v1', kind: 'Cart' };
    const { value } = decode(
      encodeUtf8('{"metadata":{"name":"a","zoo":1},"spec":{"items":[1]}}'),
      JSON_TYPE,
      undefined,
      { expected, strict: true },
    );
    expect(value).toEqual({
      apiVersion: 'shop.example/v1',
      kind: 'Cart',
      metadata: { name: 'a' },
      spec: { items: [1] },
    });
  });
  test('delete options come under every group', () => {
    expect(
      json(
        { apiVersion: 'apps/v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 },
        'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
      ).value,
    ).toMatchObject({ gracePeriodSeconds: 0 });
  });
});

describe('YAML', () => {
  test.each<[string, string, unknown]>([
    [
      'blocks',
      'metadata:\n  name: x\n  labels: {a: "1"}\nspec:\n  hostNetwork: yes\n',
      { metadata: { name: 'x', labels: { a: '1' } }, spec: { hostNetwork: true } },
    ],
    ['flow', '{metadata: {name: x}}', { metadata: { name: 'x' } }],
    [
      'times stay text',
      'metadata: {creationTimestamp: 2026-11-21T02:00:00Z}',
      { metadata: { creationTimestamp: '2026-11-21T02:00:00Z' } },
    ],
    [
      'octal modes',
      'spec: {volumes: [{name: a, secret: {defaultMode: 0644}}]}',
      { spec: { volumes: [{ name: 'a', secret: { defaultMode: 420 } }] } },
    ],
  ])('%s', (_case, text, value) => expect(yaml(text, POD).value).toMatchObject(value as object));

  test('a repeated key is reported and the last one wins', () => {
    const { value, strictErrors } = yaml('spec:\n  replicas: 3\n  replicas: 4\n  foo: bar\n', DEPLOYMENT);
    expect(value).toMatchObject({ spec: { replicas: 4 } });
    expect(strictErrors).toEqual([
      'yaml: unmarshal errors:\n  line 3: key "replicas" already set in map',
      'unknown field "spec.foo"',
    ]);
  });
  test('a tab is no indent', () =>
    expect(refusal(() => yaml('spec:\n\treplicas: 3\n', DEPLOYMENT))).toMatch(/^400 .*yaml: line 2: /));
});

describe('merge rules', () => {
  test('containers merge by name, and their ports by port', () => {
    const containers = patchType(DEPLOYMENT)
      ?.field('spec')
      ?.type?.field('template')
      ?.type?.field('spec')
      ?.type?.field('containers');
    expect(containers).toMatchObject({ strategies: ['merge'], mergeKey: 'name' });
    expect(containers?.type?.field('ports')).toMatchObject({ strategies: ['merge'], mergeKey: 'containerPort' });
  });
  test('volumes retain keys', () =>
    expect(patchType('io.k8s.api.core.v1.PodSpec')?.field('volumes')).toMatchObject({
      strategies: ['merge', 'retainKeys'],
      mergeKey: 'name',
    }));
  test('a name that is not a field', () => expect(patchType(POD)?.field('constructor')).toBeUndefined());
  test('every reference leads to a definition', () =>
    expect(definition('io.k8s.api.core.v1.PodSpec')?.fields?.['containers']?.required).toBe(true));
});
