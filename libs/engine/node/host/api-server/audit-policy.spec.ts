import { expect, test } from '@jest/globals';
import { parseAuditPolicy } from './audit-policy.js';

const HEAD = 'apiVersion: audit.k8s.io/v1\nkind: Policy\n';

test('a policy has what is known of its rules', () =>
  expect(
    parseAuditPolicy(`${HEAD}omitStages: [RequestReceived]\nrules:\n- {level: Metadata, verbs: [get], colour: red}\n`),
  ).toEqual({ value: { rules: [{ level: 'Metadata', verbs: ['get'] }], omitStages: ['RequestReceived'] } }));

test.each([
  [`${HEAD}rules: []`, 'loaded illegal policy with 0 rules'],
  ['kind: Policy\nrules: []', "failed decoding: Object 'apiVersion' is missing in"],
  ['apiVersion: audit.k8s.io/v1\nrules: []', "failed decoding: Object 'Kind' is missing in"],
  ['apiVersion: audit.k8s.io/v1\nkind: policy', 'failed decoding: no kind "policy" is registered for version'],
  ['a: [', 'failed decoding: yaml: '],
  [`${HEAD}rules:\n- {}`, 'rules[0].level: Required value'],
  [`${HEAD}rules:\n- {level: Meta}`, 'rules[0].level: Unsupported value: "Meta": supported values: "None", "Metadata"'],
  [
    `${HEAD}rules:\n- {level: None, verbs: get}`,
    'failed decoding: json: cannot unmarshal string into Go struct field PolicyRule.rules.verbs of type []string',
  ],
  [
    `${HEAD}rules:\n- {level: None, nonResourceURLs: [healthz, /a*b]}`,
    '[rules[0].nonResourceURLs[0]: Invalid value: "healthz": non-resource URL rules must begin with a \'/\' character, ',
  ],
  [
    `${HEAD}rules:\n- {level: None, nonResourceURLs: [/a], namespaces: [b]}`,
    'rules cannot apply to both regular resources and non-resource URLs',
  ],
  [
    `${HEAD}rules:\n- {level: None, resources: [{group: apps/v1}]}`,
    'rules[0].resources.group: Invalid value: "apps/v1"',
  ],
])('%j is refused', (text, failure) => expect(parseAuditPolicy(text).failure).toContain(failure));
