import { ClusterNotFound, TemplateNotFound, templateOwner, type Checkpoint } from '../log-store.js';
import type { Queryable } from './pool.js';
import { toBase, type RawBase } from './rows.js';

export async function saveCheckpoint(on: Queryable, owner: string, revision: number, state: Uint8Array): Promise<void> {
  await on.query({
    name: 'log_save',
    text: 'select log.save_checkpoint($1, $2, $3)',
    values: [owner, revision, state],
  });
}

export const loadCheckpoint = (
  on: Queryable,
  id: string,
  atMost = Number.MAX_SAFE_INTEGER,
): Promise<Checkpoint | undefined> => loadOwnOrBase(on, id, Math.min(atMost, Number.MAX_SAFE_INTEGER), false);

/** Rows of a deleted cluster are there for its forks only. */
async function loadOwnOrBase(
  on: Queryable,
  id: string,
  atMost: number,
  isForFork: boolean,
): Promise<Checkpoint | undefined> {
  const { rows } = await on.query<{ revision: string; state: Buffer }>({
    name: 'log_load',
    text: `select revision, state from log.checkpoint
            where owner = $1 and revision <= $2
              and ($3 or exists (select from log.cluster where id = $1 and deleted_at is null))
            order by revision desc limit 1`,
    values: [id, atMost, isForFork],
  });
  if (rows[0]) return { owner: id, revision: Number(rows[0].revision), state: rows[0].state };
  return loadBaseCheckpoint(on, id, atMost, isForFork);
}

/** The checkpoint that the cluster's own log begins on. */
async function loadBaseCheckpoint(
  on: Queryable,
  id: string,
  atMost: number,
  isForFork: boolean,
): Promise<Checkpoint | undefined> {
  const { rows } = await on.query<RawBase>({
    name: 'log_lineage',
    text: `select base_template, base_parent, base_revision from log.cluster
            where id = $1 and (deleted_at is null or $2)`,
    values: [id, isForFork],
  });
  if (!rows[0]) throw new ClusterNotFound(id);
  const base = toBase(rows[0]);
  if (!base) return undefined;
  return 'template' in base
    ? loadTemplateCheckpoint(on, base.template, base.revision)
    : loadOwnOrBase(on, base.parent, Math.min(atMost, base.revision), true);
}

async function loadTemplateCheckpoint(on: Queryable, template: string, revision: number): Promise<Checkpoint> {
  const owner = templateOwner(template);
  const { rows } = await on.query<{ state: Buffer }>({
    name: 'log_load_template',
    text: 'select state from log.checkpoint where owner = $1 and revision = $2',
    values: [owner, revision],
  });
  if (!rows[0]) throw new TemplateNotFound(template);
  return { owner, revision, state: rows[0].state };
}
