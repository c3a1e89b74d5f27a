import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { Forward, Look, ProxyRequest } from '../../proxy/proxy.js';
import type { Upstream } from './log-line.js';

/** What is kept of a request while another server has it: plain data. */
export type Note = {
  /** Who has it: the server of auth-url, one behind the Ingress or of the default backend, or one that makes pages. */
  phase: 'auth' | 'backend' | 'error';
  id: string;
  /** Of basic authentication. */
  user: string;
  /** Where limit-connections counts it; '': nowhere. */
  zone: string;
  isCanary: boolean;
  /** Set-Cookie headers that the answer gets. */
  cookies: string[];
  /** Headers that the server of auth-url wants the backend to have. */
  extra: Record<string, string>;
  name: string;
  alternative: string;
  tries: { address: string; length: number; took: number; status: number }[];
};

export const newNote = (look: Look, request: ProxyRequest): Note => ({
  ...{ phase: 'backend', id: idOf(look, request), user: '', zone: '', isCanary: false, cookies: [], extra: {} },
  ...{ name: '-', alternative: '', tries: [] },
});

/** The client's own, else 32 random digits. */
function idOf({ random }: Look, { headers }: ProxyRequest): string {
  const own = headers['x-request-id'];
  if (own) return own;
  const part = (): string =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0');
  return [part(), part(), part(), part()].join('');
}

export const noteOf = ({ note }: Forward): Note => note as unknown as Note;
export const asPlain = (note: Note): Plain => note as unknown as Plain;

export const upstreamOf = ({ name, alternative, tries }: Note): Upstream => ({ name, alternative, tries });
