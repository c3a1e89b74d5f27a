import type { AppArmorProfile, Container, Pod } from '../../../api/core_v1.js';
import type { FileTree } from '../../../kernel/files/tree.js';
import { textOf } from '../../../kernel/bytes.js';
import type { Confinement } from '../../../kernel/process/confinement/confinement.js';
import { fileOfProfile, parseAppArmor, RUNTIME_PROFILE } from '../../host/apparmor.js';
import { resolveInTree } from '../volumemanager/tree-path.js';
import { parseProfile, SECCOMP_ROOT } from './seccomp.js';

const MAX_PROFILE_BYTES = 1 << 20;
const UNCONFINED: Confinement = { name: 'unconfined', mode: 'complain', rules: [], allowsFiles: true };

/**
 * Why a container cannot be created with the profiles of the node that it asks for, in containerd's words; undefined:
 * they are there. `diskOf` opens the node's disk. Models containerd's internal/cri/server/container_create_linux.go
 * (generateApparmorSpecOpts) and contrib/seccomp (WithProfile). What a seccomp profile forbids is in seccomp.ts.
 */
export function findProfileProblem(pod: Pod, container: Container, diskOf: () => FileTree): string | undefined {
  return findAppArmorProblem(pod, container, diskOf) ?? findSeccompProblem(pod, container, diskOf);
}

const appArmorOf = (pod: Pod, { securityContext }: Container): AppArmorProfile | undefined =>
  securityContext?.appArmorProfile ?? pod.spec.securityContext?.appArmorProfile;

/** The profile's name, when it is one that somebody has loaded into the node's kernel. */
function ownProfileOf(pod: Pod, container: Container): string | undefined {
  const profile = appArmorOf(pod, container);
  const name = profile?.type === 'Localhost' ? (profile.localhostProfile ?? '') : undefined;
  return name === RUNTIME_PROFILE ? undefined : name;
}

/**
 * What confines a container beside what confines each; undefined: nothing. `readFile`: of the node's disk. A privileged
 * container is not confined.
 */
export function confinementOf(
  pod: Pod,
  container: Container,
  readFile: (path: string) => string | undefined,
): Confinement | undefined {
  if (container.securityContext?.privileged) return undefined;
  if (appArmorOf(pod, container)?.type === 'Unconfined') return UNCONFINED;
  const name = ownProfileOf(pod, container);
  const text = name === undefined ? undefined : readFile(fileOfProfile(name));
  const parsed = text === undefined ? [] : parseAppArmor(text, '');
  const found = typeof parsed === 'string' ? undefined : parsed.find((one) => one.name === name);
  if (!found) return undefined;
  const { text: _text, ...confinement } = found;
  return confinement;
}

function findAppArmorProblem(pod: Pod, container: Container, diskOf: () => FileTree): string | undefined {
  const name = ownProfileOf(pod, container);
  if (name === undefined || resolveInTree(diskOf(), fileOfProfile(name)) !== undefined) return undefined;
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
