import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { isAlpine } from '../../../tools/framework/tool.js';
import { LATEST, versionText } from './lines.js';

/** By the image's PG_VERSION: '17.7-1.pgdg13+2' is 17.7. */
export const versionOf = (sys: Syscalls): string => /\d+(?:\.\d+)*/.exec(sys.env['PG_VERSION'] ?? '')?.[0] ?? LATEST;
export const versionLine = (sys: Syscalls): string => versionText(versionOf(sys), isAlpine(sys));
