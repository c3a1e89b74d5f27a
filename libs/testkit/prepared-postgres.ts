import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';

const MAKE_TIMEOUT_MS = 120_000;
const POLL_MS = 50;

export interface PostgresScripts {
  startPostgres(options: { folder: string }): Promise<{ url: string; stop(): Promise<void> }>;
  migratePlatform(url: string): Promise<void>;
}

/**
 * Makes `folder` that of a server whose database has all tables. To make one takes 6 s of CPU, to copy one a tenth of a
 * second: the first caller of a test run makes what the others copy. Rejects when the server cannot be made.
 */
export async function copyPreparedPostgres(folder: string, scripts: PostgresScripts): Promise<void> {
  const prepared = path.join(process.env['TERRARIUM_TEST_FOLDER'] ?? '', 'postgres');
  if (begin(`${prepared}.begun`)) {
    const server = await scripts.startPostgres({ folder: `${prepared}.new` });
    await scripts.migratePlatform(server.url).finally(() => server.stop());
    renameSync(`${prepared}.new`, prepared);
  }
  for (const end = Date.now() + MAKE_TIMEOUT_MS; !existsSync(prepared); await sleep(POLL_MS))
    if (Date.now() > end) throw new Error('another spec did not get PostgreSQL prepared');
  // It keeps owners and modes, on which the server insists.
  execFileSync('cp', ['-a', prepared, folder]);
}

/** True for the first caller: the folder `mark` stays. */
function begin(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch {
    return false;
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
