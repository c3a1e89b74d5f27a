import { describe, expect, test } from '@jest/globals';
import { podErrors, web } from '../testing.js';

const errorsOf = (...volumes: object[]): string[] =>
  podErrors({ containers: [web], volumes, serviceAccountName: 'default' });
const at = 'spec.volumes[0]';
const MODE = 'must be a number between 0 and 0777 (octal), both inclusive';

describe('volumes', () => {
  test.each<[string, object[], string[]]>([
    ['of nothing', [{ name: 'v' }], []],
    ['without a name', [{}], [`${at}.name: Required value`]],
    ['of one name', [{ name: 'v' }, { name: 'v' }], ['spec.volumes[1].name: Duplicate value: "v"']],
    [
      'of two sources',
      [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }],
      [`${at}.hostPath: Forbidden: may not specify more than 1 volume type`],
    ],
    [
      'of less than nothing',
      [{ name: 'v', emptyDir: { sizeLimit: '-1' } }],
      [`${at}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`],
    ],
    [
      'of an NFS share without a path',
      [{ name: 'v', nfs: { server: 's' } }],
      [`${at}.nfs.path: Required value`, `${at}.nfs.path: Invalid value: "": must be an absolute path`],
    ],
    [
      'of an image that is pulled somehow',
      [{ name: 'v', image: { reference: 'a', pullPolicy: 'Often' } }],
      [`${at}.image.pullPolicy: Unsupported value: "Often": supported values: "Always", "IfNotPresent", "Never"`],
    ],
    ['of no image', [{ name: 'v', image: {} }], [`${at}.image.reference: Required value`]],
  ])('%s', (_, volumes, errors) => expect(errorsOf(...volumes)).toEqual(errors));
});

describe('files of a ConfigMap', () => {
  test.each<[string, object, string[]]>([
    ['all', { name: 'c' }, []],
    ['of no ConfigMap', {}, [`${at}.configMap.name: Required value`]],
    [
      'with a mode too wide',
      { name: 'c', defaultMode: 0o1000 },
      [`${at}.configMap.defaultMode: Invalid value: 512: ${MODE}`],
    ],
    [
      'without key and path',
      { name: 'c', items: [{}] },
      [`${at}.configMap.items[0].key: Required value`, `${at}.configMap.items[0].path: Required value`],
    ],
    [
      "in the kubelet's place",
      { name: 'c', items: [{ key: 'k', path: '..data' }] },
      [`${at}.configMap.items[0].path: Invalid value: "..data": must not start with '..'`],
    ],
  ])('%s', (_, configMap, errors) => expect(errorsOf({ name: 'v', configMap })).toEqual(errors));
});

test('files of no Secret', () =>
  expect(errorsOf({ name: 'v', secret: {} })).toEqual([`${at}.secret.secretName: Required value`]));

describe('files of the pod', () => {
  const file = { path: 'a', fieldRef: { fieldPath: 'metadata.labels' } };
  test.each<[string, object, string[]]>([
    ['its labels', file, []],
    [
      'nothing of it',
      { path: 'a' },
      [`${at}.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`],
    ],
    [
      'two things of it',
      { ...file, resourceFieldRef: { resource: 'limits.cpu' } },
      [
        `${at}.downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously`,
      ],
    ],
    [
      "a limit of one doesn't know whom",
      { path: 'a', resourceFieldRef: { resource: 'limits.cpu' } },
      [`${at}.downwardAPI.resourceFieldRef.containerName: Required value`],
    ],
    [
      'a field that files cannot show',
      { path: 'a', fieldRef: { fieldPath: 'status.podIP' } },
      [
        `${at}.downwardAPI.fieldRef.fieldPath: Unsupported value: "status.podIP": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"`,
      ],
    ],
  ])('%s', (_, item, errors) => expect(errorsOf({ name: 'v', downwardAPI: { items: [item] } })).toEqual(errors));
});

describe('projected files', () => {
  const projected = (...sources: object[]): object => ({ name: 'v', projected: { sources } });
  const items = [{ key: 'k', path: 'p' }];
  test.each<[string, object[], string[]]>([
    ['of several sources', [{ secret: { name: 'a', items } }, { serviceAccountToken: { path: 'token' } }], []],
    [
      'on top of each other',
      [{ secret: { name: 'a', items } }, { configMap: { name: 'b', items } }],
      [`${at}.projected: Invalid value: "b": conflicting duplicate paths`],
    ],
    [
      'of a token that is too short',
      [{ serviceAccountToken: { path: 'token', expirationSeconds: 599 } }],
      [
        `${at}.projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes`,
      ],
    ],
    ['of a token without a path', [{ serviceAccountToken: {} }], [`${at}.projected.path: Required value`]],
  ])('%s', (_, sources, errors) => expect(errorsOf(projected(...sources))).toEqual(errors));
});

describe('claims', () => {
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const own = `${at}.ephemeral.volumeClaimTemplate`;
  test.each<[string, object[], string[]]>([
    ['of its own', [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } }], []],
    ['of its own, without a template', [{ name: 'v', ephemeral: {} }], [`${own}: Required value`]],
    [
      'of its own, with a name',
      [{ name: 'v', ephemeral: { volumeClaimTemplate: { metadata: { name: 'c' }, spec: claim } } }],
      [`${own}.metadata.name: Forbidden: cannot be set`],
    ],
    [
      'of its own, without room',
      [{ name: 'v', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } }],
      [`${own}.spec.resources[storage]: Required value`],
    ],
    [
      'of the name of the one that is made for another volume',
      [
        { name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } },
        { name: 'w', persistentVolumeClaim: { claimName: 'web-v' } },
      ],
      [
        'spec.volumes[1].persistentVolumeClaim.claimName: Invalid value: "web-v": must not reference a PVC that gets created for an ephemeral volume',
      ],
    ],
  ])('%s', (_, volumes, errors) => expect(errorsOf(...volumes)).toEqual(errors));
});
