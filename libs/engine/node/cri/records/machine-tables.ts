import type { Plain } from '../../../kernel/process/program.js';
import type { SavedMachine } from '../../../kernel/saved.js';

/** Lists of a SavedMachine whose entries have an id. */
const TABLES = ['processes', 'containers', 'descriptions', 'pipes', 'terminals', 'sockets', 'sessions'] as const;

type Entry = { readonly id: string | number };

/** A saved machine whose tables are fields by id, so that one entry's change is found whatever else comes and goes. */
export function tablesOf(saved: SavedMachine): Plain {
  const tables = TABLES.map((name) => [
    name,
    Object.fromEntries((saved[name] as readonly Entry[]).map((e) => [e.id, e])),
  ]);
  return { ...saved, ...Object.fromEntries(tables) } as unknown as Plain;
}

export function machineOf(tables: Plain): SavedMachine {
  const fields = tables as unknown as Record<string, Record<string, Entry>>;
  const lists = TABLES.map((name) => [name, Object.values(fields[name]!)]);
  return { ...fields, ...Object.fromEntries(lists) } as unknown as SavedMachine;
}
