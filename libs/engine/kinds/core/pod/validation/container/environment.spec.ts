import { describe, expect, test } from '@jest/globals';
import { containerErrors } from '../../testing.js';

const at = 'spec.containers[0].env[0]';
const source = `${at}.valueFrom`;
const fieldRef = (fieldPath: string, apiVersion = 'v1'): object => ({
  valueFrom: { fieldRef: { apiVersion, fieldPath } },
});
const resource = (fields: object): object => ({ valueFrom: { resourceFieldRef: fields } });
const FIELDS =
  '"metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName", "status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"';
const RESOURCES =
  '"limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"';
const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

describe('a variable', () => {
  test.each<[string, object, string[]]>([
    ['of a value', { value: 'a' }, []],
    ['of a field', fieldRef('metadata.name'), []],
    ['of a label', fieldRef("metadata.labels['app']"), []],
    ['of a limit', resource({ resource: 'limits.cpu', divisor: '1m' }), []],
    ['of a ConfigMap', { valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }, []],
    ['without a name', { name: '', value: 'a' }, [`${at}.name: Required value`]],
    [
      'of a name that cannot be',
      { name: 'A=B' },
      [
        `${at}.name: Invalid value: "A=B": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      ],
    ],
    [
      'of value and source',
      { value: 'x', ...fieldRef('metadata.name') },
      [`${source}: Invalid value: "": may not be specified when \`value\` is not empty`],
    ],
    [
      'of no source',
      { valueFrom: {} },
      [
        `${source}: Invalid value: "": must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`, \`secretKeyRef\` or \`fileKeyRef\``,
      ],
    ],
    [
      'of two sources',
      { valueFrom: { configMapKeyRef: { name: 'c', key: 'k' }, secretKeyRef: { name: 's', key: 'k' } } },
      [`${source}: Invalid value: "": may not have more than one field specified at a time`],
    ],
    [
      'of a field that variables cannot show',
      fieldRef('metadata.labels'),
      [`${source}.fieldRef.fieldPath: Unsupported value: "metadata.labels": supported values: ${FIELDS}`],
    ],
    [
      'of an unknown field',
      fieldRef('spec.colour'),
      [
        `${source}.fieldRef.fieldPath: Invalid value: "spec.colour": error converting fieldPath: field label not supported: spec.colour`,
      ],
    ],
    [
      'of a part of a field that has none',
      fieldRef("metadata.name['a']"),
      [
        `${source}.fieldRef.fieldPath: Invalid value: "metadata.name['a']": error converting fieldPath: field label does not support subscript: metadata.name['a']`,
      ],
    ],
    [
      'of a field of another version',
      fieldRef('metadata.name', 'v2'),
      [
        `${source}.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2`,
      ],
    ],
    ['of a field without a path', fieldRef(''), [`${source}.fieldRef.fieldPath: Required value`]],
    ['of no resource', resource({}), [`${source}.resourceFieldRef.resource: Required value`]],
    [
      'of an unknown resource',
      resource({ resource: 'limits.gpu' }),
      [`${source}.resourceFieldRef.resource: Unsupported value: "limits.gpu": supported values: ${RESOURCES}`],
    ],
    [
      'of cpu in megabytes',
      resource({ resource: 'limits.cpu', divisor: '1Mi' }),
      [
        `${source}.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
      ],
    ],
    [
      'of memory in thousandths',
      resource({ resource: 'limits.memory', divisor: '1m' }),
      [
        `${source}.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the memory resource`,
      ],
    ],
    [
      'of a Secret without a key',
      { valueFrom: { secretKeyRef: { name: 'S' } } },
      [`${source}.secretKeyRef.name: Invalid value: "S": ${SUBDOMAIN}`, `${source}.secretKeyRef.key: Required value`],
    ],
  ])('%s', (_, variable, errors) => expect(containerErrors({ env: [{ name: 'A', ...variable }] })).toEqual(errors));
});

describe('a variable of a file', () => {
  const fileKeyRef = (fields: object): object => ({ env: [{ name: 'A', valueFrom: { fileKeyRef: fields } }] });
  const ref = `${source}.fileKeyRef`;
  test.each<[string, object, object, string[]]>([
    ['in an emptyDir', { volumeName: 'v', path: 'a/b', key: 'K' }, { emptyDir: {} }, []],
    [
      'in another volume',
      { volumeName: 'v', path: 'a', key: 'K' },
      { hostPath: { path: '/a' } },
      [`${ref}.volumeName: Invalid value: "v": referenced volume must be of type emptyDir`],
    ],
    ['in no volume', { volumeName: 'gone', path: 'a', key: 'K' }, {}, [`${ref}.volumeName: Not found: "gone"`]],
    [
      'outside of the volume',
      { volumeName: 'v', path: '../a', key: 'K' },
      {},
      [`${ref}.path: Invalid value: "../a": must not contain '..'`],
    ],
    [
      'of nothing',
      {},
      {},
      [
        `${ref}.key: Required value`,
        `${ref}.volumeName: Required value`,
        `${ref}.path: Required value`,
        `${ref}.volumeName: Not found: ""`,
      ],
    ],
  ])('%s', (_, fields, volume, errors) =>
    expect(containerErrors({ ...fileKeyRef(fields) }, { volumes: [{ name: 'v', ...volume }] })).toEqual(errors),
  );
});

describe('variables from', () => {
  const list = 'spec.containers[0].envFrom';
  test.each<[string, object, string[]]>([
    ['a ConfigMap', { configMapRef: { name: 'c' }, prefix: 'A_' }, []],
    ['a Secret without a name', { secretRef: {} }, [`${list}[0].secretRef.name: Required value`]],
    [
      'both',
      { configMapRef: { name: 'c' }, secretRef: { name: 's' } },
      [`${list}: Invalid value: "": may not have more than one field specified at a time`],
    ],
    ['neither', {}, [`${list}: Invalid value: "": must specify one of: \`configMapRef\` or \`secretRef\``]],
    [
      'names that cannot be',
      { configMapRef: { name: 'c' }, prefix: 'A=' },
      [
        `${list}[0].prefix: Invalid value: "A=": a valid environment variable name must consist only of printable ASCII characters other than '='`,
      ],
    ],
  ])('%s', (_, from, errors) => expect(containerErrors({ envFrom: [from] })).toEqual(errors));
});
