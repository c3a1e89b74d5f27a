import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { DEFAULT_VERSION } from '../../../engine/machinery/releases.js';
import { installedRelease } from '../../../engine/node/host/packages/packages.js';
import { diskOf } from '../node/disk.js';

/** The client's own release. */
export const VERSION = DEFAULT_VERSION;
export const KUSTOMIZE_VERSION = 'v5.8.1';

/** The release of the client: of its package, where one is installed. */
export const clientVersion = (sys: Syscalls): string => installedRelease(diskOf(sys), 'kubectl') ?? VERSION;

/** The User-Agent of its requests. */
export const AGENT = `kubectl/${VERSION} (linux/amd64) kubernetes`;
