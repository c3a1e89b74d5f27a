import { own } from '../../../engine/machinery/meta/object.js';
import { ALPINE_PACKAGES } from '../../layers/alpine-packages.js';
import { readSmallFile } from '../accounts.js';
import { writeFile } from '../node/disk.js';
import { defineTool, type ToolContext } from '../framework/tool.js';
import { unpack } from './install.js';

/** The repositories answer as registries do: they are not part of the cluster's network. */
function fetchIndexes(tool: ToolContext): number {
  const repositories = readSmallFile(tool.sys, '/etc/apk/repositories').split('\n').filter(Boolean);
  for (const url of repositories) {
    tool.out(`fetch ${url}/x86_64/APKINDEX.tar.gz\n`);
  }
  return repositories.length;
}

const worldOf = (tool: ToolContext): string[] => readSmallFile(tool.sys, '/etc/apk/world').split('\n').filter(Boolean);

function add(tool: ToolContext, names: readonly string[]): number {
  if (tool.sys.user !== 0) {
    tool.err(
      'ERROR: Unable to lock database: Permission denied\nERROR: Failed to open apk database: Permission denied\n',
    );
    return 99;
  }
  fetchIndexes(tool);
  const world = worldOf(tool);
  const wanted = [...new Set(names.map((name) => name.replace(/[=<>~@].*/, '')))].filter((one) => !world.includes(one));
  const missing = wanted.filter((name) => own(ALPINE_PACKAGES, name) === undefined);
  if (missing.length > 0) {
    tool.err('ERROR: unable to select packages:\n');
    for (const name of missing) tool.err(`  ${name} (no such package):\n    required by: world[${name}]\n`);
    return missing.length;
  }
  wanted.forEach((name, i) => {
    tool.out(`(${i + 1}/${wanted.length}) Installing ${name}\n`);
    unpack(tool, ALPINE_PACKAGES[name]!);
  });
  if (wanted.length > 0) {
    const all = [...world, ...wanted].sort();
    writeFile(tool.sys, '/etc/apk/world', all.map((name) => `${name}\n`).join(''));
    tool.out('Executing busybox-1.37.0-r30.trigger\n');
  }
  tool.out(`OK: ${8 + wanted.length} MiB in ${world.length + wanted.length} packages\n`);
  return 0;
}

export const apk = defineTool((tool) => {
  const [command, ...names] = tool.args.filter((word) => !word.startsWith('-'));
  switch (command) {
    case 'update': {
      if (tool.sys.user !== 0) return add(tool, names);
      fetchIndexes(tool);
      tool.out(`OK: ${Object.keys(ALPINE_PACKAGES).length} distinct packages available\n`);
      return 0;
    }
    case 'add':
      return add(tool, names);
    case 'upgrade':
      return add(tool, []);
    case 'info':
    case 'list': {
      const known = worldOf(tool);
      for (const name of names.length === 0 ? known : names.filter((one) => known.includes(one))) tool.out(`${name}\n`);
      return names.every((name) => known.includes(name)) ? 0 : 1;
    }
    case 'del': {
      const here = names.filter((name) => worldOf(tool).includes(name));
      for (const name of here) tool.err(`ERROR: ${name}: packages of an image cannot be removed in this simulation\n`);
      return here.length > 0 ? 1 : 0;
    }
    case 'search':
      fetchIndexes(tool);
      return 0;
    case undefined:
      tool.out('apk-tools 3.0.3, compiled for x86_64.\n\nusage: apk [<OPTIONS>...] COMMAND [<ARGUMENTS>...]\n');
      return 1;
    default:
      tool.err(`ERROR: '${command}' is not an apk command. See 'apk --help'.\n`);
      return 1;
  }
});
