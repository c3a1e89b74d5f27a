import { expect, test } from '@jest/globals';
import { runLine } from '../../testing/run-line.js';
import { kubectl } from '../kubectl.js';

const FILES = {
  '/base/kustomization.yaml': 'configMapGenerator: [{name: c, literals: [a=b]}]\n',
  '/base/pod.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n',
  '/over/nameless.yaml': 'apiVersion: v1\nkind: Pod\n',
};
const MISSING = (path: string): string => `evalsymlink failure on '${path}' : lstat ${path}: no such file or directory`;
const TARGET = 'Pod.v1.[noGrp]/z.[noNs]';

// In the words that kubectl prints for these files.
test.each([
  ['foo: 1', 'invalid Kustomization: json: unknown field "foo"'],
  ['patches: [{target: {foo: x}}]', 'invalid Kustomization: json: unknown field "foo"'],
  [
    'resources: ../base',
    'invalid Kustomization: json: cannot unmarshal string into Go struct field Kustomization.resources of type []string',
  ],
  [
    'images: [{name: x, newTag: 1}]',
    'invalid Kustomization: json: cannot unmarshal number into Go struct field Image.images.newTag of type string',
  ],
  ['', 'kustomization.yaml is empty'],
  [
    '{kind: Foo, namespace: a}',
    'Failed to read kustomization file under /over:\nkind should be Kustomization or Component',
  ],
  [
    'resources: [none.yaml]',
    `accumulating resources: accumulation err='accumulating resources from 'none.yaml': ${MISSING('/over/none.yaml')}': must build at directory: not a valid directory: ${MISSING('/over/none.yaml')}`,
  ],
  [
    'resources: [../base/pod.yaml]',
    "accumulating resources: accumulation err='accumulating resources from '../base/pod.yaml': security; file '/base/pod.yaml' is not in or below '/over'': must build at directory: '/base/pod.yaml': file is not directory",
  ],
  [
    'resources: [nameless.yaml]',
    "accumulating resources: accumulation err='accumulating resources from 'nameless.yaml': missing metadata.name in object {{v1 Pod} {{ } map[] map[]}}': must build at directory: '/over/nameless.yaml': file is not directory",
  ],
  [
    'resources: [.]',
    "accumulating resources: accumulation err='accumulating resources from '.': '/over' must resolve to a file': cycle detected: candidate root '/over' contains visited root '/over'",
  ],
  [
    'resources: [../base, ../base]',
    "accumulating resources: accumulation err='accumulating resources from '../base': '/base' must resolve to a file': recursed merging from path '/base': may not add resource with an already registered id: ConfigMap.v1.[noGrp]/c.[noNs]",
  ],
  [
    'components: [../base]',
    "accumulating components: accumulateDirectory: \"expected kind 'Component' for path '/base' but got 'Kustomization'\"",
  ],
  [
    '{resources: [../base], patches: [{patch: "{apiVersion: v1, kind: Pod, metadata: {name: z}}"}]}',
    `no resource matches strategic merge patch "${TARGET}": no matches for Id ${TARGET}; failed to find unique target for patch ${TARGET}`,
  ],
  ['patches: [{patch: "- op: add"}]', 'must specify a target for JSON patch [patch: "- op: add"]'],
  [
    '{resources: [../base], replicas: [{name: x, count: 1}]}',
    'resource with name x does not match a config with the following GVK [Deployment.[noVer].[noGrp] StatefulSet.[noVer].[noGrp] ReplicaSet.[noVer].[noGrp] ReplicationController.[noVer].[noGrp]]',
  ],
  [
    'configMapGenerator: [{name: c, literals: [a]}]',
    'loading KV pairs: literal sources [a]: invalid literal source a, expected key=value',
  ],
  [
    'resources: [https://github.com/a/b//base?ref=v1]',
    "accumulating resources: accumulation err='accumulating resources from 'https://github.com/a/b//base?ref=v1': failed to run '/usr/bin/git fetch --depth=1 https://github.com/a/b HEAD': fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com\n: exit status 128': failed to run '/usr/bin/git fetch --depth=1 https://github.com/a/b HEAD': fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com\n: exit status 128",
  ],
  [
    'configMapGenerator: [{name: c, literals: [a=b]}, {name: c, literals: [a=b]}]',
    `merging from generator &{0xc000766b60 <nil>}: id resid.ResId{Gvk:resid.Gvk{Group:"", Version:"v1", Kind:"ConfigMap", isClusterScoped:false}, Name:"c", Namespace:""} exists; can not use behavior: 'unspecified', behavior must be merge or replace`,
  ],
  ['replacements: [{path: x}]', 'the field replacements is not simulated'],
])('%s', (text, message) => {
  const files = { ...FILES, '/over/kustomization.yaml': text };
  expect(runLine({ kubectl }, 'kubectl kustomize over', files)).toEqual({
    ...{ stdout: '', stderr: `error: ${message}\n`, code: 1 },
  });
});
