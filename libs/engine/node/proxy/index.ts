export { checkHealth } from './health-check.js';
export type { OtherRules } from './chains.js';
export { nodeRuleset } from './ruleset.js';
export { ServiceTable, SERVICE_NAME } from './service-table.js';
export { StaleTables } from './snapshot.js';
export { parseSettings, readSettings, type ProxyMode, type ProxySettings } from './settings.js';
export type { ProxyNode } from './topology.js';
export type { ProxyView } from './view.js';
