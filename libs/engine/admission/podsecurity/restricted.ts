import {
  checkAddedCapabilities,
  checkRequired,
  findContainers,
  findSetters,
  hasOwnUsers,
  inContainers,
  plural,
  quote,
  sorted,
  withSubject,
  type Check,
  type PodLike,
} from './check.js';
import { checkSeccomp } from './seccomp.js';

const SAFE_VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);
const isWindows = ({ spec }: PodLike, minor: number): boolean => minor >= 25 && spec.os?.name === 'windows';
function checkVolumeTypes({ spec }: PodLike): string | undefined {
  const sourceOf = (volume: object): string => Object.keys(volume).find((k) => k !== 'name') ?? 'unknown';
  const bad = (spec.volumes ?? []).filter((v) => !SAFE_VOLUMES.has(sourceOf(v)));
  if (bad.length === 0) return undefined;
  const [names, types] = [bad.map((v) => v.name), sorted(bad.map(sourceOf))];
  return `${plural('volume', 'volumes', names)} ${quote(names)} ${plural('uses', 'use', names)} restricted volume ${plural('type', 'types', types)} ${quote(types)}`;
}

/** The checks that the level restricted adds, in upstream's order. Models pod-security-admission/policy/check_*.go. */
export const RESTRICTED_CHECKS: readonly Check[] = [
  {
    level: 'restricted',
    since: 8,
    reason: 'allowPrivilegeEscalation != false',
    detail: (pod, minor) =>
      isWindows(pod, minor)
        ? undefined
        : inContainers(
            findContainers(pod, (c) => c.securityContext?.allowPrivilegeEscalation !== false),
            'must set securityContext.allowPrivilegeEscalation=false',
          ),
  },
  {
    level: 'restricted',
    since: 22,
    reason: 'unrestricted capabilities',
    detail: (pod, minor) => {
      if (isWindows(pod, minor)) return undefined;
      const undropped = findContainers(pod, (c) => !c.securityContext?.capabilities?.drop?.includes('ALL'));
      return [
        inContainers(undropped, 'must set securityContext.capabilities.drop=["ALL"]'),
        checkAddedCapabilities(pod, (c) => c === 'NET_BIND_SERVICE'),
      ]
        .filter(Boolean)
        .join('; ');
    },
  },
  { level: 'restricted', since: 0, reason: 'restricted volume types', detail: checkVolumeTypes },
  {
    level: 'restricted',
    since: 0,
    reason: 'runAsNonRoot != true',
    detail: (pod) =>
      hasOwnUsers(pod)
        ? undefined
        : checkRequired(
            pod,
            (c) => c.runAsNonRoot === true,
            (c) => c.runAsNonRoot === false,
            (who) => `${who} must not set securityContext.runAsNonRoot=false`,
            'securityContext.runAsNonRoot=true',
          ),
  },
  {
    level: 'restricted',
    since: 23,
    reason: 'runAsUser=0',
    detail: (pod) =>
      hasOwnUsers(pod)
        ? undefined
        : withSubject(
            findSetters(pod, (c) => c.runAsUser === 0),
            'must not set runAsUser=0',
          ),
  },
  {
    level: 'restricted',
    since: 19,
    reason: 'seccompProfile',
    detail: (pod, minor) => (isWindows(pod, minor) ? undefined : checkSeccomp(pod, true)),
  },
];
