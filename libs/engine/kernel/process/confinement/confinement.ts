import type { Bytes } from '../../bytes.js';

/** A rule of a profile about files. */
export interface PathRule {
  /** With `?`, `*` (within a name), `**` and `[…]`. */
  readonly path: Bytes;
  /** Of 'r' and 'w'. */
  readonly access: string;
  readonly denies?: boolean;
}

/** What the security module confines a container's processes to, beside owners and modes. */
export interface Confinement {
  readonly name: Bytes;
  /** In complain mode nothing is denied. */
  readonly mode: 'enforce' | 'complain';
  readonly rules: readonly PathRule[];
  /** Files that no rule names may be written, too. */
  readonly allowsFiles: boolean;
  readonly deniesNetwork?: boolean;
  /** Capabilities that its processes may use, of those that they have: 'CHOWN'; absent: all. */
  readonly capabilities?: readonly Bytes[];
}
