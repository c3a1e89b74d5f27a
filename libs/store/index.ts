export * from './log-store.js';
export * from './snapshot-store.js';
export { MemoryLogStore } from './memory/memory-log-store.js';
export { PostgresLogStore } from './postgres/postgres-log-store.js';
export { openPool, type PostgresOptions } from './postgres/pool.js';
export { ENTER_TENANT } from './postgres/as-tenant.js';
export { ListenConnection, type Channel, type ListenOptions } from './postgres/listen-connection.js';
export { migrate } from './postgres/migrate.js';
export {
  changesInText,
  changesWith,
  decodeChanges,
  encodeChanges,
  decodeSegment,
  isReset,
  isSame,
  RESET,
  restore,
  timeOfFirst,
  unpack,
  type ObjectTexts,
  type StoredChange,
} from './codec.js';
