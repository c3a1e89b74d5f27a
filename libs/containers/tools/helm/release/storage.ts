import { ApiFailure } from '../../kubectl/session/failure.js';
import type { ApiObject, Session } from '../../kubectl/session/session.js';
import { HelmFailure } from '../failure.js';
import { clockOf } from '../commands/flags.js';
import { decodeRelease, encodeRelease, type Release, secretName } from './release.js';

/** Records that one command reads. */
const MAX_RECORDS = 2_000;

const pathTo = (namespace: string, name = ''): string =>
  `/api/v1${namespace === '' ? '' : `/namespaces/${encodeURIComponent(namespace)}`}/secrets${name === '' ? '' : `/${encodeURIComponent(name)}`}`;

function read(secret: ApiObject): Release[] {
  const data = (secret['data'] as Readonly<Record<string, string>> | undefined)?.['release'];
  const found = data === undefined ? undefined : decodeRelease(data, secret.metadata?.labels ?? {});
  return found ? [{ ...found, namespace: found.namespace || (secret.metadata?.namespace ?? '') }] : [];
}

/** Every release of a namespace; '': of all of them. */
export const listReleases = (session: Session, namespace: string): Release[] =>
  query(session, namespace, 'owner=helm', 'list: failed to list');

/** The revisions of a release, from the first one on. */
export const historyOf = (session: Session, name: string): Release[] =>
  query(session, session.namespace, `name=${name},owner=helm`, 'query: failed to query with labels').sort(
    (a, b) => a.version - b.version,
  );

function query(session: Session, namespace: string, selector: string, words: string): Release[] {
  try {
    const list = session.get(`${pathTo(namespace)}?labelSelector=${encodeURIComponent(selector)}`);
    const items = Array.isArray(list['items']) ? (list['items'] as ApiObject[]) : [];
    return items.slice(0, MAX_RECORDS).flatMap(read);
  } catch (error) {
    throw error instanceof ApiFailure ? new HelmFailure(`${words}: ${error.message}`) : error;
  }
}

/** A revision; 0: the last one. Throws HelmFailure. */
export function getRelease(session: Session, name: string, version = 0): Release {
  const all = historyOf(session, name);
  const found = version > 0 ? all.find((one) => one.version === version) : all.at(-1);
  if (!found) throw new HelmFailure('release: not found');
  return found;
}

function secretOf(session: Session, release: Release, stamp: 'createdAt' | 'modifiedAt'): object {
  const { name, namespace, version, info, labels } = release;
  return {
    ...{ apiVersion: 'v1', kind: 'Secret', type: 'helm.sh/release.v1' },
    metadata: {
      name: secretName(name, version),
      namespace,
      labels: {
        ...labels,
        [stamp]: String(Math.floor(clockOf(session) / 1_000)),
        ...{ name, owner: 'helm', status: info.status, version: String(version) },
      },
    },
    data: { release: encodeRelease(release) },
  };
}

/** Throws HelmFailure, also for a revision that is there. */
export function createRecord(session: Session, release: Release): void {
  try {
    session.post(`${pathTo(release.namespace)}?fieldManager=helm`, secretOf(session, release, 'createdAt'));
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw new HelmFailure(
      error.reason === 'AlreadyExists' ? 'release: already exists' : `create: failed to create: ${error.message}`,
    );
  }
}

export function updateRecord(session: Session, release: Release): void {
  const path = pathTo(release.namespace, secretName(release.name, release.version));
  try {
    session.put(`${path}?fieldManager=helm`, secretOf(session, release, 'modifiedAt'));
  } catch (error) {
    throw error instanceof ApiFailure ? new HelmFailure(`update: failed to update: ${error.message}`) : error;
  }
}

export function deleteRecord(session: Session, release: Release): void {
  const path = pathTo(release.namespace, secretName(release.name, release.version));
  session.send('DELETE', path, {}, 'application/json');
}

/** Takes the oldest revisions away, so that with a new one there are `most`; 0: all may stay. */
export function pruneHistory(session: Session, name: string, most: number): void {
  if (most <= 0) return;
  const all = historyOf(session, name);
  const deployed = all.findLast(({ info }) => info.status === 'deployed');
  const excess = all.length - (most - 1);
  const doomed = all.filter(({ version }) => version !== deployed?.version).slice(0, Math.max(0, excess));
  for (const one of doomed) deleteRecord(session, one);
}
