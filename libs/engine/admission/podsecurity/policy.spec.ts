import { describe, expect, test } from '@jest/globals';
import type { PodLike } from './check.js';
import { detailText, evaluatePod, isStricter, policyToEvaluate, reasonText, textOf, validateLabels } from './policy.js';

const label = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([k, v]) => [`pod-security.kubernetes.io/${k}`, v]));
test.each<[Record<string, string>, unknown]>([
  [{}, undefined],
  [
    { enforce: 'baseline' },
    { enforce: { level: 'baseline', version: 'latest' }, warn: { level: 'baseline', version: 'latest' } },
  ],
  [
    { enforce: 'restricted', 'enforce-version': 'v1.30', warn: 'privileged' },
    { enforce: { level: 'restricted', version: 'v1.30' }, warn: { level: 'privileged', version: 'latest' } },
  ],
  [
    { warn: 'restricted' },
    { enforce: { level: 'privileged', version: 'latest' }, warn: { level: 'restricted', version: 'latest' } },
  ],
])('labels %j', (labels, policy) => expect(policyToEvaluate(label(labels))).toEqual(policy));

test('labels are checked', () =>
  expect(validateLabels(label({ enforce: 'strict', 'warn-version': '1.30' })).map((e) => e.message)).toEqual([
    'metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
    'metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1.30": must be "latest" or "v1.x"',
  ]));

describe('evaluatePod', () => {
  const POD = { metadata: {}, spec: { hostNetwork: true, containers: [{ name: 'app' }] } } as PodLike;
  test.each([
    ['privileged', 'latest', ''],
    ['baseline', 'latest', 'host namespaces'],
    ['restricted', 'v1.18', 'host namespaces, allowPrivilegeEscalation != false, runAsNonRoot != true'],
    [
      'restricted',
      'latest',
      'host namespaces, allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile',
    ],
  ] as const)('%s:%s', (level, version, reasons) =>
    expect(reasonText(evaluatePod({ level, version }, POD))).toBe(reasons),
  );

  test('a stricter check of the restricted level replaces the one of baseline', () => {
    const pod = { ...POD, spec: { containers: [], volumes: [{ name: 'v', hostPath: { path: '/' } }] } } as PodLike;
    expect(detailText(evaluatePod({ level: 'baseline', version: 'latest' }, pod))).toBe(
      'hostPath volumes (volume "v")',
    );
    expect(detailText(evaluatePod({ level: 'restricted', version: 'latest' }, pod))).toBe(
      'restricted volume types (volume "v" uses restricted volume type "hostPath")',
    );
  });
});

test.each([
  ['restricted', 'baseline', true],
  ['baseline', 'privileged', true],
  ['baseline', 'baseline', false],
  ['privileged', 'baseline', false],
] as const)('%s against %s', (a, b, stricter) => expect(isStricter(a, b)).toBe(stricter));

test('a level prints with its version', () =>
  expect(textOf({ level: 'baseline', version: 'v1.30' })).toBe('baseline:v1.30'));
