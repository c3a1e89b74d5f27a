import type { Image } from '@terrarium/engine';
import { directory, file } from '../../layers/index.js';
import { programImage } from './family.js';

const VERSIONED = /^(latest|v?\d+(\.\d{1,3}){0,2})(-[\w.]+)?$/;
const isTwo = (tag: string): boolean => /^v?2/.test(tag);
const page = file('<html><body><p>Hello from the image.</p></body></html>\n');

/** What `cat server.js` shows: a server that does as the simulated one does. */
const BOOTCAMP_SOURCE = `var http = require('http');
var host = process.env.HOSTNAME;
var requests = 0;
var startTime;

var server = http.createServer(function (request, response) {
  response.setHeader('Content-Type', 'text/plain');
  response.writeHead(200);
  response.end('Hello Kubernetes bootcamp! | Running on: ' + host + ' | v=1\\n');
  console.log('Running On:', host, '| Total Requests:', ++requests,
    '| App Uptime:', (new Date() - startTime) / 1000, 'seconds', '| Log Time:', new Date());
});

server.listen(8080, function () {
  startTime = new Date();
  console.log('Kubernetes Bootcamp App Started At:', startTime, '| Running On: ', host, '\\n');
});
`;

/** Sample web servers of documentations and courses. */
export const samples: readonly Image[] = [
  programImage({
    names: ['gcr.io/google-samples/hello-app', 'us-docker.pkg.dev/google-samples/containers/gke/hello-app'],
    tags: VERSIONED,
    base: 'alpine',
    programs: (tag) => ({ '/hello-app': isTwo(tag) ? 'apps:hello-app-2' : 'apps:hello-app-1' }),
    config: { exposedPorts: [8080], cmd: ['/hello-app'], env: { PORT: '8080' } },
  }),
  programImage({
    names: ['gcr.io/google-samples/kubernetes-bootcamp', 'jocatalin/kubernetes-bootcamp'],
    // The tutorial rolls out v10, which is not there.
    tags: /^(latest|v[12])$/,
    base: 'debian-curl',
    layersMB: [51.7, 19.2, 42.5],
    programs: (tag) => ({ '/usr/local/bin/node': isTwo(tag) ? 'apps:bootcamp-2' : 'apps:bootcamp-1' }),
    more: { '/server.js': file(BOOTCAMP_SOURCE) },
    config: { exposedPorts: [8080], cmd: ['node', 'server.js'] },
  }),
  programImage({
    names: ['gcr.io/google-samples/node-hello'],
    tags: VERSIONED,
    base: 'debian-curl',
    layersMB: [51.7, 19.2, 42.5],
    programs: { '/usr/local/bin/node': 'apps:node-hello' },
    config: { exposedPorts: [8080], cmd: ['node', 'server.js'] },
  }),
  programImage({
    names: ['registry.k8s.io/hpa-example', 'k8s.gcr.io/hpa-example'],
    base: 'debian-curl',
    layersMB: [51.4, 41.2, 12.9],
    programs: { '/usr/local/bin/apache2-foreground': 'apps:php-apache' },
    more: {
      '/var/www/html': directory(),
      '/var/www/html/index.php': file(
        '<?php\n$x = 0.0001;\nfor ($i = 0; $i <= 1000000; $i++) {\n\t$x += sqrt($x);\n}\necho "OK!";\n?>\n',
      ),
    },
    config: { exposedPorts: [80], cmd: ['apache2-foreground'], workingDir: '/var/www/html' },
  }),
  programImage({
    names: ['hashicorp/http-echo'],
    programs: { '/http-echo': 'apps:http-echo' },
    config: { exposedPorts: [5678], entrypoint: ['/http-echo'] },
  }),
  programImage({
    names: [
      'registry.k8s.io/echoserver',
      'k8s.gcr.io/echoserver',
      'gcr.io/google_containers/echoserver',
      'registry.k8s.io/e2e-test-images/echoserver',
    ],
    base: 'debian',
    layersMB: [31.5, 12.4],
    programs: (tag) => ({ '/usr/local/bin/run.sh': tag === '1.4' ? 'apps:echoserver-1.4' : 'apps:echoserver' }),
    config: { exposedPorts: [8080], entrypoint: ['/usr/local/bin/run.sh'] },
  }),
  programImage({
    names: ['gcr.io/k8s-minikube/kicbase-echo-server', 'kicbase/echo-server', 'jmalloc/echo-server'],
    programs: { '/bin/echo-server': 'apps:jmalloc-echo' },
    config: { exposedPorts: [8080], entrypoint: ['/bin/echo-server'] },
  }),
  programImage({
    names: ['mendhak/http-https-echo'],
    base: 'alpine',
    layersMB: [3.4, 44.1, 2.6],
    programs: { '/usr/local/bin/node': 'apps:mendhak-echo' },
    config: { exposedPorts: [8080, 8443], cmd: ['node', './index.js'], user: '1000', workingDir: '/app' },
    more: { '/app': directory(), '/app/index.js': file("const express = require('express');\n") },
  }),
  programImage({
    names: ['ealen/echo-server'],
    base: 'alpine',
    layersMB: [3.4, 44.1, 2.6],
    programs: { '/usr/local/bin/node': 'apps:ealen-echo' },
    config: { exposedPorts: [80], entrypoint: ['node', 'webserver'], workingDir: '/app' },
    more: { '/app': directory() },
  }),
  programImage({
    names: [
      'registry.k8s.io/gateway-api/conformance/echo-basic',
      'registry.k8s.io/gateway-api/echo-basic',
      'gcr.io/k8s-staging-gateway-api/echo-basic',
    ],
    programs: { '/echo-basic': 'apps:echo-basic' },
    config: { exposedPorts: [3000], entrypoint: ['/echo-basic'] },
  }),
  programImage({
    names: ['registry.k8s.io/serve_hostname', 'k8s.gcr.io/serve_hostname'],
    programs: { '/serve_hostname': 'apps:serve-hostname' },
    config: { exposedPorts: [9376], entrypoint: ['/serve_hostname'] },
  }),
  programImage({
    names: ['registry.k8s.io/e2e-test-images/liveness', 'registry.k8s.io/liveness', 'k8s.gcr.io/liveness'],
    programs: { '/server': 'apps:liveness' },
    config: { exposedPorts: [8080], entrypoint: ['/server'] },
  }),
  programImage({
    names: ['traefik/whoami', 'containous/whoami', 'jwilder/whoami'],
    programs: { '/whoami': 'apps:whoami' },
    layersMB: [0.3, 2.5],
    config: { exposedPorts: [80], entrypoint: ['/whoami'] },
  }),
  programImage({
    names: ['stefanprodan/podinfo', 'ghcr.io/stefanprodan/podinfo'],
    base: 'alpine-curl',
    layersMB: [3.6, 28.4],
    programs: { '/home/app/podinfo': 'apps:podinfo' },
    more: { '/home/app': directory() },
    config: { exposedPorts: [9898, 9999], cmd: ['./podinfo'], workingDir: '/home/app', user: '100' },
  }),
  programImage({
    names: ['kennethreitz/httpbin', 'kong/httpbin'],
    base: 'debian',
    layersMB: [26.7, 34.2, 102.5],
    programs: { '/usr/local/bin/gunicorn': 'apps:httpbin' },
    config: { exposedPorts: [80], cmd: ['gunicorn', '-b', '0.0.0.0:80', 'httpbin:app', '-k', 'gevent'] },
  }),
  programImage({
    names: ['mccutchen/go-httpbin', 'ghcr.io/mccutchen/go-httpbin'],
    programs: { '/bin/go-httpbin': 'apps:go-httpbin' },
    base: 'distroless',
    config: { exposedPorts: [8080], cmd: ['/bin/go-httpbin'] },
  }),
  programImage({
    names: ['paulbouwer/hello-kubernetes'],
    base: 'alpine',
    layersMB: [3.4, 38.9, 2.2],
    programs: { '/usr/local/bin/node': 'apps:hello-kubernetes' },
    more: { '/usr/src/app': directory() },
    config: { exposedPorts: [8080], cmd: ['node', 'server.js'], workingDir: '/usr/src/app' },
  }),
  programImage({
    names: ['nginxdemos/hello', 'nginxdemos/nginx-hello'],
    base: 'alpine',
    layersMB: [3.6, 17.9],
    programs: (tag) => ({
      '/usr/sbin/nginx': tag.includes('plain-text') ? 'apps:nginx-hello-plain' : 'apps:nginx-hello',
    }),
    more: { '/usr/share/nginx/html/index.html': page },
    config: { exposedPorts: [80], cmd: ['nginx', '-g', 'daemon off;'] },
  }),
];
