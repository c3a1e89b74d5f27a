import type { Bytes } from '../../../engine/kernel/bytes.js';
import { bytesOf } from '../../../engine/kernel/bytes.js';
import { formatPackages, PACKAGES_FILE } from '../../../engine/node/host/packages/packages.js';
import { writeFile } from '../node/disk.js';
import { strerror, type ToolContext } from '../framework/tool.js';
import { writeWholeFile } from '../whole-file.js';
import { parseDeb, type Deb, type DebEntry } from './deb-format.js';
import { nodePackages } from './kubernetes.js';

const NOT_ROOT = 'dpkg: error: requested operation requires superuser privilege\n';

/** `dpkg -i` of files. Left out, and not said: what a package's own scripts do, and what it depends on. */
export function installFiles(tool: ToolContext, paths: readonly Bytes[]): number {
  if (tool.sys.user !== 0) {
    tool.err(NOT_ROOT);
    return 2;
  }
  if (paths.length === 0) {
    tool.err('dpkg: error: --install needs at least one package archive file argument\n');
    return 2;
  }
  for (const path of paths) {
    if (tool.sys.access(path, '')) continue;
    tool.err(`dpkg: error: cannot access archive '${path}': No such file or directory\n`);
    return 2;
  }
  const failed = paths.filter((path) => !installFile(tool, path));
  if (failed.length === 0) return 0;
  tool.err(`Errors were encountered while processing:\n${failed.map((path) => ` ${path}\n`).join('')}`);
  return 1;
}

function installFile(tool: ToolContext, path: Bytes): boolean {
  const fail = (why: string): false => {
    tool.err(`dpkg: error processing archive ${path} (--install):\n ${why}\n`);
    return false;
  };
  let bytes: Bytes;
  try {
    bytes = tool.input(path);
  } catch (error) {
    return fail(`cannot access archive: ${strerror(error)}`);
  }
  const deb = parseDeb(bytes);
  if ('problem' in deb) {
    tool.err(
      deb.problem === 'format'
        ? `dpkg-deb: error: '${path}' is not a Debian format archive\n`
        : `dpkg-deb: error: this simulation does not unpack '${deb.problem}'\n`,
    );
    return fail('dpkg-deb --control subprocess returned error exit status 2');
  }
  tool.sys.charge(bytes.length);
  return unpackDeb(tool, path, deb);
}

function unpackDeb(tool: ToolContext, path: Bytes, { name, version, entries }: Deb): boolean {
  const packages = nodePackages(tool);
  const old = packages.find((one) => one.name === name);
  if (!old) tool.out(`Selecting previously unselected package ${name}.\n`);
  tool.out('(Reading database ... 7592 files and directories currently installed.)\n');
  tool.out(`Preparing to unpack ${path} ...\n`);
  tool.out(`Unpacking ${name} (${version}) ${old ? `over (${old.version}) ` : ''}...\n`);
  for (const entry of entries) place(tool, entry);
  tool.out(`Setting up ${name} (${version}) ...\n`);
  const others = packages.filter((one) => one !== old);
  const known = [...others, { name, version, isHeld: false }].sort((a, b) => (a.name < b.name ? -1 : 1));
  writeFile(tool.sys, PACKAGES_FILE, bytesOf(formatPackages(known)));
  return true;
}

function place({ sys }: ToolContext, { entry, content }: DebEntry): void {
  const path = `/${entry.name.replace(/^(\.?\/)+/, '').replace(/\/$/, '')}`;
  if (path === '/' || path.split('/').includes('..')) return;
  const parts = path.split('/');
  for (let i = 2; i < parts.length; i++) {
    const folder = parts.slice(0, i).join('/');
    if (!sys.access(folder, '')) sys.makeDirectory(folder, 0o755);
  }
  if (entry.type === 'directory') {
    if (!sys.access(path, '')) sys.makeDirectory(path, entry.mode);
    return;
  }
  if (sys.access(path, '')) sys.unlink(path);
  if (entry.type === 'link') sys.symlink(entry.target, path);
  else writeWholeFile(sys, path, content, { mode: entry.mode });
}
