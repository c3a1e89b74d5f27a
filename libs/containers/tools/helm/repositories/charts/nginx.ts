import { webChart } from './bitnami-web.js';

/** bitnami/nginx. */
export const NGINX = webChart({
  name: 'nginx',
  product: 'NGINX',
  description:
    'NGINX Open Source is a web server that can be also used as a reverse proxy, load balancer, and HTTP cache.',
  keywords: ['nginx', 'http', 'web', 'www', 'reverse proxy'],
  versions: [
    ['21.1.23', '1.29.1'],
    ['20.1.7', '1.28.0'],
    ['18.3.6', '1.27.4'],
    ['18.2.5', '1.27.2'],
    ['18.1.0', '1.27.0'],
    ['15.14.0', '1.25.4'],
  ],
  env: { NGINX_HTTP_PORT_NUMBER: 'containerPorts.http' },
});
