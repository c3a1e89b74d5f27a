import { DEFAULT_VERSION } from '../../../engine/machinery/releases.js';

/** The client's own release. */
export const VERSION = DEFAULT_VERSION;
export const KUSTOMIZE_VERSION = 'v5.8.1';
