import { stringify } from 'yaml';

export interface Access {
  readonly name: string;
  readonly server: string;
  readonly token: string;
  /** PEM of the certificate that the server shows; none when the system knows its issuer. */
  readonly authority?: string;
}

/** A kubeconfig file (YAML) that an unmodified kubectl uses at once. */
export const kubeconfig = ({ name, server, token, authority }: Access): string =>
  stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name,
          cluster: {
            ...(authority ? { 'certificate-authority-data': Buffer.from(authority).toString('base64') } : {}),
            server,
          },
        },
      ],
      users: [{ name: `kubernetes-admin@${name}`, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: `kubernetes-admin@${name}` } }],
      'current-context': name,
    },
    { lineWidth: 0 },
  );
