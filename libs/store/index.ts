export * from './log-store.js';
export { MemoryLogStore } from './memory-log-store.js';
export { PostgresLogStore } from './postgres/postgres-log-store.js';
export { openPool, type PostgresOptions } from './postgres/pool.js';
export { migrate } from './postgres/migrate.js';
export { decodeChanges, encodeChanges, pack, restore, unpack, type StoredChange } from './codec.js';
