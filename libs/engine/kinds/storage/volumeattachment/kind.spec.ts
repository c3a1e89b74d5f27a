import { expect, test } from '@jest/globals';
import { AGE, create, errorsOf, row } from '../../testing.js';
import { kind as VolumeAttachments } from './kind.js';

test('a VolumeAttachment names its parts', () =>
  expect(errorsOf(VolumeAttachments, { spec: {} })).toEqual([
    'spec.attacher: Required value',
    'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    expect.stringContaining('spec.nodeName: Invalid value: "": a lowercase RFC 1123 subdomain'),
  ]));

test('a VolumeAttachment prints', () =>
  expect(
    row(
      VolumeAttachments,
      create(VolumeAttachments, { spec: { attacher: 'd', nodeName: 'n', source: { persistentVolumeName: 'pv' } } }),
    ),
  ).toEqual({ Name: 'a', Attacher: 'd', PV: 'pv', Node: 'n', Attached: false, Age: AGE }));
