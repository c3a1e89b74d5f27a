import type { IncomingMessage } from 'node:http';
import { ApiError, type BodyResponse } from '@terrarium/engine';
import { acceptTerminal } from '@terrarium/host';
import type { Upgrade, UpgradeRoute } from '../edge/upgrades.js';
import type { ClusterApi } from './cluster-api.js';
import { MAX_ID_LENGTH, type ClusterUrl } from './cluster-url.js';
import { serveUpgrade } from './serve-upgrade.js';

const PATH = /^\/v1\/clusters\/([^/?#]+)\/(?:namespaces\/([^/?#]+)\/pods|nodes)\/([^/?#]+)\/terminal(?:\?([^]*))?$/;
const DEFAULT_COMMAND = 'sh';

/**
 * /v1/clusters/<id>/namespaces/<namespace>/pods/<pod>/terminal: a terminal in a container for browsers
 * (docs/TERMINAL.md). It is the request `pods/exec` of the same user, with other messages, or `pods/attach`; of
 * nodes/<node>/terminal the request `nodes/shell`.
 */
export class TerminalUpgrades implements UpgradeRoute {
  constructor(private readonly api: ClusterApi) {}

  matches({ url = '' }: Pick<IncomingMessage, 'url'>): boolean {
    return execUrlOf(url) !== undefined;
  }

  async serve(upgrade: Upgrade): Promise<void> {
    const { gate, host } = this.api;
    const url = execUrlOf(upgrade.raw.url ?? '')!;
    await serveUpgrade(this.api, upgrade, {
      url,
      edgeOf: () => 'exec',
      isRefusal: (_context, response): response is BodyResponse => response.type === 'body',
      accept: (context, handshake, response, end) => {
        if (response.type !== 'session')
          throw new ApiError(400, 'BadRequest', 'a terminal is not served in this container');
        const command = host.session(url.id, response);
        // Also when the upgrade fails: the session is open already.
        handshake.socket.once('close', () => command.session?.close());
        gate.startStream(context, end);
        return acceptTerminal(handshake, command);
      },
    });
  }
}

/** The request to the cluster that a terminal stands for; undefined for other paths. */
export function execUrlOf(url: string): ClusterUrl | undefined {
  const [, escapedId = '', namespace, name, query = ''] = PATH.exec(url) ?? [];
  if (escapedId === '' || escapedId.length > MAX_ID_LENGTH) return undefined;
  const asked = new URLSearchParams(query);
  const isAttach = asked.get('attach') === 'true' && namespace !== undefined;
  const exec = isAttach ? attachedStreams(asked) : new URLSearchParams({ stdin: 'true', stdout: 'true', tty: 'true' });
  const container = asked.get('container');
  if (container && namespace !== undefined) exec.set('container', container);
  if (isAttach) return toUrl(escapedId, `namespaces/${namespace}/pods/${name}/attach`, exec);
  const command = asked.getAll('command').filter((argument) => argument !== '');
  // A node's own default is its login shell.
  if (command.length === 0 && namespace !== undefined) command.push(DEFAULT_COMMAND);
  for (const argument of command) exec.append('command', argument);
  const target = namespace === undefined ? `nodes/${name}/shell` : `namespaces/${namespace}/pods/${name}/exec`;
  return toUrl(escapedId, target, exec);
}

/** A container that has no terminal, or takes no input, is attached to without. */
function attachedStreams(asked: URLSearchParams): URLSearchParams {
  const isTty = asked.get('tty') !== 'false';
  return new URLSearchParams({
    ...(asked.get('stdin') === 'false' ? {} : { stdin: 'true' }),
    stdout: 'true',
    ...(isTty ? { tty: 'true' } : { stderr: 'true' }),
  });
}

function toUrl(escapedId: string, target: string, query: URLSearchParams): ClusterUrl | undefined {
  try {
    return { id: decodeURIComponent(escapedId), path: `/api/v1/${target}`, query: query.toString() };
  } catch {
    // No such escape: the client is answered 404.
    return undefined;
  }
}
