import type { Image } from '@terrarium/engine';
import { file, joinLayers } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { nginxFiles } from '../nginx/files.js';
import { programImage } from './family.js';

const TAGS = /^\w[\w.-]*$/;
const FRONTEND = `# The identifier Backend is internal to nginx, and used to name this specific upstream
upstream Backend {
    # hello is the internal DNS name used by the backend Service inside Kubernetes
    server hello;
}

server {
    listen 80;

    location / {
        # The following statement will proxy traffic to the upstream named Backend
        proxy_pass http://Backend;
    }
}
`;
const RELOADER = '#!/bin/sh\nnginx -g "daemon off;"\n';

/** Images that the tutorials of Kubernetes' documentation bring. */
export const tutorials: readonly Image[] = [
  programImage({
    names: ['gcr.io/google-samples/hello-go-gke'],
    base: 'alpine',
    layersMB: [2.2, 74.1, 3.6],
    programs: { '/go/bin/app': 'apps:hello-go' },
    config: { exposedPorts: [80], cmd: ['/go/bin/app'], workingDir: '/go' },
  }),
  toolImage({
    ...{ names: ['gcr.io/google-samples/hello-frontend'], tags: TAGS, layersMB: [22.5, 21.9, 0.001] },
    files: joinLayers(nginxFiles('1.9'), { '/etc/nginx/conf.d/default.conf': file(FRONTEND) }),
    config: { exposedPorts: [80], cmd: ['nginx', '-g', 'daemon off;'], stopSignal: 'SIGQUIT' },
  }),
  // Left out: that it starts anew when its configuration changes.
  toolImage({
    ...{ names: ['bprashanth/nginxhttps'], tags: TAGS, layersMB: [51.4, 22.1, 9.4] },
    files: joinLayers(nginxFiles('1.9'), { '/home/auto-reload-nginx.sh': file(RELOADER, 0o755) }),
    config: { exposedPorts: [80, 443], cmd: ['/home/auto-reload-nginx.sh'] },
  }),
];
