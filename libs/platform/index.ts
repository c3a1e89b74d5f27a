/** Tenants, users, keys, quotas and clusters as a product; and everything that a process opens and closes. */
export { ensureCertificate, selfSignedCertificate, type Certificate } from './certificate.js';
export { Clusters } from './clusters.js';
export { openDatabase, PrismaClient } from './database.js';
export { unauthenticated, parse, Refusal, unknownCluster } from './refusal.js';
export { hashKey, Identity, generateKey, type Caller } from './identity.js';
export { kubeconfig } from './kubeconfig.js';
export * as nouns from './nouns.js';
export { DATABASE, LOG_STORE, LOGGER, PlatformModule, SETTINGS, TASK_CONNECTION } from './platform.module.js';
export { readSettings, type Settings } from './settings.js';
export { openWorker, openTaskConnection, Tasks, type Task } from './tasks.js';
export { createTenant, ensureFirstTenant } from './tenants.js';
export { Templates, workerNodes } from './templates.js';
export { waitForShutdown } from './shutdown.js';
