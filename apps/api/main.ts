import 'reflect-metadata';
import { startApi } from './server.js';
import { readSettings, untilToldToStop } from '@terrarium/platform';

const settings = readSettings();
const api = await startApi(settings);
await untilToldToStop();
await api.close();
process.exit(0);
