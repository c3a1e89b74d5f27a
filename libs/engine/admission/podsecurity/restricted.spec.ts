import { describe, expect, test } from '@jest/globals';
import type { PodSpec } from '../../api/core_v1.js';
import { detailText, evaluatePod, type Level } from './policy.js';

const c = (name: string, securityContext?: object, more: object = {}): object => ({
  name,
  image: 'x',
  ...(securityContext ? { securityContext } : {}),
  ...more,
});
const found = (level: Level, spec: object, version = 'latest', annotations: Record<string, string> = {}): string =>
  detailText(
    evaluatePod({ level, version }, { metadata: { annotations }, spec: { containers: [c('a')], ...spec } as PodSpec }),
  );

const GOOD = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
const POD = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
describe('restricted forbids', () => {
  test.each<[string, object, string]>([
    ['nothing of a careful pod', { securityContext: POD, containers: [c('a', GOOD)] }, ''],
    [
      'privilege escalation left open',
      { securityContext: POD, containers: [c('a', { capabilities: { drop: ['ALL'] } })] },
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)',
    ],
    [
      'capabilities kept or added',
      {
        securityContext: POD,
        containers: [c('a', { allowPrivilegeEscalation: false, capabilities: { add: ['CHOWN', 'NET_BIND_SERVICE'] } })],
      },
      'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "CHOWN" in securityContext.capabilities.add)',
    ],
    [
      'volumes of the host',
      {
        securityContext: POD,
        containers: [c('a', GOOD)],
        volumes: [
          { name: 'v', hostPath: {} },
          { name: 'w', nfs: {} },
          { name: 'x', emptyDir: {} },
        ],
      },
      'restricted volume types (volumes "v", "w" use restricted volume types "hostPath", "nfs")',
    ],
    [
      'root, by omission',
      {
        securityContext: { seccompProfile: POD.seccompProfile },
        containers: [c('a', GOOD), c('b', { ...GOOD, runAsNonRoot: true })],
      },
      'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)',
    ],
    [
      'root, on purpose',
      { securityContext: { ...POD, runAsNonRoot: false }, containers: [c('a', { ...GOOD, runAsNonRoot: false })] },
      'runAsNonRoot != true (pod and container "a" must not set securityContext.runAsNonRoot=false)',
    ],
    [
      'user 0',
      { securityContext: { ...POD, runAsUser: 0 }, containers: [c('a', GOOD)] },
      'runAsUser=0 (pod must not set runAsUser=0)',
    ],
    [
      'system calls left open',
      { securityContext: { runAsNonRoot: true }, containers: [c('a', GOOD)] },
      'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
  ])('%s', (_, spec, text) => expect(found('restricted', spec)).toBe(text));
});
