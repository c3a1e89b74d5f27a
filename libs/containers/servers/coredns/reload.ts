import type { LoopTools, Start } from '../../../engine/node/cri/image.js';
import { hex, sha512 } from '../../../engine/machinery/crypto/sha256.js';
import { marshal } from '../go.js';
import type { Configuration } from './configuration.js';
import { CorefileFault, parseCorefile, type Token } from './corefile.js';

/** What the reload plug-in looks at. Models plugin/reload, and coredns/caddy's Restart. */
export interface Reloads {
  readonly path: string;
  /** The Corefile that the run began with. */
  readonly first: string;
  /** The Corefile of now; undefined: it is not there. */
  readonly text: string | undefined;
  /** Throws CorefileFault. */
  read(text: string): Configuration;
}

const OWN =
  /^\[(?:INFO\] (?:Reloading|plugin\/reload: )|ERROR\] (?:Restart failed: |plugin\/reload: )|WARNING\] plugin\/reload: )/;

/** SHA512 of a configuration as it is parsed: spaces and comments do not count, lines do. Throws CorefileFault. */
export function hashOf(text: string, path: string): string {
  const blocks = parseCorefile(text, path).map(({ keys, directives }) => {
    const tokens: Record<string, object[]> = {};
    for (const { name, tokens: own = [] } of directives) (tokens[name] ??= []).push(...own.map(fieldsOf));
    return { Keys: keys, Tokens: tokens };
  });
  return hex(sha512(marshal(blocks)));
}

const fieldsOf = ({ text, line }: Token): object => ({ File: '', Line: line, Text: text });

export const hashLine = (hash: string): string => `[INFO] plugin/reload: Running configuration SHA512 = ${hash}`;

/** What CoreDNS says of a Corefile that has changed. */
export function reloadLines(text: string, { path, read }: Pick<Reloads, 'path' | 'read'>): readonly string[] {
  let hash: string;
  try {
    hash = hashOf(text, path);
  } catch (error) {
    return [`[WARNING] plugin/reload: Corefile parse failed: ${messageOf(error)}`];
  }
  try {
    const { reloads } = read(text);
    return ['[INFO] Reloading', ...(reloads ? [hashLine(hash)] : []), '[INFO] Reloading complete'];
  } catch (error) {
    const message = messageOf(error);
    return [
      '[INFO] Reloading',
      `[ERROR] Restart failed: ${message}`,
      `[ERROR] plugin/reload: Corefile changed but reload failed: starting with listener file descriptors: ${message}`,
    ];
  }
}

function messageOf(error: unknown): string {
  if (error instanceof CorefileFault) return error.message;
  throw error;
}

/**
 * Logs that a Corefile was read again, once it has changed. What was said last tells what was read last.
 * Left out: that it takes until the next look, 30 to 45 s, and that a file that cannot be parsed is named at each.
 */
export function tendReloads({ at }: Pick<Start, 'at'>, reloads: Reloads, { logged = [], log }: LoopTools): void {
  const { text, first, path } = reloads;
  if (text === undefined) return;
  const said = logged.filter((line) => line.at >= at && OWN.test(line.text)).map((line) => line.text);
  if (said.length === 0 && (text === first || isSame(text, first, path))) return;
  const lines = reloadLines(text, reloads);
  const last = said.slice(-lines.length);
  if (last.length === lines.length && last.every((line, i) => line === lines[i])) return;
  log?.(lines);
}

function isSame(text: string, other: string, path: string): boolean {
  try {
    return hashOf(text, path) === hashOf(other, path);
  } catch (error) {
    if (error instanceof CorefileFault) return false;
    throw error;
  }
}
