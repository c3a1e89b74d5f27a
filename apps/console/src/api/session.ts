import { closeConnection, graphql } from './connection.js';
import { type Failure, toFailure } from './failure.js';
import { fetchPage, rest } from './rest.js';
import { createStore } from './store.js';

export interface Session {
  readonly kind: 'key' | 'operator';
  readonly scope: 'read' | 'use' | 'manage' | 'operate';
  readonly userName?: string;
  readonly expiresAt?: string;
}

export type SessionState =
  | { readonly state: 'asking' }
  | { readonly state: 'out'; readonly failure?: Failure }
  | { readonly state: 'in'; readonly session: Session };

export const session = createStore<SessionState>({ state: 'asking' });

const UNAUTHORIZED = 401;
const LINK = /^#sign-in=(tl_[\w-]+)$/;

/** Signs in by the link of the page's URL when there is one, else looks whether the browser is signed in. */
export async function begin(): Promise<void> {
  const [, link] = LINK.exec(location.hash) ?? [];
  if (link) {
    // Before anything else: what is in the address bar may be copied, and kept in the history.
    history.replaceState(history.state, '', location.pathname + location.search);
    if (await tryLink(link)) return;
  }
  // Whoever is signed in needs the connection next: it is made while the answer is on its way.
  graphql();
  try {
    session.set({ state: 'in', session: await rest<Session>('GET', '/v1/session') });
  } catch (error) {
    closeConnection();
    const failure = toFailure(error);
    session.set({ state: 'out', failure: failure.status === UNAUTHORIZED && !link ? undefined : failure });
  }
}

/** A link that was used already may be this browser's own, loaded again. */
async function tryLink(link: string): Promise<boolean> {
  try {
    await signIn(link);
    return true;
  } catch {
    // Whoever is not signed in is told so.
    return false;
  }
}

/** Exchanges a key or a link for a session; the page keeps neither. Rejects with Failure. */
export async function signIn(credential: string): Promise<void> {
  const headers = { authorization: `Bearer ${credential.trim()}` };
  const response = await fetchPage('/v1/session', { method: 'POST', headers });
  closeConnection();
  session.set({ state: 'in', session: (await response.json()) as Session });
}

export async function signOut(): Promise<void> {
  await rest('DELETE', '/v1/session');
  closeConnection();
  session.set({ state: 'out' });
}

/** Whether the buttons that change something are there; the server refuses them in any case. */
export const mayWrite = (now: SessionState): boolean =>
  now.state === 'in' && (now.session.scope === 'use' || now.session.scope === 'manage');
