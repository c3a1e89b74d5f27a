import type { Bytes } from '../../../engine/kernel/bytes.js';
import { bytesOf } from '../../../engine/kernel/bytes.js';
import { RELEASES } from '../../../engine/machinery/releases.js';
import { binaryPath, binarySize } from '../../../engine/node/host/packages/binaries.js';
import {
  formatPackages,
  type NodePackage,
  PACKAGES_FILE,
  packageVersion,
  parsePackages,
  RELEASE_PACKAGES,
  releaseOfPackage,
  repositoryOf,
} from '../../../engine/node/host/packages/packages.js';
import { readSmallFile } from '../accounts.js';
import { matchesGlob } from '../patterns/glob.js';
import { diskOf, writeFile } from '../node/disk.js';
import type { ToolContext } from '../framework/tool.js';

const SIZES_MB: Readonly<Record<string, number>> = { kubeadm: 12.4, kubectl: 11.5, kubelet: 12.9 };
const READING = 'Reading package lists... Done\nBuilding dependency tree... Done\nReading state information... Done\n';

/** The packages of Kubernetes' repository that a node has; none in an image. */
export const nodePackages = ({ sys }: ToolContext): NodePackage[] => parsePackages(readSmallFile(sys, PACKAGES_FILE));

/** Versions that the repository has, newest first; undefined: apt knows of no repository that has any. */
function availableVersions({ sys }: ToolContext): string[] {
  const minor = repositoryOf(diskOf(sys));
  return RELEASES.filter(({ gitVersion }) => gitVersion.startsWith(`${minor}.`))
    .map(({ gitVersion }) => packageVersion(gitVersion))
    .reverse();
}

const repositoryUrl = ({ sys }: ToolContext): string =>
  `https://pkgs.k8s.io/core:/stable:/${repositoryOf(diskOf(sys))}/deb`;

/** What `apt-get update` says of Kubernetes' repository; undefined: apt was told of none. */
export function updateLine(tool: ToolContext): { readonly line: string; readonly failure?: string } | undefined {
  const minor = repositoryOf(diskOf(tool.sys));
  if (minor === undefined) return undefined;
  const url = repositoryUrl(tool);
  if (availableVersions(tool).length > 0)
    return {
      line: `https://prod-cdn.packages.k8s.io/repositories/isv:/kubernetes:/core:/stable:/${minor}/deb  InRelease`,
    };
  return {
    line: `${url}  InRelease`,
    failure: `E: Failed to fetch ${url}/InRelease  403  Forbidden\nE: The repository '${url}  InRelease' is not signed.\n`,
  };
}

const isOfRelease = (name: string): boolean => (RELEASE_PACKAGES as readonly string[]).includes(name);

/** Whether all of these are packages of a node's that a release brings. */
export const areKubernetes = (tool: ToolContext, names: readonly Bytes[]): boolean =>
  names.length > 0 && nodePackages(tool).length > 0 && names.every((name) => isOfRelease(name.split('=', 1)[0]!));

/** Models apt-cache's madison. */
export function printMadison(tool: ToolContext, names: readonly Bytes[]): number {
  for (const name of names.filter(isOfRelease))
    for (const version of availableVersions(tool))
      tool.out(`${name.padStart(10)} | ${version.padStart(10)} | ${repositoryUrl(tool)}  Packages\n`);
  for (const name of names.filter((one) => !isOfRelease(one))) tool.err(`N: Unable to locate package ${name}\n`);
  return 0;
}

/** Models apt-cache's policy. */
export function printPolicy(tool: ToolContext, names: readonly Bytes[]): number {
  const versions = availableVersions(tool);
  for (const name of names) {
    const installed = nodePackages(tool).find((one) => one.name === name)?.version ?? '(none)';
    const rows = [...new Set([...versions, installed])].map((version) => {
      const isInstalled = version === installed;
      const source = versions.includes(version) ? `        500 ${repositoryUrl(tool)}  Packages\n` : '';
      return `${isInstalled ? ' *** ' : '     '}${version} ${source === '' ? 100 : 500}\n${source}${isInstalled ? '        100 /var/lib/dpkg/status\n' : ''}`;
    });
    tool.out(`${name}:\n  Installed: ${installed}\n  Candidate: ${versions[0] ?? installed}\n  Version table:\n`);
    tool.out(rows.join(''));
  }
  return 0;
}

interface Change {
  readonly name: string;
  readonly from: NodePackage;
  readonly to: string;
}

/** `apt-get install` of kubeadm, kubelet and kubectl. */
export function installKubernetes(tool: ToolContext, names: readonly Bytes[]): number {
  const has = (option: string): boolean => tool.args.includes(option);
  const isYes = has('-y') || has('--yes') || has('-qy') || has('-yq') || has('--assume-yes');
  tool.out(READING);
  const changes: Change[] = [];
  for (const word of names) {
    const [name = '', pattern] = word.split('=', 2);
    const versions = availableVersions(tool);
    const from = nodePackages(tool).find((one) => one.name === name);
    const to = pattern === undefined ? versions[0] : versions.find((one) => matchesGlob(pattern, one));
    if (to === undefined || from === undefined) {
      tool.err(
        pattern === undefined
          ? `E: Unable to locate package ${name}\n`
          : `E: Version '${pattern}' for '${name}' was not found\n`,
      );
      return 100;
    }
    if (pattern !== undefined)
      tool.out(
        `Selected version '${to}' (isv:kubernetes:core:stable:${repositoryOf(diskOf(tool.sys))}:pkgs.k8s.io [amd64]) for '${name}'\n`,
      );
    if (to === from.version) tool.out(`${name} is already the newest version (${to}).\n`);
    else changes.push({ name, from, to });
  }
  return carryOut(tool, changes, isYes, has);
}

function carryOut(
  tool: ToolContext,
  changes: readonly Change[],
  isYes: boolean,
  has: (option: string) => boolean,
): number {
  const isDown = ({ from, to }: Change): boolean => compareVersions(to, from.version) < 0;
  const held = changes.filter(({ from }) => from.isHeld);
  const list = (title: string, some: readonly Change[]): string =>
    some.length === 0 ? '' : `${title}\n  ${some.map(({ name }) => name).join(' ')}\n`;
  const down = changes.filter(isDown);
  const up = changes.filter((change) => !isDown(change));
  tool.out(list('The following held packages will be changed:', held));
  tool.out(list('The following packages will be upgraded:', up));
  tool.out(list('The following packages will be DOWNGRADED:', down));
  const downgraded = down.length > 0 ? `${down.length} downgraded, ` : '';
  tool.out(`${up.length} upgraded, 0 newly installed, ${downgraded}0 to remove and 0 not upgraded.\n`);
  if (changes.length === 0) return 0;
  const size = `${changes.reduce((sum, { name }) => sum + (SIZES_MB[name] ?? 0), 0).toFixed(1)} MB`;
  tool.out(`Need to get ${size} of archives.\nAfter this operation, 0 B of additional disk space will be used.\n`);
  const refuse = (what: string, option: string): number => {
    tool.err(`E: ${what} and -y was used without ${option}.\n`);
    return 100;
  };
  if (held.length > 0 && isYes && !has('--allow-change-held-packages'))
    return refuse('Held packages were changed', '--allow-change-held-packages');
  if (down.length > 0 && isYes && !has('--allow-downgrades'))
    return refuse('Packages were downgraded', '--allow-downgrades');
  const url = updateLine(tool)?.line.replace('  InRelease', '') ?? '';
  changes.forEach(({ name, to }, i) => tool.out(`Get:${i + 1} ${url}  ${name} ${to} [${SIZES_MB[name]} MB]\n`));
  tool.out(
    `Fetched ${size} in 1s (${size}/s)\n(Reading database ... 7592 files and directories currently installed.)\n`,
  );
  for (const { name, from, to } of changes)
    tool.out(
      `Preparing to unpack .../${name}_${to}_amd64.deb ...\nUnpacking ${name} (${to}) over (${from.version}) ...\n`,
    );
  for (const { name, to } of changes) tool.out(`Setting up ${name} (${to}) ...\n`);
  for (const { name, to } of changes) replaceBinary(tool, name, to);
  const versions = new Map(changes.map(({ name, to }) => [name, to]));
  store(tool, (one) => ({ ...one, version: versions.get(one.name) ?? one.version }));
  return 0;
}

/** A binary is known by its size: zeros stand for its content. */
function replaceBinary({ sys }: ToolContext, name: string, version: string): void {
  const found = RELEASE_PACKAGES.find((one) => one === name);
  if (found === undefined) return;
  const file = sys.open(binaryPath(name), { write: true, create: true, truncate: true }, 0o755);
  sys.truncate(file, binarySize(found, releaseOfPackage(version)));
  sys.close(file);
}

const store = (tool: ToolContext, change: (one: NodePackage) => NodePackage): void =>
  writeFile(tool.sys, PACKAGES_FILE, bytesOf(formatPackages(nodePackages(tool).map(change))));

/** Of versions like '1.36.4-1.1'. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => text.split(/[.-]/).map(Number)) as [number[], number[]];
  const at = left.findIndex((part, i) => part !== right[i]);
  return at < 0 ? 0 : left[at]! - (right[at] ?? 0);
}

/** `apt-mark` of the packages that a node has from Kubernetes' repository. */
export function markPackages(tool: ToolContext): number {
  const [verb = '', ...names] = tool.args.filter((word) => !word.startsWith('-'));
  const packages = nodePackages(tool);
  if (verb === 'showhold') {
    tool.out(
      packages
        .filter(({ isHeld }) => isHeld)
        .map(({ name }) => `${name}\n`)
        .join(''),
    );
    return 0;
  }
  if (verb === 'showmanual' || verb === 'showinstall') {
    tool.out(packages.map(({ name }) => `${name}\n`).join(''));
    return 0;
  }
  if (verb !== 'hold' && verb !== 'unhold') {
    tool.err(`E: Invalid operation ${verb}\n`);
    return 100;
  }
  if (tool.sys.user !== 0) {
    tool.err('E: Could not open lock file /var/lib/dpkg/lock - open (13: Permission denied)\n');
    return 100;
  }
  const missing = names.filter((name) => !packages.some((one) => one.name === name));
  for (const name of missing)
    tool.err(`E: Can't select installed nor candidate version from package '${name}' as it has neither of them\n`);
  if (missing.length > 0) return 100;
  const isHeld = verb === 'hold';
  for (const { name, isHeld: was } of packages.filter((one) => names.includes(one.name))) {
    if (was === isHeld) tool.out(`${name} was already ${isHeld ? '' : 'not '}on hold.\n`);
    else tool.out(isHeld ? `${name} set on hold.\n` : `Canceled hold on ${name}.\n`);
  }
  store(tool, (one) => (names.includes(one.name) ? { ...one, isHeld } : one));
  return 0;
}
