// One process at a time: two commands may be typed at once in a fresh clone.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 200;

/** Whether a process of this machine runs; another user's, too. */
export function isAlive(pid) {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs `work` while no other process runs any under the lock; waits until then. A dead process's lock is no lock. */
export async function runLocked(lock, work) {
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  while (!take(lock)) await sleep(POLL_MS);
  try {
    return await work();
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/** The lock is there only with its owner in it: it is written beside, and linked. */
function take(lock) {
  const own = `${lock}.${process.pid}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    fs.linkSync(own, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(ownerOf(lock))) fs.rmSync(lock, { force: true });
    return false;
  } finally {
    fs.rmSync(own, { force: true });
  }
}

/** This process when the lock has just been given back: it is tried again. */
function ownerOf(lock) {
  try {
    return Number(fs.readFileSync(lock, 'utf8'));
  } catch {
    return process.pid;
  }
}
