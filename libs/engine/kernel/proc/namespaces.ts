import type { Bytes } from '../bytes.js';

/** Namespaces by the inode of the host's own, PROC_*_INIT_INO; 0: of which the host has no fixed one. */
const NAMESPACES: Readonly<Record<string, number>> = {
  cgroup: 4026531835,
  ipc: 4026531839,
  mnt: 0,
  net: 0,
  pid: 4026531836,
  time: 4026531834,
  user: 4026531837,
  uts: 4026531838,
};
export const NAMESPACE_NAMES = Object.keys(NAMESPACES);
/** Of which the host has no fixed inode, it has one from here on. */
const FIRST_OF_HOST = 4026531840;
const FIRST_OF_OWN = 4026532200;

/**
 * What readlink says of /proc/PID/ns/NAME: an inode of the host's namespace, of the pod's own, or, `of` a pid, of
 * another pod's.
 */
export function namespaceLink(name: Bytes, isHosts: boolean, of = 0): Bytes | undefined {
  if (!Object.hasOwn(NAMESPACES, name)) return undefined;
  const index = NAMESPACE_NAMES.indexOf(name);
  const own = FIRST_OF_OWN + of * NAMESPACE_NAMES.length + index;
  return `${name}:[${isHosts ? NAMESPACES[name] || FIRST_OF_HOST + index : own}]`;
}
