export { handle } from './handle.js';
export { VERSION } from './response/documents.js';
export type { Server } from './server.js';
export { compareVersions, servedGroups, storageVersionHash } from './response/discovery.js';
export { Store, type WriteOptions } from './registry/store.js';
export { scaleOf } from './ownership/scale-ownership.js';
export { inVersion, objectText } from './response/print.js';
