import type { Syscalls } from '../../engine/kernel/process/syscalls.js';
import { lookUp } from './lookup.js';

/** The IPv4 address of the own host name, as /etc/hosts has it: a pod's, and the node's on the node's network. */
export const ownAddress = (sys: Syscalls): string => lookUp(sys, sys.hostname, '4').addresses[0] ?? '127.0.0.1';
