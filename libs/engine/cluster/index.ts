export { BEHAVIOUR_VERSION, BEHAVIOURS } from './behaviour.js';
export { shiftCheckpoint, type CheckpointState } from './checkpoint.js';
export { virtualNow, type ClockLike } from './clock.js';
export type { ReconcileObserver } from '../runtime/loop.js';
export { Cluster, type ClusterOptions } from './cluster.js';
export { restoreManagedFields } from './managed-fields.js';
export { defaultWorkers, makeTemplate, templateKey, TEMPLATE_EPOCH } from './template.js';
export { DEFAULT_NAMES, type ClusterNames, type NodeSpec, type TemplateOptions } from './template-options.js';
export { DEFAULT_VERSION, parseVersion, RELEASES, type GitVersion } from '../machinery/releases.js';
