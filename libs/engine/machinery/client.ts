import type { Kind } from './kind.js';
import type { Reader, Writer } from './reader.js';

export type { Reader, Writer } from './reader.js';
export type { User } from './requests/user.js';
export type { WriteContext } from './write-context.js';

/**
 * How every component reaches the API server, as one user and for one cause. Models controller-runtime's client.Client.
 */
export interface Client extends Reader, Writer {
  /** The kind, built-in or of a CRD, that an owner reference or a scale target names; undefined when none is served. */
  kindFor(apiVersion: string, kind: string): Kind | undefined;
  /** Every kind that is served, each in one version only. */
  allKinds(): readonly Kind[];
}
