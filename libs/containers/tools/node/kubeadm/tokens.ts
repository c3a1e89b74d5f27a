import { textOf } from '../../../../engine/kernel/bytes.js';
import { parseBootstrapToken } from '../../../../engine/kinds/core/secret/bootstrap-token.js';
import { SECOND, type Millis } from '../../../../engine/machinery/time/time.js';
import { byOrder, REQUESTS, type HostRequest, type TokenRequest } from '../../../../engine/node/host/requests.js';
import { TOKENS_FILE, type TokenView } from '../../../../engine/node/host/views/tokens-view.js';
import type { ToolContext } from '../../framework/tool.js';
import { diskOf } from '../disk.js';
import { KubeadmFailure } from './failure.js';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** The API server has been told of what is older. */
const PENDING = 2 * SECOND;
const GROUPS = 'system:bootstrappers:kubeadm:default-node-token';

/** The bootstrap tokens, with what a command has asked for just now. */
export function bootstrapTokens(tool: ToolContext): TokenView[] {
  const stored = JSON.parse(textOf(diskOf(tool.sys).read(TOKENS_FILE) ?? '[]')) as TokenView[];
  const tokens = new Map(stored.map((one) => [one.token, one]));
  for (const { verb, token, expiration = '', description = '' } of pendingRequests(tool)) {
    if (verb === 'delete') tokens.delete(token);
    else if (!tokens.has(token))
      tokens.set(token, { token, expiration, usages: ['authentication', 'signing'], description, groups: GROUPS });
  }
  return [...tokens.values()].sort((a, b) => (a.token < b.token ? -1 : 1));
}

function pendingRequests({ sys }: ToolContext): TokenRequest[] {
  const disk = diskOf(sys);
  return [...disk.list(REQUESTS)]
    .sort(byOrder)
    .filter((name) => sys.now - sys.stat(`${REQUESTS}/${name}`).modified <= PENDING)
    .map((name) => JSON.parse(textOf(disk.read(`${REQUESTS}/${name}`) ?? '{}')) as HostRequest)
    .filter((request): request is TokenRequest => request.verb === 'create' || request.verb === 'delete');
}

/** Throws KubeadmFailure for what is no token. */
export function checkToken(given: string | undefined): void {
  if (given !== undefined && !parseBootstrapToken(given))
    throw new KubeadmFailure(
      `the bootstrap token "${given}" was not of the form "\\\\A([a-z0-9]{6})\\\\.([a-z0-9]{16})\\\\z"`,
    );
}

/** A random one. */
export function newToken({ sys }: ToolContext): string {
  const characters = Array.from({ length: 22 }, () => ALPHABET[Math.floor(sys.random() * ALPHABET.length)]!);
  return `${characters.slice(0, 6).join('')}.${characters.slice(6).join('')}`;
}

export const expirationAt = (at: Millis): string => new Date(at).toISOString().replace(/\.\d+/, '');
