// Not by way of the libraries' index.ts: to load the engine would take longer than all that is done here.
import { openDatabase } from '../../libs/platform/database.js';
import { ensureOperatorKey } from '../../libs/platform/identity/keys/operator-key.js';
import { readSettings } from '../../libs/platform/settings.js';
import { ensureFirstTenant } from '../../libs/platform/tenants/first-tenant.js';
import { migrate } from '../../libs/store/postgres/migrate.js';
import { openPool } from '../../libs/store/postgres/pool.js';

/**
 * Run once before the first start: makes the log's tables, the first tenant and the operator's key, and prints
 * `{"apiKey": …, "operatorKey": …}`: those of API_KEY and KNOWN_OPERATOR_KEY, or new ones; null when the variable is
 * unset and there is one. With OPERATOR_KEY, which holds in place of any other, there is no operatorKey.
 */
const settings = readSettings();
const pool = openPool({ connectionString: settings.databaseUrl, poolSize: 1 });
await migrate(pool);
await pool.end();
const database = openDatabase(settings.databaseUrl);
const apiKey = await ensureFirstTenant(database, process.env['API_KEY']);
const operatorKey =
  settings.operatorKey === undefined ? await ensureOperatorKey(database, process.env['KNOWN_OPERATOR_KEY']) : undefined;
await database.$disconnect();
console.log(JSON.stringify({ apiKey: apiKey ?? null, operatorKey: operatorKey ?? null }));
