import { browserDomain } from './cluster-domains.js';
import type { Link, NewLink } from './link-nouns.js';
import type { Tokens } from '../identity/tokens/tokens.js';
import type { Caller } from '../identity/principal.js';
import { Refusal } from '../refusal.js';
import type { Settings } from '../settings.js';

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** RFC 1035: of a whole name. */
const MAX_NAME = 253;

/** Links that open what is in a cluster in a browser: a page of a pod, a Service, a node port, an Ingress. */
export class ClusterLinks {
  constructor(
    private readonly settings: Pick<Settings, 'publicUrl' | 'baseDomain'>,
    private readonly tokens: Pick<Tokens, 'create'>,
  ) {}

  /**
   * The host is a root of its own, so that a page there has its own origin, paths and storage. Its token opens what is
   * at that host and nothing else, and becomes a cookie of that host alone, which no script reads. Throws Refusal 400
   * where no name leads a browser here.
   */
  async create(caller: Caller, clusterId: string, { where, path, ttl }: NewLink): Promise<Link> {
    const origin = originOf(where, clusterId, this.settings);
    const url = new URL(path, origin);
    // Two slashes would begin another host.
    if (url.origin !== origin) throw new Refusal(400, `path: "${path}" leaves the host`);
    const { token, expiresAt } = await this.tokens.create(
      caller,
      clusterId,
      { scope: 'use', ttl, groups: [] },
      ADDRESS.test(where) ? where : where.toLowerCase(),
    );
    url.searchParams.set('terrarium_token', token);
    return { url: url.href, expiresAt };
  }
}

/** Throws Refusal 400. */
export function originOf(where: string, id: string, settings: Pick<Settings, 'publicUrl' | 'baseDomain'>): string {
  const domain = browserDomain(settings);
  if (domain === undefined)
    throw new Refusal(400, 'clusters have no host names that a browser finds here: BASE_DOMAIN is not set');
  const name = ADDRESS.test(where) ? where.replaceAll('.', '-') : where.toLowerCase();
  const host = `${name}.${id}.${domain}`;
  if (!name.split('.').every((label) => LABEL.test(label)) || host.length > MAX_NAME)
    throw new Refusal(400, `where: "${where}" has no host name of its own`);
  const { protocol, port } = new URL(settings.publicUrl);
  return `${protocol}//${host}${port && `:${port}`}`;
}
