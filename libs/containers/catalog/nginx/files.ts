import type { ImageFiles } from '../../../engine/kernel/files/file.js';
import { directory, file, joinLayers, link, readPrograms, withAccounts } from '../../layers/index.js';
import { debianOrAlpine, releaseOf, shareLayer, versionOf, withAlpinePackages, withDebianPackages } from '../bases.js';

export const LATEST = '1.29.4';

const STYLE =
  'html { color-scheme: light dark; }\nbody { width: 35em; margin: 0 auto;\nfont-family: Tahoma, Verdana, Arial, sans-serif; }';
const page = (title: string, body: string): string =>
  `<!DOCTYPE html>\n<html>\n<head>\n<title>${title}</title>\n<style>\n${STYLE}\n</style>\n</head>\n<body>\n${body}</body>\n</html>\n`;

export const WELCOME = page(
  'Welcome to nginx!',
  '<h1>Welcome to nginx!</h1>\n<p>If you see this page, the nginx web server is successfully installed and\nworking. Further configuration is required.</p>\n\n<p>For online documentation and support please refer to\n<a href="http://nginx.org/">nginx.org</a>.<br/>\nCommercial support is available at\n<a href="http://nginx.com/">nginx.com</a>.</p>\n\n<p><em>Thank you for using nginx.</em></p>\n',
);
export const ERROR = page(
  'Error',
  '<h1>An error occurred.</h1>\n<p>Sorry, the page you are looking for is currently unavailable.<br/>\nPlease try again later.</p>\n<p>If you are the system administrator of this resource then you should check\nthe error log for details.</p>\n<p><em>Faithfully yours, nginx.</em></p>\n',
);

const CONFIGURATION = `
user  nginx;
worker_processes  auto;

error_log  /var/log/nginx/error.log notice;
pid        /run/nginx.pid;


events {
    worker_connections  1024;
}


http {
    include       /etc/nginx/mime.types;
    default_type  application/octet-stream;

    log_format  main  '$remote_addr - $remote_user [$time_local] "$request" '
                      '$status $body_bytes_sent "$http_referer" '
                      '"$http_user_agent" "$http_x_forwarded_for"';

    access_log  /var/log/nginx/access.log  main;

    sendfile        on;
    #tcp_nopush     on;

    keepalive_timeout  65;

    #gzip  on;

    include /etc/nginx/conf.d/*.conf;
}
`;
const SERVER = `server {
    listen       80;
    listen  [::]:80;
    server_name  localhost;

    #access_log  /var/log/nginx/host.access.log  main;

    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }

    #error_page  404              /404.html;

    # redirect server error pages to the static page /50x.html
    #
    error_page   500 502 503 504  /50x.html;
    location = /50x.html {
        root   /usr/share/nginx/html;
    }
}
`;
const TYPES = `
types {
    text/html                                        html htm shtml;
    text/css                                         css;
    text/xml                                         xml;
    image/gif                                        gif;
    image/jpeg                                       jpeg jpg;
    application/javascript                           js;
    text/plain                                       txt;
    image/png                                        png;
    image/svg+xml                                    svg svgz;
    image/webp                                       webp;
    image/x-icon                                     ico;
    application/json                                 json;
    application/pdf                                  pdf;
    application/wasm                                 wasm;
    application/zip                                  zip;
    application/octet-stream                         bin exe dll;
    video/mp4                                        mp4;
}
`;
const SCRIPTS = ['10-listen-on-ipv6-by-default.sh', '20-envsubst-on-templates.sh', '30-tune-worker-processes.sh'];

/** The image nginx: its configuration, document root and entrypoint. */
export function nginxFiles(tag: string): ImageFiles {
  const base = debianOrAlpine(tag);
  const isSlim = tag.includes('slim');
  return shareLayer(`nginx ${releaseOf(base)}${isSlim ? ' slim' : ''}`, () => make(withPackages(base, tag)));
}

/** The alpine-slim variant alone has no curl. */
function withPackages(base: ImageFiles, tag: string): ImageFiles {
  if (!tag.includes('alpine')) return withDebianPackages(base, 'curl', 'gettext-base');
  return tag.includes('slim') ? base : withAlpinePackages(base, 'curl');
}

/** The entrypoint is a program here: it does what the image's script does. */
function entrypoint(): ImageFiles {
  const [node] = Object.values(readPrograms('/usr nginx docker-entrypoint.sh=nginx:entrypoint'));
  return node ? { '/docker-entrypoint.sh': { ...node, size: 1_620 } } : {};
}

function make(base: ImageFiles): ImageFiles {
  const files = joinLayers(
    base,
    readPrograms('/usr/sbin nginx nginx'),
    entrypoint(),
    Object.fromEntries(SCRIPTS.map((name) => [`/docker-entrypoint.d/${name}`, file('#!/bin/sh\nset -e\n', 0o755)])),
    {
      '/docker-entrypoint.d/15-local-resolvers.envsh': file('export NGINX_LOCAL_RESOLVERS\n', 0o755),
      '/etc/nginx/nginx.conf': file(CONFIGURATION),
      '/etc/nginx/conf.d/default.conf': file(SERVER),
      '/etc/nginx/mime.types': file(TYPES),
      '/etc/nginx/modules': link('/usr/lib/nginx/modules'),
      '/usr/lib/nginx/modules': directory(),
      '/usr/share/nginx/html/index.html': file(WELCOME),
      '/usr/share/nginx/html/50x.html': file(ERROR),
      '/var/cache/nginx': directory(),
      '/var/log/nginx/access.log': link('/dev/stdout'),
      '/var/log/nginx/error.log': link('/dev/stderr'),
    },
  );
  return withAccounts(files, [['nginx', 101, 101, 'nginx user', '/nonexistent', '/bin/false']], [['nginx', 101]]);
}

export const nginxVariables = (tag: string): Readonly<Record<string, string>> => ({
  NGINX_VERSION: versionOf(tag, LATEST),
});
