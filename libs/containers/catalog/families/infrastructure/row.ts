import type { Server } from '../../../programs/server.js';
import type { FamilyBase } from '../family.js';

/** Names, the base of the files, the command, the exposed ports, how it behaves, and the user of its process. */
export type Row = readonly [
  names: string,
  base: FamilyBase,
  command: string,
  ports: readonly number[],
  server?: Server,
  user?: string,
];
