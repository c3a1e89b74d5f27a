import { stringify } from 'yaml';

/** A folder's files by their paths, with `/` between; undefined: a file that is no text. */
export type Folder = ReadonlyMap<string, string | undefined>;

/** What a lab was made of: its files, and what was not understood, each by its name. */
export interface Imported {
  readonly files: Map<string, string>;
  readonly notes: string[];
}

const MAX_NAME = 50;
const MINUTES = /(?<!\d)(\d+)\s*(h|m|$|-)/i;
const LAB = { apiVersion: 'terrarium.dev/v1alpha1', kind: 'Lab' };

/** Collects the files of a lab, and what is to be said about it. */
export class LabWriter {
  readonly files = new Map<string, string>();
  readonly notes: string[] = [];

  constructor(readonly source: Folder) {}

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Fields that are not among the known ones are told by their path. */
  noteUnknown(value: object, known: readonly string[], path: string): void {
    for (const field of Object.keys(value))
      if (!known.includes(field)) this.note(`${path === '' ? '' : `${path}.`}${field}: is not taken over`);
  }

  /** The text of a file that something names; undefined, and said, when it is not there. */
  read(name: string, where: string): string | undefined {
    const path = name.replace(/^\.?\//, '');
    const text = this.source.get(path);
    if (text === undefined)
      this.note(`${where}: ${path} ${this.source.has(path) ? 'is no text' : 'does not exist'}: it is left out`);
    return text;
  }

  /** Keeps a text as a file of the lab; what stands for it there. Nothing for an empty one. */
  keep(path: string, text: string | undefined): { readonly file: string } | undefined {
    if (text === undefined || text.trim() === '') return undefined;
    this.files.set(path, text.endsWith('\n') ? text : `${text}\n`);
    return { file: path };
  }

  finish(name: string, spec: object): Imported {
    const lab = { ...LAB, metadata: { name: toName(name) }, spec: withoutUndefined(spec) };
    this.files.set('lab.yaml', stringify(lab, { lineWidth: 120 }));
    return { files: this.files, notes: this.notes };
  }
}

/** A name as labs have them, of any text. */
export function toName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_NAME)
    .replace(/^-|-$/g, '');
  return name === '' ? 'lab' : name;
}

/** '30m', '1h', '10-15 minutes' as minutes; undefined: it says something else. */
export function toMinutes(text: unknown): number | undefined {
  const [, number, unit = ''] = MINUTES.exec(String(text ?? '')) ?? [];
  if (number === undefined || Number(number) < 1) return undefined;
  return Number(number) * (unit.toLowerCase().startsWith('h') ? 60 : 1);
}

/** What belongs together in one script, the first first. */
export const joinScripts = (scripts: readonly (string | undefined)[]): string | undefined => {
  const given = scripts.filter((script) => script !== undefined && script.trim() !== '') as string[];
  return given.length === 0 ? undefined : given.map((script) => script.trimEnd()).join('\n');
};

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Empty lists and fields that are not given are not written. */
function withoutUndefined(value: object): object {
  const isGiven = (one: unknown): boolean => one !== undefined && !(Array.isArray(one) && one.length === 0);
  return Object.fromEntries(Object.entries(value).filter(([, one]) => isGiven(one)));
}
