import type { Program } from '../../../engine/kernel/process/program.js';
import type { Tool } from '../framework/tool.js';
import { blkid, lsblk, lscpu } from './hardware.js';
import { dumbInit, tini } from './init.js';
import { dmesg, lsof, sysctl } from './kernel.js';
import { kill, killall, pgrep, pidof, pkill } from './kill.js';
import { free, uptime, w } from './memory.js';
import { mount, mountpoint, su, umount } from './mount.js';
import { nsenter } from './nsenter.js';
import { ps } from './ps.js';
import { pstree } from './pstree.js';
import { top } from './top.js';

const PACKAGES: Readonly<Record<string, Readonly<Record<string, Tool>>>> = {
  procps: { free, kill, pgrep, pkill, ps, sysctl, top, uptime, w },
  psmisc: { killall, pstree },
  sysvinit: { pidof },
  mount: { mount, umount },
  'util-linux': { blkid, dmesg, lsblk, lscpu, mountpoint, nsenter },
  login: { su },
  lsof: { lsof },
  tini: { tini, 'dumb-init': dumbInit },
};
const NOT_IN_BUSYBOX = ['tini', 'dumb-init', 'blkid', 'lsblk', 'lscpu'];

/** Processes, memory, mounts and the kernel: by package and name, and as busybox' applets. */
export const programs: Readonly<Record<string, Program>> = Object.fromEntries(
  Object.entries(PACKAGES).flatMap(([name, tools]) =>
    Object.entries(tools).flatMap(([tool, program]): [string, Program][] => [
      [`${name}:${tool}`, program],
      ...(NOT_IN_BUSYBOX.includes(tool) ? [] : [[`busybox:${tool}`, program.as('busybox')] as [string, Program]]),
    ]),
  ),
);
