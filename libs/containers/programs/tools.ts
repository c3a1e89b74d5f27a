import { programs as shells } from '../shell/index.js';
import { programs as archive } from '../tools/archive/index.js';
import { programs as awk } from '../tools/awk/index.js';
import { programs as coreutils } from '../tools/coreutils/index.js';
import { programs as jq } from '../tools/jq/index.js';
import { programs as network } from '../tools/network/index.js';
import { programs as packages } from '../tools/package/index.js';
import { programs as processes } from '../tools/process/index.js';
import { programs as text } from '../tools/text/index.js';

/** Programs that only start another one: a server behind them is still the server. */
const WRAPPERS = new Set(['tini', 'dumb-init']);

const rooms = [shells, archive, awk, coreutils, jq, network, packages, processes, text];

/** Last parts of the programs' names, 'ls' of 'coreutils:ls', and those that stand for one of several programs. */
const names: ReadonlySet<string> = new Set([
  'sh',
  'busybox',
  ...rooms
    .flatMap((room) => Object.keys(room))
    .map((name) => name.slice(name.indexOf(':') + 1))
    .filter((name) => !WRAPPERS.has(name)),
]);

/** A command line of a shell or of a tool, which is never the server that an image is there for. */
export const isTool = (argv: readonly string[]): boolean =>
  names.has(argv[0]?.slice(argv[0].lastIndexOf('/') + 1) ?? '');
