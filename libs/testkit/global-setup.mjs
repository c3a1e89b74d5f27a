import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Names this test run for its workers: what they share belongs to this process, or is in its folder. */
export default function setup() {
  process.env.TERRARIUM_TEST_RUN = String(process.pid);
  process.env.TERRARIUM_TEST_FOLDER = mkdtempSync(path.join(tmpdir(), 'terrarium-run-'));
  // PostgreSQL has an account of its own.
  chmodSync(process.env.TERRARIUM_TEST_FOLDER, 0o755);
}

export function teardown() {
  rmSync(process.env.TERRARIUM_TEST_FOLDER, { recursive: true, force: true });
}
