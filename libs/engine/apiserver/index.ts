export { handle } from './handle.js';
export { describeRequest, type RequestDescription } from './request/describe.js';
export type { Server } from './server.js';
export { storageVersionHash } from './response/discovery.js';
export { compareVersions, servedGroups } from './response/served-groups.js';
export { Store } from './registry/store.js';
export { scaleOf } from './scale/scale.js';
export { convertToVersion } from './response/conversion.js';
export { objectText, storedText } from './response/json.js';
