import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import { readSmallFile } from '../../tools/accounts.js';
import { findMaster, makeShimConfig } from './config.js';
import { daemon } from './daemon.js';
import { exists } from './files.js';
import { readFlags } from './flags.js';
import { writeWholeFile } from '../../tools/whole-file.js';

const CONFIG = '/etc/cni/net.d/multus.d/daemon-config.json';

/** As pkg/logging writes them. */
const line = (now: number, level: string, message: string): string =>
  `${new Date(now).toISOString().slice(0, 19)}Z [${level}] ${message}`;

/**
 * The daemon that does the work of multus-shim: here the container runtime itself does it, and the daemon's being there
 * is not asked for. Models multus-cni's cmd/multus-daemon. Left out: its socket, metrics, and following the other
 * network's file.
 */
export const thick: Program = daemon((args, sys) => {
  const path = readFlags(args).get('config', CONFIG);
  const say = (level: string, message: string): string => line(sys.now, level, message);
  if (!exists(sys, path))
    return {
      out: [],
      err: [
        say(
          'panic',
          `startMultusDaemon failed to load the CNI server configuration: open ${path}: no such file or directory`,
        ),
      ],
      code: 1,
    };
  const config = parse(textOf(readSmallFile(sys, path)));
  const text = (name: string, otherwise: string): string =>
    typeof config[name] === 'string' ? config[name] : otherwise;
  const net = text('cniConfigDir', '/etc/cni/net.d');
  const folder = text('multusAutoconfigDir', net);
  const started = say('verbose', 'multus-daemon started');
  const named = text('multusMasterCNI', '');
  const master = named === '' ? findMaster(sys.readDirectory(folder).map(textOf)) : named;
  const failed = (why: string): { out: string[]; err: string[]; code: number } => ({
    ...{ out: [], code: 2 },
    err: [started, say('error', `failed to create the configuration manager for the primary CNI plugin: ${why}`)],
  });
  if (master === undefined) return failed(`could not find a plugin configuration in ${folder}`);
  const file = `${folder}/${master}`;
  const made = makeShimConfig(file, textOf(readSmallFile(sys, file)), config);
  if ('error' in made) return failed(made.error);
  writeWholeFile(sys, `${net}/${made.file}`, bytesOf(made.text), { mode: 0o600 });
  return {
    out: [],
    err: [
      started,
      say('verbose', 'API readiness check'),
      say('verbose', 'API readiness check done!'),
      say('verbose', `Generated MultusCNI config: ${made.text}`),
      say('verbose', 'started to watch file ' + file),
    ],
  };
});

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
