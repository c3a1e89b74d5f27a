// The packages of package-lock.json, in node_modules/.
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { run, step } from './build.mjs';
import { inMade, Plain, root } from './paths.mjs';

const LOCK = path.join(root, 'package-lock.json');
/** What npm reads instead of package-lock.json, where it is. */
const SHRINKWRAP = path.join(root, 'npm-shrinkwrap.json');
const OPTIONS = ['--no-audit', '--no-fund', '--loglevel=error'];
const env = { ...process.env, NODE_ENV: 'development' };

/**
 * The lock with each package's address in the registry that npm is set to. The one that is kept names no registry, and
 * without addresses npm asks for the whole history of each package first: twice the requests, and half of the bytes.
 */
function withAddresses(lock, registry) {
  const base = registry.endsWith('/') ? registry : `${registry}/`;
  const packages = Object.entries(lock.packages).map(([folder, entry]) => {
    if (!entry.integrity || entry.resolved) return [folder, entry];
    const name = entry.name ?? folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = `${path.posix.basename(name)}-${entry.version}.tgz`;
    return [folder, { ...entry, resolved: `${base}${name}/-/${file}` }];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}

/** The first time: what the lock says, from the addresses that registries give their packages by convention. */
async function installFromAddresses() {
  const registry = (await run('npm', ['config', 'get', 'registry'])).trim();
  const lock = JSON.parse(fs.readFileSync(LOCK, 'utf8'));
  fs.writeFileSync(SHRINKWRAP, JSON.stringify(withAddresses(lock, registry)));
  const remove = () => fs.rmSync(SHRINKWRAP, { force: true });
  process.on('exit', remove);
  try {
    await run('npm', ['ci', ...OPTIONS], { env });
  } finally {
    remove();
    process.off('exit', remove);
  }
}

async function installAll(isFirst) {
  if (isFirst)
    try {
      return await installFromAddresses();
    } catch (error) {
      // A registry with other addresses: npm finds them itself.
      if (!(error instanceof Plain)) throw error;
    }
  await run('npm', ['install', ...OPTIONS], { env });
}

/** npm's own record of what it installed is newer than the lockfile when there is nothing to do. */
export async function install() {
  const time = (file) => fs.statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const hashLock = () => crypto.createHash('sha256').update(fs.readFileSync(LOCK)).digest('hex');
  const stamp = inMade('stamps', 'install');
  const installed = time('node_modules/.package-lock.json');
  if (
    installed &&
    (installed >= time('package-lock.json') || (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hashLock()))
  )
    return;
  await step('installing packages (about a minute the first time)', () => installAll(!installed));
  fs.mkdirSync(path.dirname(stamp), { recursive: true });
  fs.writeFileSync(stamp, hashLock());
}
