import 'reflect-metadata';
import { startApi } from './bootstrap.js';
import { readSettings, untilToldToStop } from '@terrarium/platform';

const settings = readSettings();
// From the beginning: a start that waits for its database must still end with its parent.
const toldToStop = untilToldToStop();
const api = await startApi(settings);
await toldToStop;
await api.close();
process.exit(0);
