export { handle } from './handle.js';
export { VERSION } from './documents.js';
export type { Server } from './server.js';
export { compareVersions, servedGroups, storageVersionHash } from './discovery.js';
export { Writer, type WriteOptions } from './writer.js';
export { scaleOf } from './scale-ownership.js';
export { inVersion, objectText } from './print.js';
