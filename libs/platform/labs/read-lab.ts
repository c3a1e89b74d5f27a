import { parseAllDocuments } from 'yaml';
import { parse, Refusal } from '../refusal.js';
import { Lab } from './lab-file.js';

/** Of a lab's text. */
export const MAX_LAB_CHARACTERS = 1024 * 1024;
const MAX_ALIASES = 100;
/** What is handed on as it is: a key `file` in there means something else. */
const OPAQUE = new Set(['spec', 'metadata', 'data']);

/** A lab of YAML or JSON text, or of an object. Throws Refusal 400 with all that is wrong. */
export function readLab(given: unknown): Lab {
  const value = typeof given === 'string' ? parseText(given) : given;
  if (typeof value !== 'object' || value === null) throw new Refusal(400, 'a lab must be an object of kind Lab');
  return parse(Lab, value);
}

/** The same of a folder: `{file: PATH}` stands for that file. `read` throws for what is none. */
export const readLabFolder = (text: string, read: (path: string) => string): Lab =>
  readLab(readFolderSource(text, read));

/** A folder's lab with its files in it, before it is validated. */
export function readFolderSource(text: string, read: (path: string) => string): unknown {
  const value = parseText(text);
  if (typeof value !== 'object' || value === null) return value;
  return { ...value, spec: inline((value as { spec?: unknown }).spec, read, 0) };
}

/** The value of a YAML document. Throws Refusal 400 and 413. */
export function parseText(text: string): unknown {
  if (text.length > MAX_LAB_CHARACTERS) throw new Refusal(413, `a lab must not be longer than ${MAX_LAB_CHARACTERS}`);
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const [document] = documents;
  if (!document || documents.length !== 1) throw new Refusal(400, 'a lab must be one YAML document');
  const [error] = document.errors;
  if (error) throw new Refusal(400, `this is no YAML: ${error.message.split('\n')[0]}`);
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (failure) {
    // Aliases without an anchor, or too many of them.
    throw new Refusal(400, `this is no YAML: ${(failure as Error).message}`);
  }
}

function inline(value: unknown, read: (path: string) => string, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > 6) return value;
  if (Array.isArray(value)) return value.map((item) => inline(item, read, depth + 1));
  const fields = Object.entries(value);
  const [only] = fields;
  if (only && fields.length === 1 && only[0] === 'file' && typeof only[1] === 'string') return read(only[1]);
  return Object.fromEntries(
    fields.map(([field, item]) => [field, OPAQUE.has(field) ? item : inline(item, read, depth + 1)]),
  );
}
