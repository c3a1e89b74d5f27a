import type { Client } from './own.js';

/** What a connection begins as. */
export const newClient = (): Client => ({
  ...{ database: 0, isAuthenticated: false, name: '', channels: [], queued: null, isAborted: false, watched: [] },
  ...{ protocol: 2, replica: null, master: null },
});
