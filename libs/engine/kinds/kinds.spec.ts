import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = path.join(process.cwd(), 'libs/engine/kinds');

/** Folders of kinds that still lack their kind.spec.ts. None may be added. */
const WITHOUT_SPEC: readonly string[] = [
  'admissionregistration/mutatingadmissionpolicy',
  'admissionregistration/mutatingadmissionpolicybinding',
  'admissionregistration/mutatingwebhookconfiguration',
  'admissionregistration/validatingadmissionpolicy',
  'admissionregistration/validatingadmissionpolicybinding',
  'admissionregistration/validatingwebhookconfiguration',
  'apiextensions/customresourcedefinition',
  'authentication/selfsubjectreview',
  'authentication/tokenreview',
  'authorization/localsubjectaccessreview',
  'authorization/selfsubjectaccessreview',
  'authorization/selfsubjectrulesreview',
  'authorization/subjectaccessreview',
  'flowcontrol/flowschema',
  'flowcontrol/prioritylevelconfiguration',
  'networking/ingress',
  'networking/ingressclass',
  'networking/ipaddress',
  'networking/networkpolicy',
  'networking/servicecidr',
  'rbac/clusterrole',
  'rbac/clusterrolebinding',
  'rbac/role',
  'rbac/rolebinding',
  'resource/deviceclass',
  'resource/resourceclaim',
  'resource/resourceclaimtemplate',
  'resource/resourceslice',
  'storage/csidriver',
  'storage/csinode',
  'storage/csistoragecapacity',
  'storage/storageclass',
  'storage/volumeattachment',
  'storage/volumeattributesclass',
  'terrarium/clock',
  'terrarium/component',
  'terrarium/podruntime',
];

const folders = fs
  .readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => path.basename(file) === 'kind.ts')
  .map((file) => path.dirname(file));

test('there is a folder for each kind', () => expect(folders).toContain('core/pod'));

test('each kind has its kind.spec.ts', () =>
  expect(folders.filter((folder) => !fs.existsSync(path.join(ROOT, folder, 'kind.spec.ts'))).sort()).toEqual(
    [...WITHOUT_SPEC].sort(),
  ));
