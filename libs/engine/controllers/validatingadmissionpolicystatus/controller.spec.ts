import { expect, it } from '@jest/globals';
import { ControllerBed } from '../../../testkit/beds/controller-bed.js';
import type { ValidatingAdmissionPolicy } from '../../api/admissionregistration_v1.js';
import { ValidatingAdmissionPolicies } from '../../kinds/index.js';
import { controller } from './controller.js';

type Resource = readonly [group: string, version: string, plural: string];
const DEPLOYMENTS: Resource = ['apps', 'v1', 'deployments'];
const PODS: Resource = ['', 'v1', 'pods'];

function statusOf(
  resources: readonly Resource[],
  expression: string,
  spec: Partial<ValidatingAdmissionPolicy['spec']> = {},
): ValidatingAdmissionPolicy['status'] {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.client.create(ValidatingAdmissionPolicies, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'a' },
    status: {},
    spec: {
      matchConstraints: {
        resourceRules: resources.map(([group, version, plural]) => ({
          apiGroups: [group],
          apiVersions: [version],
          resources: [plural],
          operations: ['CREATE'],
        })),
      },
      validations: [{ expression }],
      ...spec,
    },
  });
  bed.settle();
  expect(bed.errors).toEqual([]);
  expect(bed.restart()).toBe(0);
  return bed.get(ValidatingAdmissionPolicies, 'a').status;
}
const warnings = (...given: Parameters<typeof statusOf>): (readonly string[])[] =>
  (statusOf(...given).typeChecking?.expressionWarnings ?? []).map((w) => [w.fieldRef, w.warning]);

it('what fits the types is only observed', () => {
  expect(
    statusOf(
      [DEPLOYMENTS],
      'object.spec.replicas > 1 && has(object.metadata.labels.app) && object.spec.strategy.rollingUpdate.maxSurge == 1',
    ),
  ).toEqual({ observedGeneration: 1, typeChecking: {} });
});

it('a field that a type does not have is told for each type', () => {
  expect(warnings([DEPLOYMENTS], 'object.spec.replicaz > 1')).toEqual([
    [
      'spec.validations[0].expression',
      "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replicaz'\n | object.spec.replicaz > 1\n | ...........^\n",
    ],
  ]);
  const [[, both] = []] = warnings([DEPLOYMENTS, PODS], 'oldObject.nope == 1');
  expect(both).toBe(
    ['/v1, Kind=Pod', 'apps/v1, Kind=Deployment']
      .map((kind) => `${kind}: ERROR: <input>:1:10: undefined field 'nope'\n | oldObject.nope == 1\n | .........^\n`)
      .join('\n'),
  );
});

it('variables and parameters have types; a message is checked too', () => {
  expect(
    warnings([['', 'v1', 'configmaps']], 'variables.a.b == 1 && params.nope == 1', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      variables: [{ name: 'a', expression: 'object.data' }],
      validations: [
        { expression: 'variables.a.b == "1"', messageExpression: "'a' + string(params.nope)" },
        { expression: 'variables.a.b == 1' },
      ],
    }),
  ).toEqual([
    [
      'spec.validations[0].messageExpression',
      "/v1, Kind=ConfigMap: ERROR: <input>:1:20: undefined field 'nope'\n | 'a' + string(params.nope)\n | ...................^\n",
    ],
    [
      'spec.validations[1].expression',
      "/v1, Kind=ConfigMap: ERROR: <input>:1:15: found no matching overload for '_==_' applied to '(string, int)'\n | variables.a.b == 1\n | ..............^\n",
    ],
  ]);
});

it('wildcards name no type', () =>
  expect(statusOf([['*', '*', '*']], 'object.nope == 1')).toEqual({ observedGeneration: 1, typeChecking: {} }));
