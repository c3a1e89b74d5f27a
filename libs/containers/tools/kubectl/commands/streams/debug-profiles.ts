import type { KubeJson } from '../../session/session.js';

export interface ContainerSpec extends KubeJson {
  readonly name: string;
}

export interface PodSpec extends KubeJson {
  readonly containers?: readonly ContainerSpec[];
  readonly initContainers?: readonly ContainerSpec[];
  readonly ephemeralContainers?: readonly ContainerSpec[];
  readonly shareProcessNamespace?: boolean;
}

export const PROFILES: readonly string[] = ['legacy', 'general', 'baseline', 'restricted', 'netadmin', 'sysadmin'];

const HOST_NAMESPACES = { hostNetwork: true, hostPID: true, hostIPC: true };
const RESTRICTED = {
  ...{ runAsNonRoot: true, capabilities: { drop: ['ALL'] }, allowPrivilegeEscalation: false },
  seccompProfile: { type: 'RuntimeDefault' },
};

/** What a profile asks of the container, and of its pod. Models pkg/cmd/debug/profiles.go. */
export function applyProfile(
  profile: string,
  style: 'node' | 'copy' | 'ephemeral',
  spec: PodSpec,
  container: string,
): PodSpec {
  const shared =
    style === 'copy' && profile !== 'legacy' ? { shareProcessNamespace: spec.shareProcessNamespace ?? true } : {};
  const isOnHost = style === 'node' && ['legacy', 'general', 'sysadmin', 'netadmin'].includes(profile);
  const mounts = style === 'node' && ['legacy', 'general', 'sysadmin'].includes(profile);
  const change = (all: readonly ContainerSpec[] | undefined): readonly ContainerSpec[] | undefined =>
    all?.map((one) => {
      if (one.name !== container) return one;
      const { securityContext, ...rest } = one;
      const context = contextOf(profile, style, (securityContext ?? {}) as KubeJson);
      return {
        ...rest,
        ...(Object.keys(context).length > 0 ? { securityContext: context } : {}),
        ...(mounts ? { volumeMounts: [{ mountPath: '/host', name: 'host-root' }] } : {}),
      };
    });
  const containers = change(spec.containers);
  const ephemeralContainers = change(spec.ephemeralContainers);
  return {
    ...{ ...spec, ...shared, ...(isOnHost ? HOST_NAMESPACES : {}) },
    ...(containers ? { containers } : {}),
    ...(ephemeralContainers ? { ephemeralContainers } : {}),
    ...(mounts ? { volumes: [{ name: 'host-root', hostPath: { path: '/' } }] } : {}),
  };
}

function contextOf(profile: string, style: string, before: KubeJson): KubeJson {
  const adding = (...names: readonly string[]): KubeJson => {
    const { add = [], ...rest } = (before['capabilities'] ?? {}) as { add?: readonly string[] };
    return { ...before, capabilities: { ...rest, add: [...add, ...names] } };
  };
  switch (profile) {
    case 'general':
      return style === 'node' ? {} : adding('SYS_PTRACE');
    case 'baseline':
      return {};
    case 'restricted':
      return RESTRICTED;
    case 'netadmin':
      return adding('NET_ADMIN', 'NET_RAW');
    case 'sysadmin':
      return { ...before, privileged: true };
    default:
      return before;
  }
}
