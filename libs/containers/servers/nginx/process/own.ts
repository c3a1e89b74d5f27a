import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { Children } from '../../children.js';
import type { Running } from '../../serve.js';
import type { Directive } from '../configuration.js';

export type Mode = 'serve' | 'version' | 'test' | 'signal';

/** What the program knows. */
export type Own = {
  argv: Bytes[];
  file: Bytes;
  mode: Mode;
  signal: Bytes;
  configuration: Directive[];
  /** What is shown at ports of TLS. */
  hellos: Record<string, Plain>;
  written: number;
  startedAt: number;
  hasEntrypoint: boolean;
  ports: number[];
  isReady: boolean;
  /** Tries to get its ports that have failed. */
  tries: number;
  endsAt: number | null;
  workers: Children;
  /** Workers that are told to end, after a reload. */
  oldWorkers: number[];
  /** The user's problem with the command line. */
  problem: Bytes;
};

export type Server = Running<Own>;

/** Ends the program. */
export function fail(server: Server, message: Bytes): void {
  server.err(`${message}\n`);
  server.exit(1);
}
