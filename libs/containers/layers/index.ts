export { withAccounts, type Account } from './accounts.js';
export { alpineLayer, alpinePackages } from './alpine.js';
export { ALPINE_PACKAGES } from './alpine-packages.js';
export { busyboxLayer, oldBusyboxLayer } from './busybox.js';
export { debianLayer, debianPackages } from './debian.js';
export { distrolessLayer } from './distroless.js';
export { directory, executable, file, joinLayers, link, opaque, readPrograms } from './layer.js';
export { scratchLayer } from './scratch.js';
export { ubuntuLayer } from './ubuntu.js';
