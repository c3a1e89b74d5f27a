import fs from 'node:fs';
import path from 'node:path';
import { compiled } from './folder.mjs';
import { Plain } from '../local/paths.mjs';

const SKIPPED = new Set(['.git', 'node_modules']);

/** `terrarium import`: the files of a lab of a scenario or a workshop; says what was not taken over. */
export async function run({ words: [place, into] }) {
  if (place === undefined) throw new Plain('name a folder: terrarium import FOLDER [NEW FOLDER]');
  const folder = path.resolve(place);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Plain(`${place} is no folder`);
  const { importLab, MAX_FILES, MAX_FILE_BYTES } = await compiled('import/import-lab.js');
  const target = path.resolve(into ?? path.basename(folder));
  if (fs.existsSync(target))
    throw new Plain(`${path.relative('', target) || target} exists already: name a new folder`);
  const { files, notes } = importFolder(
    importLab,
    readFolder(folder, MAX_FILES, MAX_FILE_BYTES),
    path.basename(folder),
  );
  for (const [name, text] of files) write(path.join(target, name), text);
  for (const note of notes) console.log(`note: ${note}`);
  console.log(`${path.join(target, 'lab.yaml')}: ${files.size} files, ${notes.length} notes`);
  return 0;
}

function importFolder(importLab, source, name) {
  try {
    return importLab(source, name);
  } catch (error) {
    if (error.status === undefined) throw error;
    throw new Plain((error.details ?? [error.message]).join('\n  '));
  }
}

/** Texts by their paths; what is none has no text. */
function readFolder(folder, maxFiles, maxBytes) {
  const files = new Map();
  const pending = [''];
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const entry of fs.readdirSync(path.join(folder, at), { withFileTypes: true })) {
      const name = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) pending.push(name);
      if (!entry.isFile()) continue;
      if (files.size >= maxFiles) throw new Plain(`there are more than ${maxFiles} files in ${folder}`);
      files.set(name, readText(path.join(folder, name), maxBytes));
    }
  return files;
}

function readText(file, maxBytes) {
  if (fs.statSync(file).size > maxBytes) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(file));
  } catch {
    // It is a picture, or another file that no lab has.
    return undefined;
  }
}

function write(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}
