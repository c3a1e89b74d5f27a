import { describe, expect, test } from '@jest/globals';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import { kind as Namespaces } from '../../kinds/core/namespace/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { ANN, createRequest, objectOf, type RequestFields } from '../testing.js';
import { ExpressionError, PolicyEvaluation, type PolicyParts } from './evaluation.js';

const CONFIGMAP = objectOf(ConfigMaps, { metadata: { name: 'c' }, data: { a: '1' } });
const NAMESPACE = objectOf(Namespaces, { metadata: { name: 'default' } });
const create = (parts: PolicyParts = {}, fields: RequestFields = {}, params: object | null = null): PolicyEvaluation =>
  new PolicyEvaluation(
    createRequest(ConfigMaps, { object: CONFIGMAP, ...fields }, [NAMESPACE]),
    parts,
    params as never,
  );

describe('an expression sees', () => {
  test.each<[string, string, unknown]>([
    ['the object', 'object.data.a', '1'],
    ['no old object in a create', 'oldObject == null', true],
    [
      'the request',
      'request.operation + " " + request.resource.resource + " " + request.namespace + "/" + request.name + " by " + request.userInfo.username',
      'CREATE configmaps default/c by kubernetes-admin',
    ],
    ['the request options', 'request.options.kind', 'CreateOptions'],
    ['the namespace', 'namespaceObject.metadata.name', 'default'],
    [
      'the authorizer',
      'authorizer.group("").resource("pods").namespace("default").check("create").allowed() && authorizer.requestResource.check("create").allowed()',
      true,
    ],
  ])('%s', (_, expression, value) => expect(create().evaluate(expression)).toEqual(value));

  test('the old object in an update', () =>
    expect(create({}, { old: objectOf(ConfigMaps, { data: { a: '0' } }) }).evaluate('oldObject.data.a')).toBe('0'));

  test('no namespace of a Namespace, but its name in the request', () => {
    const evaluation = new PolicyEvaluation(createRequest(Namespaces, { object: NAMESPACE }), {}, null);
    expect(evaluation.evaluate('namespaceObject == null && request.namespace == "default"')).toBe(true);
  });

  test('the permissions of the user and of a service account', () => {
    const check = '.group("").resource("pods").namespace("default").check("create").allowed()';
    const evaluation = create({}, { user: ANN });
    expect(evaluation.evaluate(`authorizer${check}`)).toBe(false);
    expect(evaluation.evaluate(`authorizer.serviceAccount("default", "x")${check}`)).toBe(false);
  });

  test('the type of a body', () => {
    const bodyType = { group: 'policy', version: 'v1', kind: 'Eviction' };
    const request = createRequest(Pods, { object: objectOf(Pods), bodyType, subresource: 'eviction' });
    expect(
      new PolicyEvaluation(request, {}, null).evaluate(
        'request.kind.kind + " " + request.resource.resource + "/" + request.subResource',
      ),
    ).toBe('Eviction pods/eviction');
  });

  test('parameters, if the policy has a paramKind', () => {
    const params = objectOf(ConfigMaps, { data: { max: '2' } });
    expect(create({ paramKind: { kind: 'ConfigMap' } }, {}, params).evaluate('int(params.data.max)')).toBe(2n);
    expect(() => create({}, {}, params).evaluate('params.data.max')).toThrow("undeclared reference to 'params'");
  });
});

describe('variables', () => {
  const parts = {
    variables: [
      { name: 'keys', expression: 'object.data.map(k, k)' },
      { name: 'n', expression: 'size(variables.keys)' },
      { name: 'broken', expression: 'object.none' },
    ],
  };
  test('build on one another', () =>
    expect(create(parts).evaluate('"there are " + string(variables.n)')).toBe('there are 1'));
  test('that fail are told by name', () =>
    expect(() => create(parts).evaluate('variables.broken')).toThrow(
      new ExpressionError(
        `expression 'variables.broken' resulted in error: composited variable "broken" fails to evaluate: no such key: none`,
      ),
    ));
  test('are computed again for an object that has changed', () => {
    const evaluation = create(parts);
    expect(evaluation.evaluate('variables.n')).toBe(1n);
    evaluation.replaceObject(objectOf(ConfigMaps, { data: { a: '1', b: '2' } }));
    expect(evaluation.evaluate('variables.n')).toBe(2n);
  });
});

describe('match conditions', () => {
  const matches = (...expressions: string[]): boolean =>
    create({
      matchConditions: expressions.map((expression, i) => ({ name: `c${i}`, expression })),
    }).matchesConditions();
  test.each<[string, string[], boolean]>([
    ['none', [], true],
    ['that hold', ['object.data.a == "1"', 'true'], true],
    ['of which one does not hold', ['true', '!request.userInfo.groups.exists(g, g == "system:masters")'], false],
    ['of which one fails and another does not hold', ['object.none == 1', 'false'], false],
  ])('%s', (_, expressions, expected) => expect(matches(...expressions)).toBe(expected));
  test.each<[string, string[], string]>([
    ['one', ['object.x == 1', 'true'], "expression 'object.x == 1' resulted in error: no such key: x"],
    [
      'two',
      ['object.x == 1', 'object.y == 1'],
      "[expression 'object.x == 1' resulted in error: no such key: x, expression 'object.y == 1' resulted in error: no such key: y]",
    ],
  ])('of which %s cannot be evaluated throw', (_, expressions, message) =>
    expect(() => matches(...expressions)).toThrow(new ExpressionError(message)),
  );
});

test('all expressions of a policy share one budget', () => {
  const evaluation = create(
    {},
    { object: objectOf(ConfigMaps, { text: 'a'.repeat(10_000), regex: 'a'.repeat(3_600) }) },
  );
  const run = (times: number): void => {
    for (let i = 0; i < times; i++) evaluation.evaluate('object.text.matches(object.regex)');
  };
  // Each costs 10,000 / 10 for the text times 3,600 / 4 for the expression, of a budget of 10,000,000.
  run(11);
  expect(() => run(1)).toThrow(
    'validation failed due to running out of cost budget, no further validation rules will be run',
  );
});
