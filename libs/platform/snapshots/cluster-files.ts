import type { Readable } from 'node:stream';
import { Cluster as Engine, parseVersion } from '@terrarium/engine';
import { catalog } from '@terrarium/containers';
import { encodeCheckpoint, parsePoint, type ClusterHost } from '@terrarium/host';
import { requireKey, type Clusters } from '../clusters/clusters.js';
import type { Identity } from '../identity/identity.js';
import type { Caller } from '../identity/principal.js';
import type { Cluster } from '../nouns.js';
import { Refusal } from '../refusal.js';
import type { Tasks } from '../tasks.js';
import { readClusterFile, writeClusterFile, type ReadClusterFile } from './cluster-file.js';
import type { ExportQuery, ImportQuery } from './history-nouns.js';

const MAX_NODES = 201;
const TRIED = ['/api/v1/namespaces', '/api/v1/nodes', '/api/v1/pods'];

/** Clusters as files: a state goes out, and a new cluster begins on what comes in. */
export class ClusterFiles {
  constructor(
    private readonly clusters: Pick<Clusters, 'findRow' | 'createRows'>,
    private readonly host: Pick<ClusterHost, 'past' | 'pacer'>,
    private readonly identity: Pick<Identity, 'authorityOf'>,
    private readonly tasks: Pick<Tasks, 'advance'>,
  ) {}

  /** The file of a moment, by default of now. Rejects as Past.find. */
  async export(caller: Caller, id: string, { at }: ExportQuery): Promise<Readable> {
    const row = await this.clusters.findRow(requireKey(caller), id);
    const { past } = this.host;
    const present = at === undefined ? await past.present(id) : undefined;
    const point = present ? { revision: present.head, now: present.now } : await past.find(id, parsePoint(at!));
    const { state, now } = await past.state(row, point);
    const { name, template, speed, seed, version } = row.settings as Record<string, string>;
    const authority = await this.identity.authorityOf(id);
    const { revision } = state;
    return writeClusterFile(
      {
        name: name!,
        template: template!,
        speed: speed as 'instant',
        seed: seed!,
        release: version,
        revision,
        now,
        authority,
      },
      state,
    );
  }

  /** Throws Refusal 400 and 413 for a file that is none, and 403 when a quota is used up. */
  async import(caller: Caller, file: unknown, { name }: ImportQuery): Promise<Cluster> {
    const { tenantId } = requireKey(caller);
    if (!(file instanceof Uint8Array)) throw new Refusal(400, 'send the file with Content-Type: application/gzip');
    const read = await readClusterFile(file);
    if (read.nodes > MAX_NODES) throw new Refusal(400, `a cluster must not have more than ${MAX_NODES} nodes`);
    await this.host.pacer.run(tenantId, 'import', () => tryState(read));
    const { header, state } = read;
    const createdAt = Date.now();
    const nodes = Math.max(0, read.nodes - 1);
    const settings = {
      ...{ name: name ?? header.name, template: header.template, speed: header.speed, seed: header.seed, nodes },
      version: parseVersion(header.release ?? ''),
      anchor: { virtual: header.now, real: createdAt },
    };
    const start = { revision: state.revision, state: await encodeCheckpoint(state) };
    const [cluster] = await this.clusters.createRows(caller, [
      { settings, start, labels: {}, nodes, createdAt, nextWake: createdAt },
    ]);
    this.tasks.advance(cluster!.id);
    return cluster!;
  }
}

/** Objects that fit their schemas may still be more than an API server can list. */
function tryState({ header, state }: ReadClusterFile): void {
  try {
    const engine = new Engine({ seed: header.seed, images: catalog, tokenKey: 'tried', runs: false });
    engine.load(state);
    const user = { name: 'kubernetes-admin', groups: ['system:masters'] };
    for (const path of TRIED) engine.handle({ method: 'GET', path, query: '', headers: {}, user }, header.now);
  } catch {
    // The caller is told; what an engine says of a made-up state helps nobody.
    throw new Refusal(400, 'this is no file of a cluster: its objects do not fit together');
  }
}
