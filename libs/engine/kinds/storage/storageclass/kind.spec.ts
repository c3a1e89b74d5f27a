import { describe, expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row, updateErrors } from '../../testing.js';
import { kind as StorageClasses } from './kind.js';

describe('a StorageClass', () => {
  const provisioner = 'ebs.csi.aws.com';
  test.each<[object, string[]]>([
    [{}, ['provisioner: Required value']],
    [
      { provisioner, reclaimPolicy: 'Recycle' },
      ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    ],
    [
      { provisioner, volumeBindingMode: 'Later' },
      ['volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"'],
    ],
    [{ provisioner, parameters: { '': 'x' } }, ['parameters: Invalid value: "": field can not be empty.']],
    [{ provisioner }, []],
  ])('of %j', (fields, errors) => expect(errorsOf(StorageClasses, { ...fields })).toEqual(errors));

  test('cannot change what volumes were made with', () =>
    expect(
      updateErrors(
        StorageClasses,
        { provisioner, parameters: { a: '1' } },
        {
          provisioner: 'b',
          parameters: { a: '2' },
          reclaimPolicy: 'Retain',
          volumeBindingMode: 'WaitForFirstConsumer',
        },
      ),
    ).toEqual([
      'parameters: Invalid value: {"a":"2"}: field is immutable',
      'provisioner: Invalid value: "b": field is immutable',
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ]));

  test('prints whether it is the default', () =>
    expect(
      row(
        StorageClasses,
        create(StorageClasses, {
          provisioner,
          metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        }),
      ),
    ).toEqual({
      Name: 'a (default)',
      Provisioner: provisioner,
      ReclaimPolicy: 'Delete',
      VolumeBindingMode: 'Immediate',
      AllowVolumeExpansion: false,
      Age: AGE,
    }));
});
