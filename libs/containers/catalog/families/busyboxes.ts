import type { Image } from '@terrarium/engine';
import { executable, file, joinLayers, oldBusyboxLayer } from '../../layers/index.js';
import { toolImage } from '../../programs/server.js';

const TAGS = /^\w[\w.-]*$/;
const PROFILE = "export PS1='[ \\u@\\h:\\w ]$ '\n";
const CURL_BYTES = 1_180_000;

/** Busyboxes of their own builds, all older than 1.29: their nslookup goes through the search list for every name. */
export const busyboxes: readonly Image[] = [
  toolImage({
    names: [
      ...['registry.k8s.io/busybox', 'k8s.gcr.io/busybox'],
      ...['gcr.io/google-containers/busybox', 'gcr.io/google_containers/busybox'],
    ],
    ...{ tags: TAGS, layersMB: [0.67], files: oldBusyboxLayer },
    config: { cmd: ['sh'] },
  }),
  toolImage({
    ...{ names: ['radial/busyboxplus'], tags: TAGS, layersMB: [1.3, 1.4] },
    files: joinLayers(oldBusyboxLayer, {
      '/etc/profile': file(PROFILE),
      '/usr/bin/curl': executable('curl:curl', CURL_BYTES),
    }),
    config: { cmd: ['/bin/sh', '-l'] },
  }),
];
