import { describe, expect, test } from '@jest/globals';
import { CONFIG_MAPS, configuration, deploymentConfiguration, DEPLOYMENTS, TestServer } from '../testing.js';

describe('the body of an apply', () => {
  test('YAML will do', () => {
    expect(
      new TestServer().apply(
        `${CONFIG_MAPS}/a`,
        'm',
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n',
      ).body.data,
    ).toEqual({ k: 'v' });
  });

  test.each([
    [
      'managed fields',
      `${CONFIG_MAPS}/a`,
      'm',
      { ...configuration({}), metadata: { name: 'a', managedFields: [] } },
      400,
      'metadata.managedFields must be nil',
    ],
    ['no type', `${CONFIG_MAPS}/a`, 'm', { metadata: { name: 'a' } }, 400, 'invalid object type: /, Kind='],
    [
      'another type',
      `${CONFIG_MAPS}/a`,
      'm',
      { ...configuration({}), kind: 'Secret' },
      400,
      'invalid object type: /v1, Kind=Secret',
    ],
    [
      'no object',
      `${CONFIG_MAPS}/a`,
      'm',
      '[]',
      400,
      'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'an unknown field',
      `${DEPLOYMENTS}/web`,
      'm',
      deploymentConfiguration({ foo: 1 }),
      400,
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.foo: field not declared in schema',
    ],
    [
      'a wrong type',
      `${DEPLOYMENTS}/web`,
      'm',
      deploymentConfiguration({ replicas: 'x' }),
      400,
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string',
    ],
    [
      'an item without its key',
      `${DEPLOYMENTS}/web`,
      'm',
      deploymentConfiguration({}, [{ image: 'x' }]),
      400,
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.template.spec.containers: element 0: associative list with keys has an element that omits key field "name" (and doesn\'t have default value)',
    ],
    [
      'an item twice',
      `${DEPLOYMENTS}/web`,
      'm',
      deploymentConfiguration({}, [{ name: 'a' }, { name: 'a' }]),
      400,
      'failed to create typed patch object (/web; apps/v1, Kind=Deployment): .spec.template.spec.containers: duplicate entries for key [name="a"]',
    ],
  ])('refuses %s', (_text, url, manager, body, status, message) => {
    const answer = new TestServer().apply(url, manager, body);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });
});
