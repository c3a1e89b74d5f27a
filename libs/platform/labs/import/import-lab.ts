import { Refusal } from '../../refusal.js';
import { readLabFolder } from '../read-lab.js';
import { findWorkshop, importEducates } from './educates.js';
import type { Folder, Imported } from './imported.js';
import { importKillercoda, INDEX } from './killercoda.js';

/** Of the folder that is read. */
export const MAX_FILES = 2_000;
export const MAX_FILE_BYTES = 1024 * 1024;

/**
 * The files of a lab that does what a scenario of Killercoda, or a workshop of Educates, does. Throws Refusal 400 for a
 * folder that is neither, and for one whose lab would not be taken, with all that is wrong with it.
 */
export function importLab(source: Folder, name: string): Imported {
  const made = makeLab(source, name);
  readLabFolder(made.files.get('lab.yaml') ?? '', (path) => made.files.get(path) ?? '');
  return made;
}

function makeLab(source: Folder, name: string): Imported {
  if (source.has(INDEX)) {
    try {
      return importKillercoda(source, name);
    } catch (error) {
      if (error instanceof SyntaxError) throw new Refusal(400, `${INDEX} is no JSON: ${error.message}`);
      throw error;
    }
  }
  if (findWorkshop(source)) return importEducates(source, name);
  throw new Refusal(400, `neither ${INDEX} of Killercoda nor a Workshop of Educates is there`);
}
