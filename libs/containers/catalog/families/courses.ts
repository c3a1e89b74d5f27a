import type { Image } from '@terrarium/engine';
import { directory, file } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';
import { alpine, shareLayer, withAlpinePackages } from '../bases.js';
import { programImage, summaryImage } from './family.js';

const TAGS = /^\w[\w.-]*$/;
const withCurl = shareLayer('courses curl', () => withAlpinePackages(alpine(), 'curl'));

/** Scanners look at what is not there in a simulation: they say so, rather than find nothing. */
const scanner = (name: string): Image =>
  summaryImage(
    {
      names: [`aquasec/${name}`, `ghcr.io/aquasecurity/${name}`, `public.ecr.aws/aquasecurity/${name}`],
      base: 'alpine',
      config: { entrypoint: [name] },
    },
    { probed: false, fails: () => ({ code: 1, lines: [`${name}: is not simulated here`] }) },
  );

/** Images that exercises for the exams use and few others do. */
export const courses: readonly Image[] = [
  programImage({
    names: ['dgkanatsios/simpleapp'],
    base: 'alpine',
    layersMB: [2, 22.6, 0.9],
    programs: { '/usr/bin/npm': 'apps:simpleapp' },
    more: { '/usr/src/app': directory(), '/usr/src/app/server.js': file("'use strict';\n") },
    config: { exposedPorts: [8080], cmd: ['npm', 'start'], workingDir: '/usr/src/app' },
  }),
  programImage({
    names: ['bmuschko/nodejs-hello-world'],
    base: 'alpine',
    layersMB: [2.8, 24.6, 2.3],
    programs: { '/usr/local/bin/node': 'apps:nodejs-hello-world' },
    more: { '/nodejs': directory(), '/nodejs/index.js': file("const http = require('http');\n") },
    config: { exposedPorts: [3000], cmd: ['node', 'index.js'], workingDir: '/nodejs' },
  }),
  programImage({
    names: ['bmuschko/nodejs-read-config'],
    base: 'alpine',
    layersMB: [2.8, 24.6, 2.3],
    programs: { '/usr/local/bin/node': 'apps:nodejs-read-config' },
    config: { exposedPorts: [8080], cmd: ['node', 'server.js'] },
  }),
  toolImage({
    ...{ names: ['alpine/curl', 'byrnedo/alpine-curl'], tags: TAGS, layersMB: [2.7, 1.6], files: withCurl },
    config: { entrypoint: ['/usr/bin/curl'] },
  }),
  toolImage({
    ...{ names: ['yauritux/busybox-curl', 'odise/busybox-curl'], tags: TAGS, layersMB: [0.7, 1.9], files: withCurl },
    config: { cmd: ['/bin/sh'] },
  }),
  scanner('kube-bench'),
  scanner('trivy'),
];
