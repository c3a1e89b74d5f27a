import { expect, test } from '@jest/globals';
import { podErrors, web } from '../testing.js';

const SECCOMP = 'seccomp.security.alpha.kubernetes.io/pod';
const APPARMOR = 'container.apparmor.security.beta.kubernetes.io';
const COST = 'controller.kubernetes.io/pod-deletion-cost';

test.each<[Record<string, string>, string[]]>([
  [{ [COST]: '-5', [SECCOMP]: 'localhost/a.json', [`${APPARMOR}/web`]: 'runtime/default' }, []],
  [
    { 'kubernetes.io/config.mirror': 'x' },
    [
      'metadata.annotations[kubernetes.io/config.mirror]: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set',
    ],
  ],
  [{ [COST]: 'cheap' }, [`metadata.annotations[${COST}]: Invalid value: "cheap": must be a 32bit integer`]],
  [{ [COST]: '+1' }, [`metadata.annotations[${COST}]: Invalid value: "+1": must be a 32bit integer`]],
  [{ [COST]: '4294967296' }, [`metadata.annotations[${COST}]: Invalid value: "4294967296": must be a 32bit integer`]],
  [
    { [SECCOMP]: 'strict' },
    [`metadata.annotations.${SECCOMP}: Invalid value: "strict": must be a valid seccomp profile`],
  ],
  [{ [SECCOMP]: 'localhost/../a' }, [`metadata.annotations.${SECCOMP}: Invalid value: "../a": must not contain '..'`]],
  [
    { [`${APPARMOR}/gone`]: 'unconfined' },
    [`metadata.annotations[${APPARMOR}/gone]: Invalid value: "gone": container not found`],
  ],
  [
    { [`${APPARMOR}/web`]: 'strict' },
    [`metadata.annotations[${APPARMOR}/web]: Invalid value: "strict": invalid AppArmor profile name: "strict"`],
  ],
])('annotations %j', (annotations, errors) =>
  expect(podErrors({ containers: [web] }, { annotations })).toEqual(errors),
);
