import fs from 'node:fs';
import path from 'node:path';
import { Plain, root } from '../local/paths.mjs';

const LAB = 'lab.yaml';

/** What is compiled of the labs' code. */
export const compiled = (file) => import(path.join(root, 'dist/libs/platform/labs', file));

/** Every lab of a file, a folder with a lab.yaml, or a folder of such folders. */
export function findLabs(place) {
  const full = path.resolve(place);
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (!stat) throw new Plain(`there is no ${place}`);
  if (!stat.isDirectory()) return [full];
  if (fs.existsSync(path.join(full, LAB))) return [path.join(full, LAB)];
  const found = fs.readdirSync(full).map((name) => path.join(full, name, LAB));
  const labs = found.filter((file) => fs.existsSync(file)).sort();
  if (labs.length === 0) throw new Plain(`there is no ${LAB} in ${place}`);
  return labs;
}

/** The lab of a file, with the files beside it that it names; none from elsewhere. */
export const readLabFile = (file) => readBy('readLabFolder', file);

/** The same as it is handed to a service. */
export async function readSource(file) {
  await readLabFile(file);
  return readBy('readFolderSource', file);
}

async function readBy(reader, file) {
  const readers = await compiled('read-lab.js');
  const folder = path.dirname(file);
  const read = (name) => {
    const full = path.resolve(folder, name);
    if (!full.startsWith(folder + path.sep)) throw new Plain(`${file}: ${name} lies outside of the lab's folder`);
    if (!fs.existsSync(full)) throw new Plain(`${file}: there is no ${name}`);
    return fs.readFileSync(full, 'utf8');
  };
  try {
    return readers[reader](fs.readFileSync(file, 'utf8'), read);
  } catch (error) {
    if (error.status === undefined) throw error;
    throw new Plain(`${file}:\n  ${(error.details ?? [error.message]).join('\n  ')}`);
  }
}
