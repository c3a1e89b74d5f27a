import type { Program } from '../../../engine/kernel/process/program.js';
import { openssl } from './openssl.js';

/** By package and name. */
export const programs: Readonly<Record<string, Program>> = { 'openssl:openssl': openssl };
