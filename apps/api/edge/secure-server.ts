import type { RequestListener, Server } from 'node:http';
import type { x509 } from '@terrarium/engine';
import {
  issueServerCertificate,
  loadAuthority,
  openDatabase,
  renewBeforeEnd,
  serverNames,
  type ServerCertificate,
  type Settings,
} from '@terrarium/platform';
import { createDualServer } from './http-and-https.js';

/** HTTP and HTTPS on one port, with a certificate that is renewed while the server runs. */
export interface SecureServer {
  readonly server: Server;
  /** Ends the renewing and the connections over TLS; the server's own close() does not know them. */
  close(): void;
}

/** The authority of the API's own certificate; none behind a proxy that ends TLS. */
export async function loadServerAuthority({ publicUrl, databaseUrl }: Settings): Promise<x509.Authority | undefined> {
  if (new URL(publicUrl).protocol === 'https:') return undefined;
  const database = openDatabase(databaseUrl);
  try {
    return await loadAuthority(database);
  } finally {
    await database.$disconnect();
  }
}

export function createSecureServer(
  handler: RequestListener,
  settings: Settings,
  authority: x509.Authority,
): SecureServer {
  const names = serverNames(settings);
  const issue = (now: number): ServerCertificate => issueServerCertificate(authority, names, now);
  const certificate = issue(Date.now());
  const { server, setCertificate, closeSecure } = createDualServer(handler, certificate);
  const stop = renewBeforeEnd(certificate, issue, setCertificate);
  const close = (): void => {
    stop();
    closeSecure();
  };
  return { server, close };
}
