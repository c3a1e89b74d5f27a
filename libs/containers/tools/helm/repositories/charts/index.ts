import { APACHE } from './apache.js';
import { ARGO_CD } from './argo-cd/chart.js';
import type { BundledRepository } from './bundled.js';
import { INGRESS_NGINX } from './ingress-nginx.js';
import { METRICS_SERVER } from './metrics-server.js';
import { NGINX } from './nginx.js';

/** Public repositories that are known here, though the network is closed. */
export const REPOSITORIES: readonly BundledRepository[] = [
  {
    url: 'https://charts.bitnami.com/bitnami',
    oci: 'oci://registry-1.docker.io/bitnamicharts',
    charts: [NGINX, APACHE],
  },
  { url: 'https://kubernetes-sigs.github.io/metrics-server', oci: '', charts: [METRICS_SERVER] },
  { url: 'https://kubernetes.github.io/ingress-nginx', oci: '', charts: [INGRESS_NGINX] },
  { url: 'https://argoproj.github.io/argo-helm', oci: 'oci://ghcr.io/argoproj/argo-helm', charts: [ARGO_CD] },
];
