export { dig } from './dig.js';
export { getent } from './getent.js';
export { host } from './host.js';
export { nslookup } from './nslookup.js';
export { oldNslookup } from './busybox-nslookup.js';
