/** What an embedded view tells the page around it. `terrarium:` begins each type. */
export type EmbedEvent =
  | { readonly type: 'terrarium:ready'; readonly view: string; readonly cluster: string }
  | { readonly type: 'terrarium:place'; readonly view: string; readonly path: string; readonly moment: string }
  | { readonly type: 'terrarium:connection'; readonly state: 'connecting' | 'open' | 'lost' | 'refused' };

/** What the page around may ask of it. */
export type EmbedRequest =
  | { readonly type: 'terrarium:show'; readonly view?: string; readonly moment?: string }
  | { readonly type: 'terrarium:token'; readonly token: string };

const VIEW = /^[a-z0-9-]{1,40}$/;
const TOKEN = /^tc_[\w.-]{1,500}$/;
const MAX_MOMENT = 100;

/** A message that is a request, each of its fields as it must be; undefined for any other. */
export function parseEmbedRequest(data: unknown): EmbedRequest | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, view, moment, token } = data as Record<string, unknown>;
  if (type === 'terrarium:token') return typeof token === 'string' && TOKEN.test(token) ? { type, token } : undefined;
  if (type !== 'terrarium:show') return undefined;
  if (view !== undefined && !(typeof view === 'string' && VIEW.test(view))) return undefined;
  if (moment !== undefined && !(typeof moment === 'string' && moment.length <= MAX_MOMENT)) return undefined;
  return { type, ...(view === undefined ? {} : { view }), ...(moment === undefined ? {} : { moment }) };
}

/**
 * The one origin that is spoken to, from ?origin=. The policy of the page lets only those of EMBED_ORIGINS frame it,
 * and the browser delivers a message only when the page around is of the origin named.
 */
export function originOf(search: string): string | undefined {
  const asked = new URLSearchParams(search).get('origin') ?? '';
  return URL.canParse(asked) && new URL(asked).origin === asked && asked !== 'null' ? asked : undefined;
}
