/** Tenants, users, keys, quotas and clusters as a product; and everything that a process opens and closes. */
export { loadAuthority } from './access/certificate-authority.js';
export { clusterDomains } from './access/cluster-domains.js';
export { ClusterLinks } from './access/cluster-links.js';
export { CheckWebhooks, type DueWebhook } from './checks/check-webhooks.js';
export { SIGNATURE_HEADER, signResults } from './checks/sign-results.js';
export { ClusterPauses } from './clusters/cluster-pauses.js';
export { ClusterUse } from './clusters/cluster-use.js';
export { ClusterLife, type LifeListener } from './clusters/cluster-life.js';
export { Clusters, requireKey } from './clusters/clusters.js';
export { COARSE_TTL } from './coarse-ttl.js';
export { openDatabase, PrismaClient } from './database.js';
export { unauthenticated, parse, Refusal, unknownCluster } from './refusal.js';
export { hashKey, generateKey } from './identity/credentials.js';
export { Identity } from './identity/identity.js';
export { Invalidations } from './identity/invalidations.js';
export { Keys } from './identity/keys/keys.js';
export { Sessions, SESSION_MS } from './identity/sessions.js';
export { OperatorClusters } from './tenants/operator-clusters.js';
export { ensureOperatorKey } from './identity/keys/operator-key.js';
export { Kubeconfigs } from './access/kubeconfigs.js';
export * as nouns from './nouns.js';
export { BucketHistogram, type HistogramSeries } from './observability/bucket-histogram.js';
export { LOGGER, TRACING } from './observability/observability.module.js';
export { Readiness } from './observability/readiness.js';
export { Tracing } from './observability/tracing.js';
export { DATABASE, LOG_STORE, SETTINGS, TASK_CONNECTION } from './injection-tokens.js';
export { PlatformModule } from './platform.module.js';
export {
  userOf,
  type Caller,
  type KeyPrincipal,
  type OperatorPrincipal,
  type Principal,
  type TokenPrincipal,
} from './identity/principal.js';
export { actionOfRest, allows, includes, type Action, type Scope, type TenantScope } from './identity/scope.js';
export {
  issueServerCertificate,
  renewBeforeEnd,
  serverNames,
  type ServerCertificate,
} from './access/server-certificate.js';
export { ClusterFiles } from './snapshots/cluster-files.js';
export { MAX_FILE_BYTES } from './snapshots/cluster-file.js';
export { Forks } from './snapshots/forks.js';
export { Histories } from './snapshots/histories.js';
export { Restores } from './snapshots/restores.js';
export { Snapshots } from './snapshots/snapshots.js';
export { readSettings, type Settings } from './settings.js';
export { openResultsWorker, openWorker, openTaskConnection, Tasks, type Task } from './tasks.js';
export { createTenant, ensureFirstTenant } from './tenants/first-tenant.js';
export { StaleCredentials } from './identity/keys/stale-credentials.js';
export { Tenants } from './tenants/tenants.js';
export { Tokens } from './identity/tokens/tokens.js';
export { TokenSigner } from './identity/tokens/token-signer.js';
export { Users } from './identity/users.js';
export { Templates, workerNodes } from './clusters/templates.js';
export { waitForShutdown } from './shutdown.js';
export { LabActs } from './labs/acts.js';
export { LabSessions } from './labs/lab-sessions.js';
export { MAX_LAB_CHARACTERS } from './labs/read-lab.js';
export { Labs } from './labs/labs.js';
export { Learners } from './labs/learners.js';
export { Replays } from './labs/replay.js';
