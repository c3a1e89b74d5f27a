import type { Texts } from '../../texts/texts.js';

export interface Example {
  readonly id: keyof Texts['overview']['examples'];
  readonly manifests: readonly object[];
}

const pod = (name: string, container: object): object => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } },
  spec: { containers: [{ name: 'main', ...container }] },
});
const labels = { app: 'web' };

/** What somebody new can let a cluster do with one click: something that runs, and what goes wrong most often. */
export const EXAMPLES: readonly Example[] = [
  {
    id: 'web',
    manifests: [
      {
        ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default', labels } },
        spec: {
          replicas: 3,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: 'nginx', image: 'nginx:1.27', ports: [{ containerPort: 80 }] }] },
          },
        },
      },
      {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default', labels } },
        spec: { selector: labels, ports: [{ port: 80 }] },
      },
    ],
  },
  {
    id: 'pending',
    manifests: [pod('too-large', { image: 'nginx:1.27', resources: { requests: { cpu: '64', memory: '1Gi' } } })],
  },
  { id: 'image', manifests: [pod('wrong-image', { image: 'nginx:no-such-tag' })] },
  {
    id: 'crash',
    manifests: [
      pod('crashes', {
        image: 'busybox:1.36',
        command: ['sh', '-c', 'echo starting; sleep 2; echo "fatal: DATABASE_URL is not set" >&2; exit 1'],
      }),
    ],
  },
];
