import { webChart } from './bitnami-web.js';

/** bitnami/apache. */
export const APACHE = webChart({
  name: 'apache',
  product: 'Apache',
  description:
    'Apache HTTP Server is an open-source HTTP server. The goal of this project is to provide a secure, efficient and extensible server that provides HTTP services in sync with the current HTTP standards.',
  keywords: ['apache', 'http', 'https', 'www', 'web', 'reverse proxy'],
  versions: [
    ['11.4.29', '2.4.65'],
    ['11.3.0', '2.4.63'],
    ['11.2.17', '2.4.62'],
    ['10.9.4', '2.4.59'],
  ],
  env: {
    APACHE_HTTP_PORT_NUMBER: 'containerPorts.http',
    APACHE_HTTPS_PORT_NUMBER: 'containerPorts.https',
  },
});
