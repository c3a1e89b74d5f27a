import { ensureFirstTenant, openDatabase, readSettings } from '@terrarium/platform';
import { migrate, openPool } from '@terrarium/store';

/**
 * Run once before the first start: makes the log's tables and the first tenant, and prints `{"apiKey": …}`: API_KEY's
 * own, or a new one; null when API_KEY is unset and there is one.
 */
const settings = readSettings();
const pool = openPool({ connectionString: settings.databaseUrl, poolSize: 1 });
await migrate(pool);
await pool.end();
const database = openDatabase(settings.databaseUrl);
const apiKey = await ensureFirstTenant(database, process.env['API_KEY']);
await database.$disconnect();
console.log(JSON.stringify({ apiKey: apiKey ?? null }));
