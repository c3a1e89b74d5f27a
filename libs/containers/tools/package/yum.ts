import { defineTool } from '../framework/tool.js';

/** A closed network: no mirror can be resolved. */
export const yum = defineTool((tool) => {
  const [command] = tool.args.filter((word) => !word.startsWith('-'));
  const isKnown = ['install', 'update', 'upgrade', 'makecache', 'search', 'check-update', 'remove', 'list', 'info'];
  if (command === undefined || !isKnown.includes(command)) {
    tool.err(`No such command: ${command ?? ''}. Please use ${tool.name} --help\n`);
    return 1;
  }
  if (tool.sys.user !== 0 && command !== 'list' && command !== 'search') {
    tool.err('Error: This command has to be run with superuser privileges (under the root user on most systems).\n');
    return 1;
  }
  tool.err("Errors during downloading metadata for repository 'baseos':\n");
  tool.err(
    "  - Curl error (6): Couldn't resolve host name for https://mirrors.fedoraproject.org/ [Could not resolve host: mirrors.fedoraproject.org]\n",
  );
  tool.err(
    "Error: Failed to download metadata for repo 'baseos': Cannot prepare internal mirrorlist: Curl error (6): Couldn't resolve host name\n",
  );
  return 1;
});
