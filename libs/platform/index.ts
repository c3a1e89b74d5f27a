/** Tenants, users, keys, quotas and clusters as a product; and everything that a process opens and closes. */
export { certificateFor, selfSigned, type Certificate } from './certificate.js';
export { Clusters } from './clusters.js';
export { openDatabase, PrismaClient } from './database.js';
export { noKey, parse, Refusal, unknownCluster } from './failures.js';
export { hashKey, Identity, newKey, type Caller } from './identity.js';
export { kubeconfig } from './kubeconfig.js';
export * as nouns from './nouns.js';
export { DATABASE, LOG_STORE, LOGGER, PlatformModule, SETTINGS, TASK_CONNECTION } from './platform.module.js';
export { readSettings, type Settings } from './settings.js';
export { openWorker, taskConnection, Tasks, type Task } from './tasks.js';
export { createTenant, ensureFirstTenant } from './tenants.js';
export { Templates, workersOf } from './templates.js';
export { untilToldToStop } from './stop.js';
