import 'reflect-metadata';
import { startApi } from './bootstrap.js';
import { readSettings, waitForShutdown } from '@terrarium/platform';

const settings = readSettings();
// From the beginning, so that a start that waits for its database ends with its parent too.
const shutdown = waitForShutdown();
const api = await startApi(settings);
const exitCode = await shutdown;
await api.close();
process.exit(exitCode);
