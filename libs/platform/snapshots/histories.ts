import { kinds, withoutAuthority, type CheckpointState } from '@terrarium/engine';
import { parsePoint, type ClusterHost } from '@terrarium/host';
import type { ClusterRow } from '@terrarium/store';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import type { Identity } from '../identity/identity.js';
import type { Caller } from '../identity/principal.js';
import { Refusal } from '../refusal.js';
import { compareStates, type DiffPage } from './diff.js';
import { forkSettingsOf } from './fork-settings.js';
import type { Diff, DiffQuery, History } from './history-nouns.js';

/** Terrarium's own records of machines and files, which no API server shows. */
const HIDDEN: ReadonlySet<string> = new Set(
  kinds.filter(({ internal }) => internal).map(({ plural, group }) => (group === '' ? plural : `${plural}.${group}`)),
);

/** What clusters were: what of it can be read, and how two moments differ. */
export class Histories {
  constructor(
    private readonly clusters: Pick<Clusters, 'findRow'>,
    private readonly host: Pick<ClusterHost, 'past'>,
    private readonly identity: Pick<Identity, 'authorityOf'>,
  ) {}

  async describe(caller: Caller, id: string): Promise<History> {
    const row = await this.clusters.findRow(requireKey(caller), id);
    const { oldest, head, now, from } = await this.host.past.range(id);
    const { begun } = forkSettingsOf(row);
    return {
      oldest,
      latest: head,
      time: new Date(now).toISOString(),
      ...(from === undefined ? {} : { from: new Date(from).toISOString() }),
      ...(begun ? { begun: begun.revision } : {}),
    };
  }

  /** Throws Refusal 404 and 400; and as Past.find for the moments. */
  async diff(caller: Caller, id: string, { from, to, cluster, limit, cursor }: DiffQuery): Promise<Diff> {
    requireKey(caller);
    const row = await this.clusters.findRow(caller, id);
    const other = cluster === undefined ? row : await this.clusters.findRow(caller, cluster);
    const after = cursor === undefined ? undefined : parseCursor(cursor);
    const oldest = from ?? String((await this.host.past.range(id)).oldest);
    const old = await this.stateAt(row, oldest);
    const now = await this.stateAt(other, to);
    const page = compareStates(old, now, (resource) => !HIDDEN.has(resource), { limit, after });
    return {
      from: old.revision,
      to: now.revision,
      items: page.items,
      ...(page.after ? { nextCursor: writeCursor(page.after) } : {}),
    };
  }

  private async stateAt(row: ClusterRow, moment: string | undefined): Promise<CheckpointState> {
    const { past } = this.host;
    const point = moment === undefined ? { revision: row.head } : await past.find(row.id, parsePoint(moment));
    const { state } = await past.state(row, point);
    // Each cluster has a certificate of its own in every namespace: that says nothing.
    return withoutAuthority(state, await this.identity.authorityOf(row.id));
  }
}

type Place = NonNullable<DiffPage['after']>;

const writeCursor = ({ resource, namespace, name }: Place): string =>
  Buffer.from(JSON.stringify([resource, namespace, name])).toString('base64url');

function parseCursor(cursor: string): Place {
  try {
    const [resource, namespace, name] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    if (typeof resource === 'string' && typeof namespace === 'string' && typeof name === 'string')
      return { resource, namespace, name };
  } catch {
    // It is no cursor: refused below.
  }
  throw new Refusal(400, 'cursor: must be nextCursor of the page before');
}
