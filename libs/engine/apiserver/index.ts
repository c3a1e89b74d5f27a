export { handle } from './handle.js';
export { VERSION } from './response/version.js';
export type { Server } from './server.js';
export { storageVersionHash } from './response/discovery.js';
export { compareVersions, servedGroups } from './response/served-groups.js';
export { Store } from './registry/store.js';
export { scaleOf } from './scale/scale.js';
export { convertToVersion } from './response/conversion.js';
export { objectText } from './response/json.js';
