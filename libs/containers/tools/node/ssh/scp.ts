import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import type { FilterContext } from '../../framework/filter.js';
import { parseOptions } from '../../framework/options.js';
import { packFiles, pathExists, unpackFiles } from '../../sessions/copy-files.js';
import { defineSessionTool, type SessionCall } from '../../sessions/runtime-session.js';
import { trimEnd } from '../../sessions/trim-end.js';
import { ToolFailure } from '../../framework/tool.js';
import { commandOf, readDestination } from './ssh.js';

const OPTIONS = [
  ...['3', '4', '6', 'A', 'B', 'C', 'O', 'p', 'q', 'R', 'r', 's', 'T', 'v', 'c:', 'D:', 'F:', 'i:', 'J:', 'l:', 'o:'],
  ...['P:', 'S:', 'X:'],
];
const USAGE = `usage: scp [-346ABCOpqRrsTv] [-c cipher] [-D sftp_server_path] [-F ssh_config]
           [-i identity_file] [-J destination] [-l limit] [-o ssh_option]
           [-P port] [-S program] [-X sftp_option] source ... target
`;
const FAILED = 1;
/** How the script there says that it has told why it failed. */
const TOLD = 77;

/** scp between nodes, by tar over ssh. Models OpenSSH's scp(1). */
export const scp = defineSessionTool({
  begin,
  end(tool, { request, collected }, code) {
    if (code === TOLD) return FAILED;
    if (code !== 0) return code;
    const { prefix, target } = request as { prefix?: string; target?: string };
    if (prefix !== undefined && target !== undefined)
      unpackFiles(tool.sys, collected, prefix, target, { warn: (line) => tool.err(`scp: ${line}\n`), hint: 'tar' });
    return 0;
  },
  fail(tool, error) {
    if (!(error instanceof ToolFailure)) throw error;
    const isConnection = /^(?:connect to|Could not resolve)/.test(error.message);
    tool.err(isConnection ? `ssh: ${error.message}\r\nscp: Connection closed\r\n` : `scp: ${error.message}\n`);
    return FAILED;
  },
});

interface Place {
  readonly user: string;
  readonly host: string;
  readonly path: string;
}

/** `root@node01:/etc/hosts`, `node01:`; undefined: it is a file of this machine. */
function readPlace(text: string): Place | undefined {
  const found = /^([^/:]+):(.*)$/s.exec(text.replace(/^scp:\/\/([^/]+)\//, '$1:'));
  if (!found) return undefined;
  return { ...readDestination(found[1]!, undefined), path: found[2] === '' ? '.' : found[2]! };
}

function begin(tool: FilterContext): SessionCall | number {
  const options = parseOptions(tool, OPTIONS);
  const words = options.operands.map(textOf);
  if (words.length < 2) {
    tool.err(USAGE);
    return FAILED;
  }
  const port = options.value('P') ?? '22';
  const target = readPlace(words.at(-1)!);
  const sources = words.slice(0, -1);
  const remote = sources.map(readPlace).find((place) => place !== undefined);
  if (target && remote) throw new ToolFailure('copies between two other machines are not simulated');
  if (!target && !remote) throw new ToolFailure('copies within one machine are not simulated');
  if (sources.length > 1 && remote) throw new ToolFailure('several remote sources are not simulated');
  const { host } = (target ?? remote)!;
  if (port !== '22') throw new ToolFailure(`connect to host ${host} port ${port}: Connection refused`);
  return target
    ? upload(tool, sources, target, options.has('r'))
    : download(tool, remote!, words.at(-1)!, options.has('r'));
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
function baseOf(path: string): string {
  const whole = trimEnd(path, '/');
  return whole.slice(whole.lastIndexOf('/') + 1) || '.';
}
/** `~/x` is the home's, where every command begins. */
const fromHome = (path: string): string => path.replace(/^~\/?/, './');

function upload({ sys }: FilterContext, sources: readonly string[], target: Place, isDeep: boolean): SessionCall {
  for (const source of sources) {
    const path = bytesOf(trimEnd(source, '/'));
    if (!pathExists(sys, path)) throw new ToolFailure(`stat local "${source}": No such file or directory`);
    if (sys.stat(path).type === 'directory' && !isDeep)
      throw new ToolFailure(
        `local "${source}" is not a regular file\nscp: failed to upload file ${source} to ${target.path}`,
      );
  }
  const place = quote(fromHome(target.path));
  const one = quote(baseOf(sources[0]!));
  const isFolder = sources.length > 1 || target.path.endsWith('/');
  const missing = `scp: dest open ${JSON.stringify(target.path)}: No such file or directory\\nscp: failed to upload file ${sources[0]} to ${target.path}\\n`;
  const script = [
    `t=${place}`,
    'if [ -d "$t" ]; then exec tar -xf - -C "$t"; fi',
    `if ${isFolder} || ! [ -d "$(dirname "$t")" ]; then printf ${quote(missing)} >&2; cat > /dev/null; exit ${TOLD}; fi`,
    `d=$(mktemp -d) && tar -xf - -C "$d" && cat /dev/null && rm -rf "$t" && mv "$d"/${one} "$t" && rm -rf "$d"`,
  ].join('; ');
  const request = { host: target.host, command: commandOf(target.user, [script]) };
  return {
    operation: 'Ssh',
    request,
    stdin: true,
    tty: false,
    given: packFiles(
      sys,
      sources.map((source) => [bytesOf(trimEnd(source, '/')), bytesOf(baseOf(source))]),
    ),
  };
}

function download({ sys }: FilterContext, { user, host, path }: Place, to: string, isDeep: boolean): SessionCall {
  const place = quote(trimEnd(fromHome(path), '/'));
  const script = [
    `f=${place}`,
    `if ! [ -e "$f" ]; then printf ${quote(`scp: ${path}: No such file or directory\\n`)} >&2; exit ${TOLD}; fi`,
    ...(isDeep
      ? []
      : [`if [ -d "$f" ]; then printf ${quote(`scp: download ${path}: not a regular file\\n`)} >&2; exit ${TOLD}; fi`]),
    'cd "$(dirname "$f")" && exec tar -cf - "$(basename "$f")"',
  ].join('; ');
  const local = bytesOf(trimEnd(to, '/'));
  const isFolder = pathExists(sys, local) && sys.stat(local).type === 'directory';
  const base = bytesOf(baseOf(path));
  const request = {
    host,
    command: commandOf(user, [script]),
    prefix: base,
    target: isFolder ? `${local}/${base}` : local,
  };
  return { operation: 'Ssh', request, stdin: false, tty: false, collects: true };
}
