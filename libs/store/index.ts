export * from './log-store.js';
export { MemoryLogStore } from './memory.js';
export { PostgresLogStore, openPool, type PostgresOptions } from './postgres.js';
export { migrate } from './migrate.js';
export { decodeChanges, encodeChanges, pack, restore, unpack, type StoredChange } from './codec.js';
