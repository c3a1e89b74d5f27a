import type { Container, Pod } from '../../../api/core_v1.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import { textOf } from '../../../kernel/bytes.js';
import { resolveInTree } from '../volumemanager/tree-path.js';
import { parseProfile, SECCOMP_ROOT } from './seccomp.js';

const MAX_PROFILE_BYTES = 1 << 20;
/** What containerd itself loads. */
const LOADED_PROFILES = new Set(['cri-containerd.apparmor.d']);

/**
 * Why a container cannot be created with the profiles of the node that it asks for, in containerd's words; undefined:
 * they are there. `diskOf` opens the node's disk. Models containerd's internal/cri/server/container_create_linux.go
 * (generateApparmorSpecOpts) and contrib/seccomp (WithProfile). What a seccomp profile forbids is in seccomp.ts; what
 * an AppArmor profile forbids is not enforced.
 */
export function findProfileProblem(pod: Pod, container: Container, diskOf: () => FileTree): string | undefined {
  return findAppArmorProblem(pod, container) ?? findSeccompProblem(pod, container, diskOf);
}

function findAppArmorProblem(pod: Pod, { securityContext }: Container): string | undefined {
  const profile = securityContext?.appArmorProfile ?? pod.spec.securityContext?.appArmorProfile;
  const name = profile?.type === 'Localhost' ? (profile.localhostProfile ?? '') : undefined;
  if (name === undefined || LOADED_PROFILES.has(name)) return undefined;
  return `failed to get container spec opts: failed to generate apparmor spec opts: apparmor profile not found ${name}`;
}

function findSeccompProblem(pod: Pod, { securityContext }: Container, diskOf: () => FileTree): string | undefined {
  const profile = securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile;
  if (profile?.type !== 'Localhost' || securityContext?.privileged) return undefined;
  const path = `${SECCOMP_ROOT}/${profile.localhostProfile ?? ''}`;
  const disk = diskOf();
  const problem = findReadProblem(disk, path);
  const key = problem === undefined ? resolveInTree(disk, path) : undefined;
  const parsed = key === undefined ? undefined : parseProfile(textOf(disk.read(key, 0, MAX_PROFILE_BYTES)));
  if (typeof parsed === 'string')
    return `failed to create containerd container: decoding seccomp profile failed: ${parsed}`;
  return (
    problem && `failed to create containerd container: cannot load seccomp profile ${JSON.stringify(path)}: ${problem}`
  );
}

/** Why a file cannot be read, in Go's words. */
function findReadProblem(disk: FileTree, path: string): string | undefined {
  const key = resolveInTree(disk, path);
  if (key === undefined) return `open ${path}: no such file or directory`;
  return disk.node(key)?.type === 'directory' ? `read ${path}: is a directory` : undefined;
}
