import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../accounts.js';

/** Debian 12 has 7.88.1; others are newer and word some failures otherwise. */
export const isOldCurl = (sys: Syscalls): boolean => /VERSION_ID="?12"?/.test(readSmallFile(sys, '/etc/os-release'));
export const curlVersion = (sys: Syscalls): string => (isOldCurl(sys) ? '7.88.1' : '8.14.1');
