import { stringify } from 'yaml';

/** A kubeconfig file (YAML) that an unmodified kubectl uses at once. */
export const kubeconfig = ({ name, server, token }: { name: string; server: string; token: string }): string =>
  stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server } }],
    users: [{ name: `kubernetes-admin@${name}`, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: `kubernetes-admin@${name}` } }],
    'current-context': name,
  });
