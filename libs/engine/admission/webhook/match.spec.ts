import { describe, expect, test } from '@jest/globals';
import type { ValidatingWebhook, ValidatingWebhookConfiguration } from '../../api/admissionregistration_v1.js';
import { kind as Configurations } from '../../kinds/admissionregistration/validatingwebhookconfiguration/kind.js';
import { kind as ConfigMaps } from '../../kinds/core/configmap/kind.js';
import { kind as Pods } from '../../kinds/core/pod/kind.js';
import { createRequest, objectOf } from '../testing.js';
import { hooksFor, matchHook } from './match.js';

const ANY = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };
const webhook = (name: string, fields: object = {}): ValidatingWebhook =>
  ({ name, rules: [ANY], ...fields }) as unknown as ValidatingWebhook;
const configuration = (name: string, ...webhooks: ValidatingWebhook[]): ValidatingWebhookConfiguration =>
  objectOf(Configurations, { metadata: { name }, webhooks });

describe('the hooks of a resource', () => {
  const request = createRequest(ConfigMaps, { object: objectOf(ConfigMaps) });
  test('are those with a rule that may match, in the order of the configurations', () => {
    const configurations = [
      configuration('one', webhook('pods', { rules: [{ ...ANY, resources: ['pods'] }] }), webhook('all')),
      configuration(
        'two',
        webhook('apps', { rules: [{ ...ANY, apiGroups: ['apps'] }] }),
        webhook('status', { rules: [{ ...ANY, apiGroups: [''], resources: ['configmaps/status'] }] }),
        webhook('none', { rules: undefined }),
      ),
    ];
    expect(hooksFor(configurations, request).map(({ id }) => id)).toEqual(['one/all/1', 'two/status/1']);
  });
  test('are found once for a list of configurations', () => {
    const configurations = [configuration('one', webhook('all'))];
    expect(hooksFor(configurations, request)).toBe(hooksFor(configurations, request));
    expect(hooksFor([...configurations], request)).not.toBe(hooksFor(configurations, request));
  });
});

describe('a webhook', () => {
  const FAILING = [{ name: 'c', expression: 'object.none == 1' }];
  test.each<[string, object, boolean]>([
    ['for everything', {}, true],
    ['for another operation', { rules: [{ ...ANY, operations: ['DELETE'] }] }, false],
    ['for other namespaces', { namespaceSelector: { matchLabels: { a: 'b' } } }, false],
    ['for other objects', { objectSelector: { matchLabels: { a: 'b' } } }, false],
    [
      'with a condition that holds',
      { matchConditions: [{ name: 'c', expression: 'object.metadata.name == "a"' }] },
      true,
    ],
    ['with one that does not', { matchConditions: [{ name: 'c', expression: 'object.metadata.name != "a"' }] }, false],
    ['with one that fails, to be ignored', { matchConditions: FAILING, failurePolicy: 'Ignore' }, false],
  ])('%s', (_, fields, matches) =>
    expect(matchHook({ id: 'h', webhook: webhook('h', fields) }, createRequest(Pods, { object: objectOf(Pods) }))).toBe(
      matches ? Pods : undefined,
    ),
  );

  test('whose condition fails forbids the request', () =>
    expect(() =>
      matchHook(
        { id: 'h', webhook: webhook('h', { matchConditions: FAILING }) },
        createRequest(Pods, { object: objectOf(Pods) }),
      ),
    ).toThrow(`pods "a" is forbidden: expression 'object.none == 1' resulted in error: no such key: none`));
});
