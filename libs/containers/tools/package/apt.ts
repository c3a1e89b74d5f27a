import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { own } from '../../../engine/machinery/meta/object.js';
import { DEBIAN_PACKAGES } from '../../layers/debian-packages.js';
import type { ProgramList } from '../../layers/program-list.js';
import { readSmallFile } from '../accounts.js';
import { writeFile } from '../node/disk.js';
import { defineTool, type ToolContext } from '../framework/tool.js';
import { installFiles } from './dpkg-install.js';
import { packageSizeKB, unpack } from './install.js';
import {
  areKubernetes,
  installKubernetes,
  markPackages,
  nodePackages,
  printMadison,
  printPolicy,
  updateLine,
} from './kubernetes.js';

/** A release's servers, in the order in which apt asks them. */
function sourcesOf(tool: ToolContext): { readonly host: string; readonly lines: readonly string[] }[] {
  const release = readSmallFile(tool.sys, '/etc/os-release');
  const codeName = /^VERSION_CODENAME=(\S+)/m.exec(release)?.[1] ?? 'stable';
  if (/^ID=ubuntu/m.test(release)) {
    const archive = 'http://archive.ubuntu.com/ubuntu';
    return [
      { host: 'archive.ubuntu.com', lines: [`${archive} ${codeName} InRelease`] },
      { host: 'security.ubuntu.com', lines: [`http://security.ubuntu.com/ubuntu ${codeName}-security InRelease`] },
      {
        host: 'archive.ubuntu.com',
        lines: [`${archive} ${codeName}-updates InRelease`, `${archive} ${codeName}-backports InRelease`],
      },
    ];
  }
  const debian = 'http://deb.debian.org';
  const suites = [`debian ${codeName}`, `debian ${codeName}-updates`, `debian-security ${codeName}-security`];
  return [{ host: 'deb.debian.org', lines: suites.map((suite) => `${debian}/${suite} InRelease`) }];
}

/** A server that is asked beside the release's own once a line of /etc/apt/sources.list.d names it. */
const GVISOR_SOURCE = 'https://storage.googleapis.com/gvisor/releases';
const GVISOR_PACKAGES: Readonly<Record<string, readonly ProgramList[]>> = {
  runsc: ['/usr/bin node runsc', '/usr/bin gvisor containerd-shim-runsc-v1'],
};
const SOURCES_FOLDER = '/etc/apt/sources.list.d';

const isOfGvisor = (line: Bytes): boolean => line.startsWith('deb ') && line.includes(GVISOR_SOURCE);

function hasGvisorSource({ sys }: ToolContext): boolean {
  if (!sys.access(SOURCES_FOLDER, '')) return false;
  return sys
    .readDirectory(SOURCES_FOLDER)
    .some((name) => readSmallFile(sys, `${SOURCES_FOLDER}/${name}`).split('\n').some(isOfGvisor));
}

/** What a package brings; undefined: no server has it. */
const contentOf = (tool: ToolContext, name: string): readonly ProgramList[] | undefined =>
  own(DEBIAN_PACKAGES, name) ?? (hasGvisorSource(tool) ? own(GVISOR_PACKAGES, name) : undefined);

const NOT_ROOT =
  'E: Could not open lock file /var/lib/apt/lists/lock - open (13: Permission denied)\n' +
  'E: Unable to lock directory /var/lib/apt/lists/\n';
const NOT_ROOT_DPKG =
  'E: Could not open lock file /var/lib/dpkg/lock-frontend - open (13: Permission denied)\n' +
  'E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), are you root?\n';

const LISTS = '/var/lib/apt/lists';

/** `-qq` says nothing but errors. */
const say = (tool: ToolContext, text: string): void => {
  if (!tool.args.includes('-qq')) tool.out(text);
};

/** The archives answer as registries do: they are not part of the cluster's network. */
function update(tool: ToolContext): number {
  if (tool.sys.user !== 0) {
    tool.out('Reading package lists...\n');
    tool.err(NOT_ROOT);
    return 100;
  }
  const lines = sourcesOf(tool).flatMap((source) => source.lines);
  if (hasGvisorSource(tool)) lines.push(`${GVISOR_SOURCE} release InRelease`);
  let size = 0;
  lines.forEach((line, i) => {
    const kB = packageSizeKB(line);
    size += kB;
    say(tool, `Get:${i + 1} ${line} [${kB} kB]\n`);
    writeFile(tool.sys, `${LISTS}/${listName(line)}`, '');
  });
  const kubernetes = updateLine(tool);
  if (kubernetes)
    say(tool, `${kubernetes.failure === undefined ? 'Hit' : 'Err'}:${lines.length + 1} ${kubernetes.line}\n`);
  say(tool, `Fetched ${size} kB in 1s (${size} kB/s)\nReading package lists...\n`);
  if (kubernetes?.failure === undefined) return 0;
  tool.err(kubernetes.failure);
  return 100;
}

/** Models URItoFileName: 'http://deb.debian.org/debian trixie InRelease'. */
function listName(line: string): string {
  const [url = '', suite = ''] = line.split(' ');
  return `${url.replace(/^https?:\/\//, '')}/dists/${suite}/InRelease`.replaceAll('/', '_');
}

/** Without `apt-get update` an image knows of no package but its own. */
function hasLists({ sys }: ToolContext): boolean {
  try {
    return sys.readDirectory(LISTS).some((name) => name.endsWith('InRelease'));
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** Names of the packages that the image has, from /var/lib/dpkg/info. */
function installedPackages(tool: ToolContext): string[] {
  try {
    const names = tool.sys.readDirectory('/var/lib/dpkg/info').filter((name) => name.endsWith('.list'));
    return names.map((name) => name.slice(0, -'.list'.length));
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}

const baseName = (word: Bytes): string => word.replace(/[=/:].*/, '');

function install(tool: ToolContext, words: readonly Bytes[]): number {
  if (tool.sys.user !== 0) {
    tool.err(NOT_ROOT_DPKG);
    return 100;
  }
  if (areKubernetes(tool, words)) return installKubernetes(tool, words);
  const known = installedPackages(tool);
  const names = [...new Set(words.map(baseName))];
  say(tool, 'Reading package lists...\nBuilding dependency tree...\nReading state information...\n');
  const added = names.filter((name) => !known.includes(name));
  const missing = added.filter((name) => !hasLists(tool) || contentOf(tool, name) === undefined);
  if (missing.length > 0) {
    for (const name of missing) tool.err(`E: Unable to locate package ${name}\n`);
    if (hasLists(tool)) tool.err(`N: ${NOT_ALL}\n`);
    return 100;
  }
  for (const name of names.filter((one) => known.includes(one))) say(tool, `${name} is already the newest version.\n`);
  unpackAll(tool, added);
  return 0;
}

function unpackAll(tool: ToolContext, names: readonly string[]): void {
  if (names.length > 0) say(tool, `The following NEW packages will be installed:\n  ${names.join(' ')}\n`);
  say(tool, `0 upgraded, ${names.length} newly installed, 0 to remove and 0 not upgraded.\n`);
  if (names.length === 0) return;
  const size = names.reduce((sum, name) => sum + packageSizeKB(name), 0);
  say(tool, `Need to get ${size} kB of archives.\n`);
  say(tool, `After this operation, ${3 * size} kB of additional disk space will be used.\n`);
  const [first] = sourcesOf(tool)[0]!.lines;
  const archive = first!.replace(' InRelease', '/main');
  names.forEach((name, i) => say(tool, `Get:${i + 1} ${archive} amd64 ${name} amd64 [${packageSizeKB(name)} kB]\n`));
  say(tool, `Fetched ${size} kB in 0s (${2 * size} kB/s)\n`);
  for (const name of names) say(tool, `Selecting previously unselected package ${name}.\n`);
  for (const name of names) say(tool, `Unpacking ${name} ...\n`);
  for (const name of names) {
    unpack(tool, contentOf(tool, name)!);
    writeFile(tool.sys, `/var/lib/dpkg/info/${name}.list`, '/.\n');
    say(tool, `Setting up ${name} ...\n`);
  }
}

const NOT_ALL = 'The archives of this simulation have the packages whose programs it knows, and no others.';

function remove(tool: ToolContext, names: readonly Bytes[]): number {
  if (tool.sys.user !== 0) {
    tool.err(NOT_ROOT_DPKG);
    return 100;
  }
  const known = installedPackages(tool);
  const here = names.filter((name) => known.includes(name));
  tool.out('Reading package lists...\nBuilding dependency tree...\nReading state information...\n');
  if (here.length > 0) {
    tool.err(`E: Packages of an image cannot be removed in this simulation: ${here.join(' ')}\n`);
    return 100;
  }
  for (const name of names) tool.out(`Package '${name}' is not installed, so not removed\n`);
  tool.out('0 upgraded, 0 newly installed, 0 to remove and 0 not upgraded.\n');
  return 0;
}

const VERSION = 'apt 2.6.1 (amd64)\n';

function runApt(tool: ToolContext): number {
  const words = tool.args.filter((word) => !word.startsWith('-'));
  const [command, ...names] = words;
  if (tool.args.includes('--version') || tool.args.includes('-v')) {
    tool.out(VERSION);
    return 0;
  }
  switch (command) {
    case undefined:
    case 'help':
      tool.out(`${VERSION}Usage: ${tool.name} [options] command\n`);
      return command === undefined ? 1 : 0;
    case 'update':
      return update(tool);
    case 'install':
    case 'reinstall':
      return install(tool, names);
    case 'remove':
    case 'purge':
      return remove(tool, names);
    case 'upgrade':
    case 'dist-upgrade':
    case 'full-upgrade':
    case 'autoremove':
      return install(tool, []);
    case 'clean':
    case 'autoclean':
      return 0;
    case 'list':
      tool.out('Listing...\n');
      for (const { name, version } of nodePackages(tool)) tool.out(`${name}/now ${version} amd64 [installed,local]\n`);
      for (const name of installedPackages(tool)) tool.out(`${name}/now 1.0 amd64 [installed,local]\n`);
      return 0;
    case 'search':
      return 0;
    case 'madison':
      return printMadison(tool, names);
    case 'show':
    case 'policy':
      if (areKubernetes(tool, names)) return printPolicy(tool, names);
      for (const name of names) tool.err(`N: Unable to locate package ${name}\n`);
      if (names.length > 0) tool.err('E: No packages found\n');
      return names.length > 0 ? 100 : 0;
    default:
      tool.err(`E: Invalid operation ${command}\n`);
      return 100;
  }
}

export const aptGet = defineTool(runApt);

export const aptMark = defineTool(markPackages);

export const apt = defineTool((tool) => {
  if (!tool.sys.isTerminal(1)) {
    tool.err('\nWARNING: apt does not have a stable CLI interface. Use with caution in scripts.\n\n');
  }
  return runApt(tool);
});

const DPKG_HEAD = [
  'Desired=Unknown/Install/Remove/Purge/Hold',
  '| Status=Not/Inst/Conf-files/Unpacked/halF-conf/Half-inst/trig-aWait/Trig-pend',
  '|/ Err?=(none)/Reinst-required (Status,Err: uppercase=bad)',
  '||/ Name                 Version      Architecture Description',
  '+++-====================-============-============-=================================',
  '',
].join('\n');

export const dpkg = defineTool((tool) => {
  const [option, ...names] = tool.args;
  const versions = new Map(nodePackages(tool).map((one) => [one.name, one]));
  const known = [...installedPackages(tool), ...versions.keys()];
  if (option === '-l' || option === '--list') {
    const found = names.length === 0 ? known : names.filter((name) => known.includes(name));
    if (found.length > 0) tool.out(DPKG_HEAD);
    for (const name of found) {
      const { version = '1.0', isHeld = false } = versions.get(name) ?? {};
      tool.out(`${isHeld ? 'hi' : 'ii'}  ${name.padEnd(20)} ${version.padEnd(12)} amd64        \n`);
    }
    const missing = names.filter((name) => !known.includes(name));
    for (const name of missing) tool.err(`dpkg-query: no packages found matching ${name}\n`);
    return missing.length > 0 ? 1 : 0;
  }
  if (option === '-s' || option === '--status') {
    const missing = names.filter((name) => !known.includes(name));
    for (const name of names.filter((one) => known.includes(one)))
      tool.out(`Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\n`);
    for (const name of missing)
      tool.err(`dpkg-query: package '${name}' is not installed and no information is available\n`);
    return missing.length > 0 ? 1 : 0;
  }
  if (option === '--print-architecture') {
    tool.out('amd64\n');
    return 0;
  }
  if (option === '--version') {
    tool.out("Debian 'dpkg' package management program version 1.21.22 (amd64).\n");
    return 0;
  }
  if (option === '-i' || option === '--install') return installFiles(tool, names);
  tool.err(option === undefined ? 'dpkg: error: need an action option\n' : `dpkg: error: unknown option ${option}\n`);
  tool.err('\nType dpkg --help for help about installing and deinstalling packages [*];\n');
  return 2;
});
