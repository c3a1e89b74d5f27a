import { stringify } from 'yaml';

/** How a user of one cluster is known to its API server: by a token, or by a certificate and its key (PEM). */
export type Credential = { readonly token: string } | { readonly certificate: string; readonly privateKey: string };

/** One context: a cluster, and a user in it. */
export interface Access {
  /** Of the cluster and the context; unique in a file. */
  readonly name: string;
  readonly server: string;
  /** Sent in TLS in place of the server's host name. */
  readonly tlsServerName?: string;
  /** PEM of the authority of the server's certificate; none when the system knows its issuer. */
  readonly authority?: string;
  readonly user: string;
  readonly credential: Credential;
}

const base64 = (pem: string): string => Buffer.from(pem).toString('base64');

/** A kubeconfig file (YAML) for an unmodified kubectl: a context for each cluster; the first is current. */
export const kubeconfig = (accesses: readonly Access[]): string =>
  stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: accesses.map((access) => ({ name: access.name, cluster: clusterOf(access) })),
      users: accesses.map((access) => ({ name: userName(access), user: userOf(access.credential) })),
      contexts: accesses.map((access) => ({
        name: access.name,
        context: { cluster: access.name, user: userName(access) },
      })),
      'current-context': accesses[0]?.name ?? '',
    },
    { lineWidth: 0, aliasDuplicateObjects: false },
  );

const userName = ({ user, name }: Access): string => `${user}@${name}`;

const clusterOf = ({ server, authority, tlsServerName }: Access): object => ({
  ...(authority ? { 'certificate-authority-data': base64(authority) } : {}),
  server,
  ...(tlsServerName ? { 'tls-server-name': tlsServerName } : {}),
});

const userOf = (credential: Credential): object =>
  'token' in credential
    ? { token: credential.token }
    : {
        'client-certificate-data': base64(credential.certificate),
        'client-key-data': base64(credential.privateKey),
      };

/** A name for each cluster that no other has: its own, or with its id where several share one. */
export function contextNames(clusters: readonly { readonly id: string; readonly name: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of clusters) counts.set(name, (counts.get(name) ?? 0) + 1);
  return clusters.map(({ id, name }) => (counts.get(name) === 1 ? name : `${name}-${id}`));
}
