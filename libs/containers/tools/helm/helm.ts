import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { FilterContext } from '../framework/filter.js';
import { defineClient } from '../kubectl/client.js';
import { HelpText } from '../kubectl/commands/index.js';
import { Flags } from '../kubectl/flags/flags.js';
import { PlainFailure } from '../kubectl/session/failure.js';
import { GLOBAL } from './commands/flags.js';
import { findCommand, TASKS } from './commands/index.js';
import { HelmFailure, messageOf } from './failure.js';
import { HELM_VERSION } from './version.js';

/** helm's flags by which a cluster is chosen, and kubectl's. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ 'kube-context': 'context', 'kube-token': 'token', 'kube-apiserver': 'server', 'kube-as-user': 'as' },
  ...{ 'kube-as-group': 'as-group', 'kube-insecure-skip-tls-verify': 'insecure-skip-tls-verify' },
};

/** Before what a command says when there is no cluster. */
const PREFIXES: Readonly<Record<string, string>> = { install: 'INSTALLATION FAILED: ', upgrade: 'UPGRADE FAILED: ' };

/** helm, on the client that kubectl has. */
export const helm = defineClient({
  agent: `Helm/${HELM_VERSION.slice(1)}`,
  flags: GLOBAL,
  tasks: TASKS,
  find: findCommand,
  settings: (flags) => {
    const given = new Map<string, readonly string[]>();
    for (const name of ['kubeconfig', 'namespace']) if (flags.has(name)) given.set(name, flags.all(name));
    for (const [own, name] of Object.entries(NAMES)) if (flags.has(own)) given.set(name, flags.all(own));
    return new Flags(given);
  },
  fail,
});

function fail(tool: FilterContext, error: unknown): number {
  if (error instanceof HelpText) {
    tool.out(bytesOf(error.text));
    return 0;
  }
  const message = messageOf(error);
  if (message !== undefined) {
    const words = tool.args.map((word) => textOf(word));
    const isLost = error instanceof PlainFailure && !(error instanceof HelmFailure);
    tool.err(bytesOf(`Error: ${isLost ? unreachable(words, message) : message}\n`));
    return 1;
  }
  if (error instanceof SystemError) tool.err(bytesOf(`Error: ${error.message.toLowerCase()}\n`));
  else if (error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)
    tool.err(bytesOf(`Error: ${error.message}\n`));
  else throw error;
  return 1;
}

/** Models IsReachable's words, over what the client says. */
function unreachable(words: readonly string[], message: string): string {
  const command = words.find((word) => Object.hasOwn(PREFIXES, word)) ?? '';
  const installs = command === 'upgrade' && words.some((word) => word === '--install' || word === '-i');
  const prefix = installs ? '' : (PREFIXES[command] ?? '');
  const refused = /^The connection to the server (\S+) was refused/.exec(message)?.[1];
  const isSecure = /:(?:443|6443)$/.test(refused ?? '') || words.some((word) => word.endsWith(`https://${refused}`));
  const why =
    refused === undefined
      ? message.replace(/^Unable to connect to the server: /, '')
      : `Get "${isSecure ? 'https' : 'http'}://${refused}/version": dial tcp ${refused.replace('localhost', '127.0.0.1')}: connect: connection refused`;
  return `${prefix}Kubernetes cluster unreachable: ${why}`;
}
