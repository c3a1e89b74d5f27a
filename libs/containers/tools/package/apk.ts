import { readSmallFile } from '../accounts.js';
import { defineTool, type ToolContext } from '../tool.js';

/** A closed network: the repositories' indexes cannot be fetched. */
function fetchIndexes(tool: ToolContext): number {
  const repositories = readSmallFile(tool.sys, '/etc/apk/repositories').split('\n').filter(Boolean);
  for (const url of repositories) {
    tool.out(`fetch ${url}/x86_64/APKINDEX.tar.gz\n`);
    tool.err(`WARNING: updating and opening ${url}: temporary error (try again later)\n`);
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
  const missing = names.filter((name) => !worldOf(tool).includes(name.replace(/[=<>~].*/, '')));
  if (missing.length === 0) {
    tool.out(`OK: 8 MiB in ${worldOf(tool).length} packages\n`);
    return 0;
  }
  tool.err('ERROR: unable to select packages:\n');
  for (const name of missing) tool.err(`  ${name} (no such package):\n    required by: world[${name}]\n`);
  return missing.length;
}

export const apk = defineTool((tool) => {
  const [command, ...names] = tool.args.filter((word) => !word.startsWith('-'));
  switch (command) {
    case 'update': {
      if (tool.sys.user !== 0) return add(tool, names);
      const count = fetchIndexes(tool);
      tool.err(`${count} unavailable, 0 stale; 25 distinct packages available\n`);
      return count;
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
